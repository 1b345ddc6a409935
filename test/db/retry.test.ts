// The retry policy as a table: when each failure is retried, and when no more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayBeforeRetry, type Failure, retrying, type Work } from '../../src/db/retry.ts'

const cases: [Work, Failure, { retries: number; elapsedMs: number }, number | null][] = [
  ['connect', 'unreachable', { retries: 0, elapsedMs: 0 }, 200],
  ['connect', 'unreachable', { retries: 24, elapsedMs: 4_999 }, 200],
  ['connect', 'unreachable', { retries: 25, elapsedMs: 5_000 }, null],
  ['connect', 'final', { retries: 0, elapsedMs: 0 }, null],
  ['read', 'unreachable', { retries: 0, elapsedMs: 9_000 }, 0],
  ['read', 'unreachable', { retries: 1, elapsedMs: 9_000 }, null],
  ['read', 'silent', { retries: 0, elapsedMs: 9_000 }, 0],
  ['read', 'silent', { retries: 1, elapsedMs: 0 }, null],
  ['read', 'busy', { retries: 0, elapsedMs: 5_001 }, null],
  ['statement', 'stale plan', { retries: 11, elapsedMs: 60_000 }, 0],
  ['statement', 'connection lost', { retries: 0, elapsedMs: 0 }, null],
  ['transaction', 'conflict', { retries: 2, elapsedMs: 60_000 }, 0],
  ['transaction', 'conflict', { retries: 3, elapsedMs: 0 }, null],
  ['transaction', 'connection lost', { retries: 0, elapsedMs: 0 }, 0],
  ['transaction', 'connection lost', { retries: 1, elapsedMs: 0 }, 200],
  ['transaction', 'read-only', { retries: 0, elapsedMs: 0 }, 200],
  ['begin', 'busy', { retries: 500, elapsedMs: 9_999 }, 10],
  ['begin', 'busy', { retries: 0, elapsedMs: 10_000 }, null],
  ['write', 'not writable', { retries: 10_000, elapsedMs: 86_400_000 }, 1_000],
  ['lookUp', 'any', { retries: 18, elapsedMs: 86_400_000 }, 500],
  ['lookUp', 'any', { retries: 19, elapsedMs: 0 }, null],
]

for (const [work, failure, past, delayMs] of cases) {
  test(`${work}, ${failure}, after ${past.retries} retries and ${past.elapsedMs} ms: ${delayMs}`, () => {
    assert.equal(delayBeforeRetry(work, failure, past), delayMs)
  })
}

test('retries of different failures are counted apart, and the last error is thrown', async () => {
  const failures: Failure[] = ['conflict', 'conflict', 'stale plan', 'conflict', 'silent', 'conflict']
  let attempts = 0
  const attempt = () => Promise.reject(failures[attempts++])
  const failureOf = (failure: unknown) => failure as Failure
  await assert.rejects(retrying('transaction', attempt, { failureOf }), (error: unknown) => error === 'conflict')
  assert.equal(attempts, failures.length)
})
