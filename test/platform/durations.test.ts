// Durations and rates as people write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatDuration, parseDuration, parseRate } from '../../src/platform/durations.ts'

const durations: [text: string, ms: number | null][] = [
  ['250ms', 250],
  ['0s', 0],
  ['5s', 5000],
  ['1.5s', 1500],
  ['0.25ms', 0],
  ['10m', 600_000],
  ['1h', 3_600_000],
  ['14d', 1_209_600_000],
  [' 5s ', 5000],
  ['5', null],
  ['s', null],
  ['-5s', null],
  ['5 s', null],
  ['5S', null],
  ['.5s', null],
  ['5.s', null],
  ['1e3s', null],
  ['5w', null],
  ['1h30m', null],
  ['', null],
  ['99999999999999d', null],
]
for (const [text, ms] of durations) {
  test(`"${text}" is ${ms === null ? 'no duration' : `${ms} ms`}`, () => assert.equal(parseDuration(text), ms))
}

const rates: [text: string, rate: [requests: number, perMs: number] | null][] = [
  ['5/10s', [5, 10_000]],
  ['100/m', [100, 60_000]],
  ['1/250ms', [1, 250]],
  ['10000/10s', [10_000, 10_000]],
  ['0/10s', null],
  ['5/0s', null],
  ['5', null],
  ['/10s', null],
  ['-5/10s', null],
  ['5/10', null],
  ['5/10s/2', null],
  ['99999999999999999999/s', null],
]
for (const [text, rate] of rates) {
  test(`"${text}" is ${rate === null ? 'no rate' : `${rate[0]} in ${rate[1]} ms`}`, () => {
    assert.deepEqual(parseRate(text), rate && { requests: rate[0], perMs: rate[1] })
  })
}

test('a duration that is written is read again as the same', () => {
  fc.assert(fc.property(fc.nat(1e12), (ms) => assert.equal(parseDuration(formatDuration(ms)), ms)))
  const shortest: [number, string][] = [
    [0, '0ms'],
    [999, '999ms'],
    [1000, '1s'],
    [90_000, '90s'],
    [3_600_000, '1h'],
    [86_400_000, '1d'],
  ]
  for (const [ms, text] of shortest) assert.equal(formatDuration(ms), text)
})
