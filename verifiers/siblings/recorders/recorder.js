/* Notes what tests are answered. Its text is laid into test files: nothing but Node's own modules may be used. */

function _noteAnswer (test, place, answer) {
  let said
  try {
    said = JSON.stringify(_makePlain(answer)).slice(0, 5000)
  } catch (problem) {
    said = 'null'
  }
  OPEN.appendFileSync('PLACE', JSON.stringify([test, `${place} ${said}`]) + '\n')
  return answer
}

/* Which exception left the function, if one did. */
function _noteThrown (test, place, act) {
  try {
    act()
  } catch (problem) {
    _noteAnswer(test, place, _nameProblem(problem))
    return problem
  }
  _noteAnswer(test, place, null)
}

/* The same for a promise, or a function that gives one. */
async function _noteRejected (test, place, act) {
  try {
    await (typeof act === 'function' ? act() : act)
  } catch (problem) {
    _noteAnswer(test, place, _nameProblem(problem))
    return problem
  }
  _noteAnswer(test, place, null)
}

async function _noteResolved (test, place, promise) {
  return _noteAnswer(test, place, await promise)
}

function _nameProblem (problem) {
  return String((problem && problem.name) || typeof problem)
}

/* Plain data with its type. What is equal becomes the same. */
function _makePlain (answer) {
  if (answer === null) return 'None'
  if (answer === undefined) return 'undefined'
  if (typeof answer === 'boolean') return answer ? 1 : 0
  if (typeof answer === 'number') return Number.isInteger(answer) ? answer : ['float', String(Number(answer.toPrecision(9)))]
  if (typeof answer === 'bigint') return ['bigint', String(answer)]
  if (typeof answer === 'string') return ['str', answer]
  if (Array.isArray(answer)) return ['list', Array.from(answer, _makePlain)]
  const kind = Object.prototype.toString.call(answer).slice(8, -1)
  if (kind === 'Date') return ['date', String(Number(answer))]
  if (kind === 'RegExp') return ['regexp', String(answer)]
  if (kind === 'Error') return ['error', _nameProblem(answer)]
  if (kind === 'Set') return ['set', _sortPlain(Array.from(answer))]
  if (kind === 'Map') return ['map', _sortPlain(Array.from(answer))]
  const parent = kind === 'Object' ? Object.getPrototypeOf(answer) : answer
  if (parent !== null && !(kind === 'Object' && Object.getPrototypeOf(parent) === null)) throw new TypeError(kind)
  return ['dict', _sortPlain(Object.entries(answer).filter(([, value]) => value !== undefined))]
}

function _sortPlain (members) {
  return members.map(_makePlain).sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}
