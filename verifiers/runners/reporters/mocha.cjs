// Mocha, any version: one line of JSON for each test, then one that says how it ended. Written beside this file's folder.
const fs = require('fs');

module.exports = function (runner) {
  const lines = [process.cwd()];
  runner.on('start', () => wait(runner.suite));
  const put = (status) => (test) =>
    lines.push(JSON.stringify({ file: fileOf(test), name: test.fullTitle(), status, kind: test.type || 'test' }));
  runner.on('pass', put('passed'));
  runner.on('fail', put('failed'));
  runner.on('pending', put('skipped'));
  runner.on('end', () => {
    lines.push(JSON.stringify({ end: true }));
    fs.writeFileSync(__dirname.slice(0, -2), lines.join('\n') + '\n');
  });
  runner.on('fail', (test, error) => console.log('FAIL ' + test.fullTitle() + '\n' + ((error && error.stack) || error)));
};

// Its two seconds for a test are few on a busy machine; zero is no limit at all.
const LEAST = 20000;

function wait(suite) {
  const hooks = ['_beforeAll', '_beforeEach', '_afterEach', '_afterAll'].map((kind) => suite[kind] || []);
  for (const one of [].concat(suite, suite.tests, ...hooks)) {
    if (one.timeout() > 0 && one.timeout() < LEAST) one.timeout(LEAST);
  }
  suite.suites.forEach(wait);
}

function fileOf(test) {
  for (let at = test; at; at = at.parent) if (at.file) return at.file;
  return '';
}
