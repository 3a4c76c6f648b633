// node:test: one line of JSON for each test, with the file it is in and the names it is nested in.
export default async function* (source) {
  const names = [];
  yield process.cwd() + '\n';
  for await (const { type, data } of source) {
    if (type === 'test:start') names[data.nesting] = data.name;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const chosen = [...names.slice(0, data.nesting), data.name];
    yield JSON.stringify({ file: data.file || '', name: chosen.join(' > '), status: status(type, data), kind: kind(data) }) + '\n';
  }
  yield JSON.stringify({ end: true }) + '\n';
}

function status(type, data) {
  if (data.skip !== undefined && data.skip !== false) return 'skipped';
  if (data.todo !== undefined && data.todo !== false) return type === 'test:pass' ? 'skipped' : 'xfailed';
  return type === 'test:pass' ? 'passed' : 'failed';
}

function kind(data) {
  return (data.details && data.details.type) || 'test';
}
