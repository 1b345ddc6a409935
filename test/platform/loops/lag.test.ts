// How long the event loop was held up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchLoopLag } from '../../../src/platform/loops/lag.ts'

const blockedMs = 200
/** Some turns of the event loop, each of which is measured. */
const turnsMs = 50

async function block(): Promise<void> {
  await sleep(turnsMs)
  const untilMs = performance.now() + blockedMs
  while (performance.now() < untilMs);
  await sleep(turnsMs)
}

test('the longest delay is reported', async () => {
  const lag = watchLoopLag()
  await block()
  const longestMs = lag.longestMs()
  lag.stop()
  assert.ok(longestMs > blockedMs * 0.8, String(longestMs))
})

test('nothing is measured once it has stopped', async () => {
  const lag = watchLoopLag()
  lag.stop()
  await block()
  assert.equal(lag.longestMs(), 0)
})
