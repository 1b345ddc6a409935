// Ids sort by the time they were made, are never made twice, and secrets are what they look like.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cellOfKey, newId, newSecretKey, newToken, sha256Hex } from '../../src/platform/ids.ts'

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('ids are UUIDv7, strictly increasing, also many in one millisecond and when the clock goes back', () => {
  const start = Date.UTC(2100, 0, 1)
  const steps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: -5000, max: 5 })), {
    minLength: 20,
    maxLength: 200,
  })
  let last = newId(start)
  fc.assert(
    fc.property(steps, (moves) => {
      let nowMs = start
      for (const move of moves) {
        nowMs += move
        const id = newId(nowMs)
        assert.match(id, uuid7)
        assert.ok(id > last, `${id} after ${last}`)
        last = id
      }
    }),
  )
})

test('more ids than a millisecond has numbers for stay in order', () => {
  const ids = Array.from({ length: 20_000 }, () => newId(Date.UTC(2101, 0, 1)))
  assert.deepEqual([...ids].sort(), ids)
  assert.equal(new Set(ids).size, ids.length)
})

test('an id says when it was made', () => {
  const nowMs = Date.UTC(2102, 4, 6, 7, 8, 9, 123)
  assert.equal(Number.parseInt(newId(nowMs).replace('-', '').slice(0, 12), 16), nowMs)
})

test('tokens fit into URLs and hold 160 bits', () => {
  const tokens = Array.from({ length: 1000 }, () => newToken())
  assert.equal(new Set(tokens).size, 1000)
  for (const token of tokens) assert.match(token, /^[\w-]{27}$/)
})

test('a secret key carries its prefix and a checksum that a slip breaks', () => {
  const isSound = (key: string) => sha256Hex(key.slice(0, -6)).slice(0, 6) === key.slice(-6)
  for (let i = 0; i < 200; i++) {
    const key = newSecretKey(null)
    assert.match(key, /^dk_[A-Za-z0-9]{38}$/)
    assert.ok(isSound(key))
    assert.ok(!isSound(`dk_!${key.slice(4)}`))
  }
})

test('keys and tokens of a cell begin with its name, and a key without one names none', () => {
  const key = newSecretKey('eu1')
  assert.match(key, /^dk_eu1_[A-Za-z0-9]{38}$/)
  assert.equal(sha256Hex(key.slice(0, -6)).slice(0, 6), key.slice(-6))
  assert.match(newToken('eu1'), /^eu1-[\w-]{27}$/)
  assert.equal(cellOfKey(key), 'eu1')
  for (const other of [
    newSecretKey(null),
    'dk_test_abc',
    'dk_EU_abc',
    'dk_ninechars_abc',
    'dk__abc',
    'chosen_eu1_key',
  ]) {
    assert.equal(cellOfKey(other), null, other)
  }
})
