// Workers that lose their way to the hosts of input files, and hosts that are away, in a cluster of processes: no task
// fails, and a worker that alone fails leaves the work to the others.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { killChildren } from '../../support/faults/kill-children.ts'
import type { Api } from '../../support/service/api.ts'
import {
  type FetchingCluster,
  type FetchingWorker,
  startFetchingCluster,
} from '../../support/service/fetching-cluster.ts'
import { untilTrue } from '../../support/until.ts'

let cluster: FetchingCluster
let cutOff: FetchingWorker
let others: FetchingWorker[]

before(async () => {
  cluster = await startFetchingCluster({ workers: 3, hosts: 2 })
  ;[cutOff, ...others] = cluster.workers as [FetchingWorker, ...FetchingWorker[]]
})
after(() => cluster?.stop())
afterEach(() => cutOff.connect())

const create = (api: Api, i: number) =>
  api.createTask('a boat', { image_url: cluster.hosts[i % 2]!.picture(`${i}.jpg`) })

async function assertSuccess(api: Api, taskIds: string[]): Promise<void> {
  for (const taskId of taskIds) {
    const record = await api.until(taskId, ['success', 'fail'], 120_000)
    assert.equal(record.state, 'success', String(record.failMsg))
  }
}

async function metric(worker: FetchingWorker, name: string): Promise<number> {
  const text = await (await fetch(`${worker.healthUrl}/metrics`)).text()
  return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}
const isPaused = async (worker: FetchingWorker) => (await metric(worker, 'dailies_prepare_paused')) === 1

describe('no task fails', { timeout: 240_000 }, () => {
  test('because one of three workers cannot reach the hosts', async () => {
    await cutOff.cutOff()
    const taskIds = await Promise.all(Array.from({ length: 60 }, (_, i) => create(cluster.api, i)))
    await assertSuccess(cluster.api, taskIds)
    assert.ok((await metric(cutOff, 'dailies_input_retries_total')) > 0, 'the worker was not cut off')
    assert.equal(await isPaused(cutOff), false, 'the addresses of one account stop no worker')
  })

  test('because a host is away for a while', async () => {
    await cluster.hosts[0]!.leave()
    const taskIds = await Promise.all(Array.from({ length: 20 }, (_, i) => create(cluster.api, i)))
    const timeline = async () =>
      (await cluster.api.get(`/api/v1/jobs/timeline?taskId=${taskIds[0]}`)).body.data.items as unknown[]
    await untilTrue('it was tried three times', async () => (await timeline()).length > 3, 30_000)
    assert.equal((await cluster.api.record(taskIds[0]!)).state, 'wait')
    await cluster.hosts[0]!.comeBack()
    await assertSuccess(cluster.api, taskIds)
  })
})

test('a worker that alone fails for several accounts takes no jobs, until it can reach the hosts again', {
  timeout: 240_000,
}, async () => {
  const accounts = await Promise.all(['first', 'second', 'third'].map((name) => cluster.createAccount(name)))
  /** A task of each account from each host. */
  const createForAll = () =>
    Promise.all(
      accounts.flatMap((api, i) => [0, 1].map(async (host) => ({ api, id: await create(api, host + 2 * i) }))),
    )
  await cutOff.cutOff()
  const taskIds: Awaited<ReturnType<typeof createForAll>> = []
  await untilTrue(
    'the worker pauses',
    async () => {
      taskIds.push(...(await createForAll()))
      return isPaused(cutOff)
    },
    60_000,
  )
  assert.match(cutOff.process.output(), /takes no jobs of prepare for a while: input files of several accounts/)
  const ready = await fetch(`${cutOff.healthUrl}/readyz`)
  assert.equal(ready.status, 200)
  assert.deepEqual(((await ready.json()) as { data: { paused?: string[] } }).data.paused, ['prepare'])
  for (const other of others) assert.equal(await isPaused(other), false)
  for (const { api, id } of taskIds) await assertSuccess(api, [id])

  await cutOff.connect()
  await untilTrue('the worker works again', async () => !(await isPaused(cutOff)), 60_000)
  assert.match(cutOff.process.output(), /takes jobs of prepare again/)
})

test('a worker whose inspecting processes are killed takes no jobs, and no task fails', {
  timeout: 240_000,
}, async () => {
  const accounts = await Promise.all(['sixth', 'seventh'].map((name) => cluster.createAccount(name)))
  const killer = killChildren(cutOff.process.child.pid!, 'media/child/inspect-main.ts')
  const tasks: { api: Api; id: string }[] = []
  try {
    await untilTrue(
      'the worker pauses',
      async () => {
        tasks.push(...(await Promise.all(accounts.map(async (api) => ({ api, id: await create(api, 0) })))))
        return isPaused(cutOff)
      },
      60_000,
    )
    assert.match(cutOff.process.output(), /the processes that open input files crash here for several accounts/)
    for (const { api, id } of tasks) await assertSuccess(api, [id])
  } finally {
    await killer.stop()
  }
  await untilTrue('the worker works again', async () => !(await isPaused(cutOff)), 60_000)
})

test('the last worker that lives takes up the work again, even if it fails', { timeout: 240_000 }, async () => {
  const accounts = await Promise.all(['fourth', 'fifth'].map((name) => cluster.createAccount(name)))
  await cutOff.cutOff()
  await untilTrue(
    'the worker pauses',
    async () => {
      await Promise.all(accounts.flatMap((api) => [create(api, 0), create(api, 1)]))
      return isPaused(cutOff)
    },
    60_000,
  )
  for (const other of others) await other.process.kill('SIGTERM')
  await untilTrue('the last worker works', async () => !(await isPaused(cutOff)), 60_000)
  await cutOff.connect()
  await assertSuccess(accounts[0]!, [await create(accounts[0]!, 0)])
})
