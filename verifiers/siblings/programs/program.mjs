/* Runs siblings without a test framework, as any program would use the code. Laid into the workdir with framework.cjs. */

import framework from './FRAMEWORK'

process.argv.length = 2

for (const file of FILES) {
  try {
    await import(new URL(file, import.meta.url))
  } catch (problem) {
    /* What cannot be read without its framework is not asked. */
  }
}

for (const { act, preparations } of framework.asked) {
  try {
    for (const prepare of preparations.flat()) await prepare.call(framework.context)
    await act.call(framework.context, framework.context)
  } catch (problem) {
    /* What becomes of one is nothing to the others. */
  }
}

process.exit(0)
