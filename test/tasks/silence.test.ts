// The silence watchdog: time is the test's own, except where `refresh` matters.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchSilence } from '../../src/tasks/attempt/silence.ts'
import { within } from '../support/within.ts'

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }))
afterEach(() => mock.timers.reset())

test('silence for the whole time aborts and says so', () => {
  const watch = watchSilence(1000, new AbortController().signal)
  mock.timers.tick(999)
  assert.deepEqual([watch.signal.aborted, watch.expired], [false, false])
  mock.timers.tick(1)
  assert.deepEqual([watch.signal.aborted, watch.expired], [true, true])
})

test('each heartbeat restarts the time', async () => {
  mock.timers.reset() // they know no `refresh`
  const watch = watchSilence(1000, new AbortController().signal)
  const lateAt = performance.now() + 1300
  while (performance.now() < lateAt) {
    await sleep(50)
    watch.heartbeat()
  }
  assert.equal(watch.signal.aborted, false)
  const lastSignAt = performance.now()
  await within(10_000, 'the watch to bark', once(watch.signal, 'abort'))
  assert.ok(performance.now() - lastSignAt > 900)
  assert.equal(watch.expired, true)
})

test('a signal from outside aborts too, and is no silence', () => {
  const outer = new AbortController()
  const watch = watchSilence(1000, outer.signal)
  outer.abort('lost')
  assert.deepEqual([watch.signal.aborted, watch.signal.reason, watch.expired], [true, 'lost', false])
})

test('a stopped watchdog never fires', () => {
  const watch = watchSilence(1000, new AbortController().signal)
  watch.stop()
  mock.timers.tick(100_000)
  assert.deepEqual([watch.signal.aborted, watch.expired], [false, false])
})

test('a heartbeat after the end has no effect', async () => {
  mock.timers.reset()
  const watch = watchSilence(5, new AbortController().signal)
  watch.stop()
  watch.heartbeat()
  // A timer that began later and lasts longer fires after any that is still there.
  await sleep(50)
  assert.equal(watch.expired, false)
})

test('work of this process is no silence, and the time starts again after it', async () => {
  mock.timers.reset() // they know no `refresh`
  const watch = watchSilence(100, new AbortController().signal)
  await watch.whilePaused(() => sleep(400))
  assert.equal(watch.signal.aborted, false)
  await within(10_000, 'the watch to bark', once(watch.signal, 'abort'))
  assert.equal(watch.expired, true)
})
