// The rate limit is exact: never more than N in any window, and never fewer than it allows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createQuietWindow, createWindow } from '../../src/limits/window.ts'

test('no window of any place holds more than allowed, and no request is refused without need', () => {
  const walk = fc.record({
    requests: fc.integer({ min: 1, max: 40 }),
    perMs: fc.integer({ min: 1, max: 500 }),
    gaps: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })), { maxLength: 300 }),
  })
  fc.assert(
    fc.property(walk, ({ requests, perMs, gaps }) => {
      const limiter = createWindow()
      const allowedAt: number[] = []
      let nowMs = 1_000_000
      for (const gap of gaps) {
        nowMs += gap
        const inWindow = allowedAt.filter((at) => at > nowMs - perMs).length
        const { allowed, remaining, resetMs } = limiter.take('key', { requests, perMs }, nowMs)
        assert.equal(allowed, inWindow < requests)
        if (allowed) allowedAt.push(nowMs)
        assert.equal(remaining, requests - allowedAt.filter((at) => at > nowMs - perMs).length)
        assert.ok(resetMs > 0 && resetMs <= perMs)
        // A client that comes back after the given time is let in.
        if (!allowed) assert.ok(allowedAt.filter((at) => at > nowMs + resetMs - perMs).length < requests)
      }
    }),
  )
})

test('keys do not share their limit', () => {
  const limiter = createWindow()
  const rate = { requests: 2, perMs: 1000 }
  const take = (key: string) => limiter.take(key, rate, 5000).allowed
  assert.deepEqual(
    [take('a'), take('a'), take('a'), take('b'), take('b'), take('b')],
    [true, true, false, true, true, false],
  )
})

test('a rate that changes counts from the next request on', () => {
  const limiter = createWindow()
  const take = (requests: number, nowMs: number) => limiter.take('key', { requests, perMs: 1000 }, nowMs).allowed
  assert.deepEqual([take(3, 0), take(3, 1), take(3, 2), take(3, 3)], [true, true, true, false])
  assert.deepEqual([take(2, 4), take(4, 5), take(4, 6)], [false, true, false])
  assert.equal(take(2, 1001), false)
  assert.equal(take(2, 1002), true)
})

test('a clock that is set back refuses a key for no longer than a window', () => {
  const limiter = createWindow()
  const rate = { requests: 2, perMs: 1000 }
  const take = (nowMs: number) => limiter.take('key', rate, nowMs)
  const hourMs = 3_600_000
  assert.deepEqual([take(hourMs).allowed, take(hourMs).allowed, take(hourMs).allowed], [true, true, false])
  assert.deepEqual([take(0).allowed, take(1).allowed, take(2).allowed], [true, true, false])
  assert.equal(take(2).resetMs, 998)
  assert.equal(take(1000).allowed, true)
})

test('what is left out in silence is reported once, with its number', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { promise: reported, resolve } = Promise.withResolvers<number>()
  const mayLog = createQuietWindow({ requests: 2, perMs: 5000 }, resolve)
  assert.deepEqual([mayLog(), mayLog(), mayLog(), mayLog(), mayLog()], [true, true, false, false, false])
  t.mock.timers.tick(5000)
  t.mock.timers.reset()
  assert.equal(await reported, 3)
})
