import assert from 'node:assert/strict'
import { test } from 'node:test'
import { build } from '../src/index.js'

test('parts are filled in', () => {
  assert.equal(build('/books/:isbn', { isbn: '123' }), '/books/123')
})

test('what is filled in is encoded', () => {
  assert.equal(build('/tags/:tag', { tag: 'a/b' }), '/tags/a%2Fb')
})

test('a missing value is an error', () => {
  assert.throws(() => build('/books/:isbn'), /no value for 'isbn'/)
})
