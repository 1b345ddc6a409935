// A worker whose job another process took over can no longer change its task, no matter what it has found out meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { type FetchInputs, TaskFailed } from '../../../src/tasks/prepare/prepare.ts'
import { fetchNothing } from '../../support/engines/fetch-nothing.ts'
import { places } from '../../support/places/places.ts'
import { type Cluster, startCluster } from '../../support/service/cluster.ts'
import { startService, type TestService } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'
import { workerRow } from '../../support/worker-row.ts'

for (const { name, create } of places) {
  test(`a worker that lost its job while it prepared a task cannot end it (${name})`, async () => {
    const database = await create()
    let service: TestService | undefined
    let rounds = 0
    const fetchInputs: FetchInputs = async (task, held) => {
      if (++rounds > 1) return fetchNothing(task, held)
      // As another worker's claim would.
      await service!.app.db.run(`update jobs set claim = 'another' where subject = ?`, [task.id])
      throw new TaskFailed({ reason: 'image_fetch_failed', message: 'The image was not found.' })
    }
    service = await startService(database.env, { fetchInputs, leaseMs: 1000 })
    try {
      const taskId = await service.api.createTask()
      const record = await service.api.until(taskId, ['success', 'fail'])
      assert.equal(record.state, 'success', JSON.stringify(record))
      assert.equal(rounds, 2)
    } finally {
      await service.stop()
      await database.stop()
    }
  })
}

/** A cluster without workers, and tasks whose worker was lost: long before the next heartbeat it is found out. */
async function clusterWithLostTasks(count: number): Promise<{ cluster: Cluster; taskIds: string[] }> {
  const cluster = await startCluster({ servers: 1, workers: 0, overrides: { leaseMs: 60_000 } })
  const { api, app } = cluster.servers[0]!
  const taskIds: string[] = []
  while (taskIds.length < count) taskIds.push(await api.createTask())
  await app.db.transaction(async (tx) => {
    await tx.run(`update tasks set state = 'generating', attempt = 1`)
    await tx.insert('workers', [workerRow('crashed', app.clock.now(), app.clock.now() + 500)])
    await tx.run(`update jobs set queue = 'generate:scripted', attempt = 1, claim = 'a', worker = 'crashed'`)
  })
  return { cluster, taskIds }
}

async function untilQueueing({ servers }: Cluster, taskId: string): Promise<void> {
  const stateOf = async () => (await servers[0]!.api.record(taskId)).state
  await untilTrue('the task queues again', async () => (await stateOf()) === 'queueing')
}

test('a server that finds a lost worker takes its task back too, although it does no work itself', async () => {
  const { cluster, taskIds } = await clusterWithLostTasks(1)
  try {
    await untilQueueing(cluster, taskIds[0]!)
  } finally {
    await cluster.stop()
  }
})

test('a worker that hangs with a lock on its job does not keep others from taking over the rest', async () => {
  const { cluster, taskIds } = await clusterWithLostTasks(2)
  const hung = new pg.Client({ connectionString: cluster.databaseUrl })
  try {
    await hung.connect()
    await hung.query('begin')
    await hung.query('select * from jobs where subject = $1 for update', [taskIds[0]])
    await untilQueueing(cluster, taskIds[1]!)
    await hung.query('rollback')
    await untilQueueing(cluster, taskIds[0]!)
  } finally {
    await hung.end()
    await cluster.stop()
  }
})
