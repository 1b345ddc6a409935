// The ledger as the console shows it: one line per task, also where its entries are on different pages.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LedgerEntry } from '../../client/src/contract.ts'
import { foldLedger } from '../../console/src/usage/ledger-lines.ts'

const entry = (kind: LedgerEntry['kind'], amount: number, taskId: string | null, cost: number | null = null) =>
  ({ id: `${kind} ${taskId}`, kind, amount, taskId, cost, createTime: 1, balanceAfter: 0 }) as LedgerEntry
const linesOf = (...entries: LedgerEntry[]) => foldLedger(entries).map(({ words, credits }) => [words, credits])

test('a task has one line: what it cost in the end', () => {
  const lines = linesOf(
    entry('release', 42, 'failed'),
    entry('settle', 0, 'done', 84),
    entry('hold', -42, 'waiting'),
    entry('hold', -42, 'failed'),
    entry('hold', -84, 'done'),
    entry('charge', -1, null),
    entry('grant', 1000, null),
  )
  assert.deepEqual(lines, [
    ['released', 0],
    ['settled', -84],
    ['held', -42],
    ['charge', -1],
    ['grant', 1000],
  ])
})

test('a task whose hold is on a page that is not loaded is no gain, and shows its cost', () => {
  assert.deepEqual(linesOf(entry('release', 42, 'failed'), entry('settle', 0, 'done', 84)), [
    ['released', 0],
    ['settled', -84],
  ])
})
