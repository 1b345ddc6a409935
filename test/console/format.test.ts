// How the console writes counts and shares.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCounted, formatShare } from '../../console/src/format.ts'

test('one of a thing is singular', () => {
  assert.deepEqual(
    [0, 1, 2, 1000].map((count) => formatCounted(count, 'task')),
    ['0 tasks', '1 task', '2 tasks', '1,000 tasks'],
  )
})

test('a share is 100 % only of all and 0 % only of none', () => {
  const cases: [number, number, string][] = [
    [3000, 3000, '100 %'],
    [2999, 3000, '> 99 %'],
    [97, 100, '97 %'],
    [10, 3000, '< 1 %'],
    [0, 3000, '0 %'],
  ]
  for (const [part, all, words] of cases) assert.equal(formatShare(part, all), words)
})
