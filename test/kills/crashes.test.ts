// kill -9 of the process, five times in a row: four crashes fail nothing, and the fifth ends what is always in progress.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../src/config.ts'
import type { Db } from '../../src/db/db.ts'
import { openDatabase } from '../../src/db/open.ts'
import { crashesMax } from '../../src/queue/queue.ts'
import { startBadServer } from '../support/network/bad-server.ts'
import { startReceiver } from '../support/network/receiver.ts'
import { places } from '../support/places/places.ts'
import { taskBody } from '../support/service/api.ts'
import { type ServiceProcess, startProcess } from '../support/service/process.ts'
import { untilTrue } from '../support/until.ts'

/** What crashed four times in a row waits for up to a minute before it starts again. */
const withinMs = 100_000
/** Far longer than a restart, so that it is in progress at every kill but the last. */
const outlivesKills = 'a boat script: wait 10s'
const neverEnds = 'a boat script: stall'
/** It takes minutes to compute. */
const longTexts = Array.from({ length: 256 }, (_, i) => `${i} ${'the boats sail past the harbour at dawn '.repeat(90)}`)

/** What crashed together starts apart, up to a minute later: an operator does not wait for that. */
async function retryQueues({ api }: ServiceProcess): Promise<void> {
  const { queues } = (await api.get('/api/v1/operator/queues')).body.data
  for (const { queue, later } of queues as { queue: string; later: number }[]) {
    if (later > 0) await api.post(`/api/v1/operator/queues/${encodeURIComponent(queue)}/retry`)
  }
}

/** Kills the service once none of these is missing. */
async function killWhen(service: ServiceProcess, env: Record<string, string>, missing: () => Promise<string[]>) {
  let last: string[] = []
  const areRunning = async () => {
    await retryQueues(service)
    last = await missing()
    return last.length === 0
  }
  await untilTrue('everything is in progress', areRunning, withinMs).catch((error) => {
    throw new Error(`not in progress: ${last.join(', ')}`, { cause: error })
  })
  await service.kill('SIGKILL')
  return startProcess(env)
}

async function withDatabase<T>(env: Record<string, string>, read: (db: Db) => Promise<T>): Promise<T> {
  const db = await openDatabase(loadConfig(env))
  return read(db).finally(() => db.close())
}

async function isRunning(env: Record<string, string>, subject: string): Promise<boolean> {
  const row = await withDatabase(env, (db) =>
    db.one<{ worker: string | null }>('select worker from jobs where subject = ?', [subject]),
  )
  return row !== undefined && row.worker !== null
}

// Every job is taken back at a start here; on PostgreSQL it would be waited for.
const [{ create }] = places

test('crashes fail no task, callback or request until five in a row', { timeout: 480_000 }, async () => {
  const place = await create()
  // Everything has to be in progress at each kill.
  const env = { ...place.env, DAILIES_RENDER_SLOTS: '4', TEST_TOGETHER: '1' }
  const receiver = await startReceiver()
  let service = await startProcess(env)
  try {
    const survivor = await service.api.createTask(outlivesKills)
    const endless = await service.api.createTask(neverEnds)
    const callBackUrl = `${receiver.origin}/hang`
    const called = (await service.api.post('/api/v1/jobs/createTask', { ...taskBody('a boat'), callBackUrl })).body.data
    const webhook = `${receiver.origin}/ok`
    const embeddings = await service.api.post('/v1/inference/google/universal-sentence-encoder', {
      inputs: longTexts,
      webhook,
    })
    const requestId = embeddings.body.request_id
    assert.equal(embeddings.status, 200, embeddings.text)
    const isGenerating = async (id: string) => (await service.api.record(id)).state === 'generating'
    for (let crashes = 1; crashes <= crashesMax; crashes++) {
      if (crashes === crashesMax) await service.api.until(survivor, ['success', 'fail'], withinMs)
      service = await killWhen(service, env, async () => {
        const isInProgress = {
          'the task that survives': crashes === crashesMax || (await isGenerating(survivor)),
          'the endless task': await isGenerating(endless),
          'the callback': receiver.at('/hang').length >= crashes,
          'the embeddings': await isRunning(env, requestId),
        }
        return Object.entries(isInProgress).flatMap(([what, isSo]) => (isSo ? [] : [what]))
      })
    }

    assert.equal((await service.api.record(survivor)).state, 'success')
    const { items } = (await service.api.get(`/api/v1/jobs/timeline?taskId=${survivor}`)).body.data
    const crashed = items.filter(({ note }: { note: string | null }) => note?.includes('worker_crashed'))
    assert.equal(crashed.length, crashesMax - 1)

    await service.api.until(endless, ['fail'], withinMs)
    const { failCode, failReason, failMsg } = await service.api.record(endless)
    assert.deepEqual([failCode, failReason], ['500', 'internal'])
    assert.match(String(failMsg), /crashed during 5 attempts in a row/)

    const deliveries = async () =>
      (await service.api.get(`/api/v1/webhooks/deliveries?taskId=${called.taskId}`)).body.data.items
    await untilTrue('the callback was given up', async () => (await deliveries())[0].state === 'failed', withinMs)
    const errors = (await deliveries())[0].attempts.map(({ error }: { error: string }) => error)
    assert.equal(errors.filter((error: string) => /interrupted/.test(error)).length, crashesMax)
    assert.match(errors.at(-1), /crashed during 5 attempts in a row/)

    await receiver.until(() => receiver.at('/ok').length > 0, withinMs)
    assert.equal(receiver.at('/ok')[0]!.body.inference_status.status, 'failed')
    const outcomes = await withDatabase(env, (db) =>
      db.all<{ outcome: string }>('select outcome from task_attempts where task_id = ? order by number', [endless]),
    )
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      Array.from({ length: crashesMax }, () => 'worker_crashed'),
    )
  } finally {
    await service.kill('SIGKILL')
    await receiver.close()
    await place.stop()
  }
})

test('crashes while input files are fetched fail no task until five in a row', { timeout: 300_000 }, async () => {
  const place = await create()
  const images = await startBadServer()
  const env = { ...place.env, TEST_ENGINE: '', DAILIES_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
  let service = await startProcess(env)
  try {
    const taskId = await service.api.createTask('a boat', { image_url: `${images.origin}/hang` })
    for (let crashes = 1; crashes <= crashesMax; crashes++) {
      service = await killWhen(service, env, async () => {
        const { state } = await service.api.record(taskId)
        assert.equal(state, 'wait')
        return (await isRunning(env, taskId)) ? [] : ['the input files']
      })
    }
    await service.api.until(taskId, ['fail'], withinMs)
    const { failCode, failMsg } = await service.api.record(taskId)
    assert.equal(failCode, '500')
    assert.match(String(failMsg), /crashed 5 times in a row while it prepared the input files/)
  } finally {
    await service.kill('SIGKILL')
    await images.close()
    await place.stop()
  }
})
