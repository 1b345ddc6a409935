// When the input files of a task are tried again, as a table.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { effortOf, retryInMs } from '../../src/tasks/prepare/retry-later.ts'

const twoMinutes = 120_000

/** Faults of one kind, the first of them `elapsedMs` ago. */
function fault(of: 'fetch' | 'child', retries: number, elapsedMs = 0, retryAfterMs: number | null = null) {
  const nowMs = 1_000_000
  const failed_at = nowMs - elapsedMs
  return {
    of,
    retryAfterMs,
    retries: Array.from({ length: retries }, () => ({ fault: of, failed_at })),
    nowMs,
    random: 0.5,
  }
}

describe('retryInMs', () => {
  for (const [what, given, patienceMs, expected] of [
    ['the first failure', fault('fetch', 0), twoMinutes, 1000],
    ['the second', fault('fetch', 1, 1000), twoMinutes, 2000],
    ['the fifth', fault('fetch', 4, 15_000), twoMinutes, 15_000],
    ['later ones', fault('fetch', 8, 90_000), twoMinutes, 15_000],
    ['no time left', fault('fetch', 9, 110_000), twoMinutes, null],
    ['a second attempt after a server that hung', fault('fetch', 1, 150_000), twoMinutes, 2000],
    ['a third attempt after it', fault('fetch', 2, 300_000), twoMinutes, null],
    ['a short patience', fault('fetch', 0), 1000, 250],
    ['no patience', fault('fetch', 0), 0, null],
    ['a server that asks for a minute', fault('fetch', 0, 0, 60_000), twoMinutes, 60_000],
    ['a server that asks for less than planned', fault('fetch', 2, 3000, 1000), twoMinutes, 4000],
    ['a server that asks for more than is left', fault('fetch', 0, 0, 3_600_000), twoMinutes, twoMinutes],
    ['the same once its time is over', fault('fetch', 2, twoMinutes, 3_600_000), twoMinutes, null],
    ['a process that crashed', fault('child', 0), twoMinutes, 1000],
    ['a second one', fault('child', 1), twoMinutes, 2000],
    ['a third one', fault('child', 2), twoMinutes, null],
    ['a process that crashed, without patience for fetches', fault('child', 0), 0, 1000],
  ] as const) {
    test(`${what}: ${expected}`, () => assert.equal(retryInMs(given, patienceMs), expected))
  }

  test('failures of one kind do not use up the attempts of the other', () => {
    const given = fault('child', 0)
    const retries = Array.from({ length: 5 }, () => ({ fault: 'fetch' as const, failed_at: given.nowMs }))
    assert.equal(retryInMs({ ...given, retries }, twoMinutes), 1000)
  })

  test('delays differ by up to 20 % in both directions', () => {
    assert.equal(retryInMs({ ...fault('fetch', 0), random: 0 }, twoMinutes), 800)
    assert.equal(retryInMs({ ...fault('fetch', 0), random: 1 }, twoMinutes), 1200)
  })
})

test('the message of a task says how often and for how long, unless it was tried once', () => {
  assert.equal(effortOf(fault('fetch', 0)), '')
  assert.equal(effortOf(fault('fetch', 10, 105_400)), ' It was tried 11 times within 105 s.')
})
