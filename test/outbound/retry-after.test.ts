// The header Retry-After, as a table.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readRetryAfter } from '../../src/outbound/retry-after.ts'

describe('readRetryAfter', () => {
  const nowMs = Date.UTC(2026, 0, 31, 12, 0, 0)
  for (const [header, expected] of [
    ['120', 120_000],
    [' 0 ', 0],
    ['Sat, 31 Jan 2026 12:00:30 GMT', 30_000],
    ['Sat, 31 Jan 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['', null],
    [undefined, null],
  ] as const) {
    test(`${JSON.stringify(header)} is ${expected}`, () => assert.equal(readRetryAfter(header, nowMs), expected))
  }
})
