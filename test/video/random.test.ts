import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSeed, seededRandom } from '../../src/video/random.ts'

test('a seed gives one sequence, evenly spread over [0, 1)', () => {
  const one = seededRandom(7)
  const two = seededRandom(7)
  const other = seededRandom(8)
  const bins = new Array<number>(10).fill(0)
  let same = 0
  for (let i = 0; i < 10_000; i++) {
    const value = one()
    assert.equal(value, two())
    if (value === other()) same++
    bins[Math.floor(value * 10)]!++
  }
  assert.ok(same < 5)
  for (const count of bins) assert.ok(count > 850 && count < 1150, String(bins))
})

test('a hash depends on every part, its order and its borders', () => {
  const bytes = new Uint8Array([1, 2, 3])
  assert.equal(hashSeed('a', bytes), hashSeed('a', new Uint8Array([1, 2, 3])))
  const all = [hashSeed(), hashSeed(''), hashSeed('ab', 'c'), hashSeed('a', 'bc'), hashSeed('abc'), hashSeed('c', 'ab')]
  assert.equal(new Set(all).size, all.length)
  for (const seed of all) assert.ok(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)
})
