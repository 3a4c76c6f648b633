// node:test: one line of JSON for each test as it ends, with the file it is in and the names it is nested in. Written
// beside this file's folder: a stream of Node's own asks for more than a pipe can do.
import { openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const report = openSync(dirname(fileURLToPath(import.meta.url)).slice(0, -2), 'a');
const put = (text) => {
  let left = Buffer.from(text + '\n');
  while (left.length) left = left.subarray(writeSync(report, left));
};

export default async function* (source) {
  const names = [];
  let lines = 0;
  put(process.cwd());
  for await (const { type, data } of source) {
    if (type === 'test:start') names[data.nesting] = data.name;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const chosen = [...names.slice(0, data.nesting), data.name];
    lines += 1;
    put(JSON.stringify({ file: data.file || '', name: chosen.join(' > '), status: status(type, data), kind: kind(data) }));
  }
  put(JSON.stringify({ end: true, lines }));
}

function status(type, data) {
  if (data.skip !== undefined && data.skip !== false) return 'skipped';
  if (data.todo !== undefined && data.todo !== false) return type === 'test:pass' ? 'skipped' : 'xfailed';
  return type === 'test:pass' ? 'passed' : 'failed';
}

function kind(data) {
  return (data.details && data.details.type) || 'test';
}
