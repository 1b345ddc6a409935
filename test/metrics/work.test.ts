// The gauges of the work of all processes, as a scrape of a server shows them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCluster } from '../support/service/cluster.ts'
import { untilTrue } from '../support/until.ts'

test('a scrape shows the workers of each queue, and the one with jobs that none serves', async () => {
  const cluster = await startCluster({ servers: 1, workers: 0 })
  const { api } = cluster.servers[0]!
  const value = async (series: string) => {
    const lines = (await api.get('/metrics')).text.split('\n')
    return Number(lines.find((line: string) => line.startsWith(`${series} `))?.split(' ')[1])
  }
  const becomes = (series: string, expected: number) =>
    untilTrue(`${series} is ${expected}`, async () => (await value(series)) === expected, 15_000)
  try {
    await becomes('dailies_open_tasks', 0)
    await becomes('dailies_queue_unserved{queue="prepare"}', 0)
    const taskId = await api.createTask('a boat')
    await becomes('dailies_queue_unserved{queue="prepare"}', 1)
    await becomes('dailies_queue_workers{queue="prepare"}', 0)
    await becomes('dailies_open_tasks', 1)
    await api.post('/api/v1/operator/queues/infer/pause')
    await becomes('dailies_queue_paused{queue="infer"}', 1)
    assert.equal(await value('dailies_queue_unserved{queue="infer"}'), 0)
    assert.ok((await value('dailies_disk_free_bytes')) > 0)
    await cluster.addWorker()
    await becomes('dailies_queue_workers{queue="prepare"}', 1)
    await becomes('dailies_queue_unserved{queue="prepare"}', 0)
    await api.until(taskId, ['success'])
    await becomes('dailies_open_tasks', 0)
  } finally {
    await cluster.stop()
  }
})
