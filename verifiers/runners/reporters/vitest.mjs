// Vitest: a line for each test as soon as it has ended, to the pipe beside this file's folder. It runs in the process
// that writes the report; tests run in others. Until version 2 it is told of tests by `onTaskUpdate`, from 4 on by
// `onTestCaseResult`, in between by both.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const STATUS = { pass: 'passed', passed: 'passed', fail: 'failed', failed: 'failed' };

function makeSayer() {
  const pipe = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'events');
  try {
    if (!fs.statSync(pipe).isFIFO()) return () => {};
  } catch {
    return () => {}; // nobody listens: a task that was exported has no such pipe
  }
  const handle = fs.openSync(pipe, 'a');
  return (word, name) => {
    let left = Buffer.from(`${word} ${name.replace(/\n/g, '\\n')}\n`);
    while (left.length) left = left.subarray(fs.writeSync(handle, left));
  };
}

export default class {
  onInit(vitest) {
    this.vitest = vitest;
    this.say = makeSayer();
    this.say('began', 'vitest');
  }

  onTaskUpdate(packs) {
    for (const [id, result] of packs) {
      const task = this.vitest.state.idMap.get(id);
      if (task && task.type !== 'suite' && task.file && result) this.tell(task, result.state);
    }
  }

  onTestCaseResult(test) {
    this.tell(test.task, test.result().state);
  }

  tell(task, state) {
    const names = [];
    for (let at = task; at && at !== task.file; at = at.suite) if (at.name) names.unshift(at.name);
    const file = path.relative(process.cwd(), task.file.filepath);
    if (STATUS[state]) this.say(STATUS[state], `${file}::${names.join(' > ')}`);
  }
}
