// Debts grow with use and shrink with time.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createDebts, type Debt, owed } from '../../src/limits/debt.ts'

describe('what is left of a debt', () => {
  const debt: Debt = { amount: 100, atMs: 1000 }
  const cases: [name: string, perMs: number, nowMs: number, left: number][] = [
    ['at once', 0.2, 1000, 100],
    ['after a while', 0.2, 1250, 50],
    ['when all is paid back', 0.2, 1500, 0],
    ['long after', 0.2, 9000, 0],
    ['on a clock that was set back', 0.2, 750, 50],
  ]
  for (const [name, perMs, nowMs, left] of cases) test(name, () => assert.equal(owed(debt, perMs, nowMs), left))
})

test('a name goes on while it owes less than its credit, whatever others owe', () => {
  let nowMs = 0
  const debts = createDebts({ credit: 100, perMs: 0.5 }, 10, () => nowMs)
  const steps: [atMs: number, name: string, amount: number, mayGoOn: boolean][] = [
    [0, 'a', 0, true],
    [0, 'a', 99, true],
    [0, 'a', 1, false],
    [0, 'b', 50, true],
    [1, 'a', 0, true],
    [1, 'a', 60, false],
    [119, 'a', 0, false],
    [121, 'a', 0, true],
  ]
  for (const [atMs, name, amount, mayGoOn] of steps) {
    nowMs = atMs
    debts.add(name, amount)
    assert.equal(debts.mayGoOn(name), mayGoOn, `${name} at ${atMs}`)
  }
})

test('what was used least recently is forgotten first', () => {
  const debts = createDebts({ credit: 1, perMs: 0.001 }, 2, () => 0)
  for (const name of ['a', 'b', 'c']) debts.add(name, 5)
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => debts.mayGoOn(name)),
    [true, false, false],
  )
})
