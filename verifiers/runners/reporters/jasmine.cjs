// Jasmine 3.7 and later: one line of JSON for each test, then one that says how it ended. Written beside this file's folder.
const fs = require('fs');

const STATUS = { passed: 'passed', failed: 'failed', pending: 'skipped', excluded: 'skipped' };
// Its five seconds for a test are few on a busy machine.
const LEAST = 20000;

module.exports = class {
  constructor() {
    this.lines = [process.cwd()];
  }

  jasmineStarted() {
    if (global.jasmine) jasmine.DEFAULT_TIMEOUT_INTERVAL = Math.max(LEAST, jasmine.DEFAULT_TIMEOUT_INTERVAL);
  }

  specDone(test) {
    this.put(test, 'test');
  }

  // Of a group only that it failed by itself is of interest.
  suiteDone(group) {
    if ((group.failedExpectations || []).length) this.put({ ...group, status: 'failed' }, 'suite');
  }

  jasmineDone(end) {
    if ((end.failedExpectations || []).length) this.put({ ...end, fullName: 'before or after all', status: 'failed' }, 'suite');
    this.lines.push(JSON.stringify({ end: true }));
    fs.writeFileSync(__dirname.slice(0, -2), this.lines.join('\n') + '\n');
  }

  put(test, kind) {
    const found = test.failedExpectations || [];
    this.lines.push(JSON.stringify({ file: (test.filename || '').replace(/^file:\/\//, ''), name: test.fullName, status: STATUS[test.status], kind }));
    if (found.length) console.log('FAIL ' + test.fullName + '\n' + found.map((one) => one.stack || one.message).join('\n'));
  }
};
