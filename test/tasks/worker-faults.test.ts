// When a worker leaves the preparing of tasks to others, as a table.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { looksFaulty, othersSucceed } from '../../src/tasks/prepare/worker-health.ts'

const nowMs = 10_000_000
const fault = (account: string, host: string | null, agoMs = 100) => ({ at: nowMs - agoMs, account, host })
const severalOfBoth = [fault('a', 'x'), fault('b', 'y'), fault('a', 'x')]

describe('a worker looks faulty', () => {
  for (const [what, of, faults, expected] of [
    ['after fetches of several accounts from several hosts', 'fetch', severalOfBoth, true],
    ['but not without faults', 'fetch', [], false],
    ['nor after two', 'fetch', severalOfBoth.slice(0, 2), false],
    ["nor after one account's dead addresses", 'fetch', ['x', 'y', 'z', 'v'].map((host) => fault('a', host)), false],
    ['nor while one host is down', 'fetch', ['a', 'b', 'c', 'd'].map((account) => fault(account, 'x')), false],
    [
      'nor after faults that are long ago',
      'fetch',
      severalOfBoth.map((each) => ({ ...each, at: nowMs - 60_000 })),
      false,
    ],
    ['after crashed processes of several accounts', 'child', ['a', 'b', 'a'].map((each) => fault(each, null)), true],
    ["but not after one account's", 'child', ['a', 'a', 'a', 'a'].map((each) => fault(each, null)), false],
  ] as const) {
    test(what, () => assert.equal(looksFaulty(of, { faults }, nowMs), expected))
  }
})

describe('it leaves the jobs to others', () => {
  const own = { faults: severalOfBoth }
  const success = (agoMs: number | null) => ({ lastSuccessAt: agoMs === null ? null : nowMs - agoMs })
  for (const [what, others, expected] of [
    ['when one of them has succeeded since its own first fault', [success(null), success(50)], true],
    ['but not when they succeeded before', [success(200), success(10_000)], false],
    ['nor when they have not succeeded', [success(null)], false],
    ['nor when it is the last one', [], false],
  ] as const) {
    test(what, () => assert.equal(othersSucceed(own, others, nowMs), expected))
  }

  test('and never all at once: of workers that all began to fail, the one that succeeded last stays', () => {
    const lastSuccesses = [300, 200, 100].map((agoMs) => nowMs - agoMs)
    const stops = lastSuccesses.map((lastSuccessAt, i) => {
      const faults = severalOfBoth.map((each, n) => ({ ...each, at: lastSuccessAt + 1 + n }))
      const others = lastSuccesses.filter((_, other) => other !== i).map((at) => ({ lastSuccessAt: at }))
      return othersSucceed({ faults }, others, nowMs)
    })
    assert.deepEqual(stops, [true, true, false])
  })
})
