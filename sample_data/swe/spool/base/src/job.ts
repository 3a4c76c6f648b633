/** Something to be printed. */
export interface Job {
  name: string
  pages: number
  urgent?: boolean
}

/** The pages of all jobs together. */
export function pages(jobs: Iterable<Job>): number {
  let sum = 0
  for (const job of jobs) sum += job.pages
  return sum
}
