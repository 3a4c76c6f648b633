import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from '../src/index.js'

test('a plain route matches itself', () => {
  assert.deepEqual(compile('/about').match('/about'), {})
})

test('another path does not match', () => {
  assert.equal(compile('/about').match('/contact'), null)
})

test('named parts are found', () => {
  assert.deepEqual(compile('/books/:isbn/pages/:page').match('/books/123/pages/7'), { isbn: '123', page: '7' })
})

test('a part never holds a slash', () => {
  assert.equal(compile('/books/:isbn').match('/books/1/2'), null)
})
