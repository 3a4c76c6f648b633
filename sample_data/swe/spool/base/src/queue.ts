import { pages, type Job } from './job.ts'

/** Jobs in the order in which they are printed. */
export class Queue {
  private readonly jobs: Job[] = []

  /** Puts a job into the queue; an urgent one goes before all that are not. */
  add(job: Job): this {
    if (job.urgent) this.jobs.unshift(job)
    else this.jobs.push(job)
    return this
  }

  /** Takes the next job out. */
  next(): Job | undefined {
    return this.jobs.shift()
  }

  get names(): string[] {
    return this.jobs.map((job) => job.name)
  }

  get pages(): number {
    return pages(this.jobs)
  }
}
