/* Stands for a test framework while a test file is read: keeps its siblings, and what prepares them. */

const asked = []
const groups = [[]]
const context = { timeout () {}, slow () {}, diagnostic () {}, test: (name, ...rest) => find(rest).call(context, context) }

function find (handed) {
  return handed.find((each) => typeof each === 'function')
}

function once (act) {
  let done
  return () => (done ??= { answer: act.call(context, context) }).answer
}

function test (name, ...rest) {
  if (String(name).includes('MARK')) asked.push({ act: find(rest), preparations: [...groups] })
}

function describe (name, ...rest) {
  groups.push([])
  find(rest).call(context, context)
  groups.pop()
}

function before (...rest) {
  groups.at(-1).push(once(find(rest)))
}

function beforeEach (...rest) {
  groups.at(-1).push(find(rest))
}

function after () {}

for (const each of [test, describe]) {
  each.only = each
  each.skip = each.todo = after
  each.each = (rows) => (name, act) => {
    for (const row of rows) each(name, () => act(...(Array.isArray(row) ? row : [row])))
  }
}

// One by one: this is how Node knows the names that an `import` asks for.
module.exports = test
exports = module.exports
exports.asked = asked
exports.context = context
exports.test = test
exports.it = test
exports.specify = test
exports.describe = describe
exports.suite = describe
exports.before = before
exports.beforeAll = before
exports.beforeEach = beforeEach
exports.after = after
exports.afterAll = after
exports.afterEach = after
