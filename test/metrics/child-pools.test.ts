// The metrics of child processes: real children that wait, work and crash.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChildPool } from '../../src/children/child-pool.ts'
import type { InspectJob } from '../../src/media/inspect-job.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import type { Queue } from '../../src/queue/queue.ts'
import { startService } from '../support/service/service.ts'
import { untilTrue } from '../support/until.ts'

const module = new URL('../media/fixtures/crashing-inspect-main.ts', import.meta.url)

test('jobs that wait, work and crash are counted', async () => {
  const metrics = createMetrics({ depths: async () => [] } as unknown as Queue)
  const value = async (series: string) => {
    const line = (await metrics.text()).body.split('\n').find((each) => each.startsWith(`${series} `))
    return line === undefined ? null : Number(line.split(' ').at(-1))
  }
  const limits = { rssBytesMax: 1e9, heapMegabytesMax: 256, jobMsMax: 60_000, slots: 1 }
  const pool = createChildPool<InspectJob, unknown>({ name: 'probe', module, ...limits })
  try {
    const caller = { account: 'a', key: 'k' }
    const stop = new AbortController()
    const job = (path: string) => ({ kind: 'av', path }) as InspectJob
    const hanging = pool.run(job('hang'), { caller, signal: stop.signal }).catch(() => 'stopped')
    await untilTrue('one is busy', async () => (await value('dailies_children_busy{pool="probe"}')) === 1, 20_000)
    const waiting = pool.run(job('fine'), { caller })
    await untilTrue('one waits', async () => (await value('dailies_children_waiting{pool="probe"}')) === 1)
    stop.abort()
    await Promise.all([hanging, waiting])
    await assert.rejects(pool.run(job('crash'), { caller }))
    assert.equal(await value('dailies_children_busy{pool="probe"}'), 0)
    assert.equal(await value('dailies_children_waiting{pool="probe"}'), 0)
    assert.equal(await value('dailies_child_wait_seconds_count{pool="probe"}'), 3)
    assert.equal(await value('dailies_children_killed_total{pool="probe",reason="crashed"}'), 1)
  } finally {
    await pool.close()
    metrics.close()
  }
})

test('the children of a service are in its metrics', async () => {
  const service = await startService()
  try {
    const answer = await service.api.post('/v1/inference/google/universal-sentence-encoder', { inputs: ['a boat'] })
    assert.equal(answer.status, 200, answer.text)
    const { text } = await service.api.get('/metrics')
    assert.match(text, /^dailies_child_wait_seconds_count\{pool="text encoder"\} [1-9]/m)
  } finally {
    await service.stop()
  }
})
