import assert from 'node:assert/strict'
import { Queue } from '../src/queue.ts'

describe('a queue', () => {
  it('keeps the order', () => {
    const queue = new Queue().add({ name: 'a', pages: 1 }).add({ name: 'b', pages: 2 })
    assert.deepEqual(queue.names, ['a', 'b'])
    assert.equal(queue.next()?.name, 'a')
  })

  it('counts pages', () => {
    assert.equal(new Queue().add({ name: 'a', pages: 3 }).add({ name: 'b', pages: 4 }).pages, 7)
  })

  it('lets an urgent job go first', () => {
    const queue = new Queue().add({ name: 'a', pages: 1 }).add({ name: 'b', pages: 1, urgent: true })
    assert.deepEqual(queue.names, ['b', 'a'])
  })

  it('is empty at first', () => {
    assert.equal(new Queue().next(), undefined)
  })
})
