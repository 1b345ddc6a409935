// The lag of the event loop in the metrics.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMetrics } from '../../src/metrics/metrics.ts'
import type { Queue } from '../../src/queue/queue.ts'

const blockedMs = 200
/** Some turns of the event loop, each of which is measured. */
const turnsMs = 50

async function lagAfterBlocking(metrics: ReturnType<typeof createMetrics>): Promise<number> {
  await metrics.text() // resets what was measured before
  await sleep(turnsMs)
  const untilMs = performance.now() + blockedMs
  while (performance.now() < untilMs);
  await sleep(turnsMs)
  const { body } = await metrics.text()
  return Number(/^dailies_event_loop_lag_seconds (\S+)$/m.exec(body)![1])
}

test('the longest delay is reported, and nothing is measured after close', async () => {
  const metrics = createMetrics({ depths: async () => [] } as unknown as Queue)
  const measured = await lagAfterBlocking(metrics)
  metrics.close()
  assert.ok(measured > (blockedMs / 1000) * 0.8, String(measured))
  assert.equal(await lagAfterBlocking(metrics), 0)
})
