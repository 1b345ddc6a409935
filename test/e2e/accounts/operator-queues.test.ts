// Queues as operators see and control them.
import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { startReceiver } from '../../support/network/receiver.ts'
import { taskBody } from '../../support/service/api.ts'
import { newCaller } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilTrue } from '../../support/until.ts'

const withinMs = 10_000

// One retry, so late that only an operator brings it about.
describeService('queues for operators', { env: { DAILIES_WEBHOOK_DELAYS: '1h' } }, (service) => {
  const path = '/api/v1/operator/queues'
  const read = async () => (await service().api.get(path)).body.data
  const queueOf = async (name: string) => (await read()).queues.find(({ queue }: { queue: string }) => queue === name)
  const act = (name: string, verb: string) => service().api.post(`${path}/${encodeURIComponent(name)}/${verb}`)
  const acts = async () => (await service().api.get('/api/v1/operator/audit?action=queue')).body.data.items

  test('shows every queue, the workers that serve it, and what happened lately', async () => {
    const succeeded = await service().api.createTask('a boat')
    const failed = await service().api.createTask('a boat script: fail')
    await service().api.until(succeeded, ['success'])
    await service().api.until(failed, ['fail'])
    const { queues, kinds, workers, disk, eventLoopLagMs, storage, throughput } = await read()
    assert.deepEqual(
      queues.map(({ queue, kind, paused }: Record<string, unknown>) => [queue, kind, paused]),
      ['deliver', 'deliver:large', 'deliver:later', 'generate:scripted', 'infer', 'prepare'].map((queue) => [
        queue,
        queue.split(':')[0],
        false,
      ]),
    )
    for (const state of queues) assert.equal(state.workers, 1, state.queue)
    assert.deepEqual(
      kinds.map(({ kind }: { kind: string }) => kind),
      ['deliver', 'generate', 'infer', 'prepare'],
    )
    assert.equal(workers.length, 1)
    assert.deepEqual([workers[0].host, workers[0].pid, workers[0].role], [hostname(), process.pid, 'server'])
    assert.match(workers[0].release, /^\d+\.\d+\.\d+/)
    assert.ok(Math.abs(workers[0].seenAt - Date.now()) < 20_000)
    assert.ok(disk.freeBytes > 0 && disk.freeBytes <= disk.totalBytes)
    assert.ok(eventLoopLagMs >= 0)
    assert.equal(storage, 'up')
    assert.equal(throughput.length, 60)
    const sum = (count: string) =>
      throughput.reduce((all: number, each: Record<string, number>) => all + each[count]!, 0)
    assert.deepEqual([sum('created'), sum('succeeded'), sum('failed')], [2, 1, 1])
  })

  test('a paused queue keeps its jobs until it is resumed', async () => {
    const receiver = await startReceiver()
    try {
      const paused = await act('deliver', 'pause')
      assert.deepEqual(paused.body.data, { queue: 'deliver', paused: true })
      const callBackUrl = `${receiver.origin}/ok`
      await service().api.post('/api/v1/jobs/createTask', { ...taskBody('a boat script: wait 500ms'), callBackUrl })
      await untilTrue('the callback waits', async () => (await queueOf('deliver')).waiting === 1, withinMs)
      assert.equal((await queueOf('deliver')).paused, true)
      // Work on other queues goes on, and this one still waits.
      const other = await service().api.createTask('a boat')
      await service().api.until(other, ['success'])
      const { waiting, running } = await queueOf('deliver')
      assert.deepEqual([waiting, running, receiver.received.length], [1, 0, 0])
      assert.deepEqual((await act('deliver', 'resume')).body.data, { queue: 'deliver', paused: false })
      await receiver.until((received) => received.length === 1)
      await untilTrue('the queue is empty', async () => (await queueOf('deliver')).waiting === 0, withinMs)
    } finally {
      await act('deliver', 'resume')
      await receiver.close()
    }
    const [resumed, , pause] = await acts()
    assert.deepEqual([pause.action, pause.target, pause.after], ['queue.pause', 'deliver', { paused: true }])
    assert.equal(resumed.action, 'queue.resume')
  })

  test('jobs that wait for a later time are retried now', async () => {
    let status = 500
    const answer = (response: import('node:http').ServerResponse) => response.writeHead(status).end()
    const receiver = await startReceiver({ '/mended': answer })
    try {
      const callBackUrl = `${receiver.origin}/mended`
      await service().api.post('/api/v1/jobs/createTask', { ...taskBody('a boat'), callBackUrl })
      await untilTrue('the retry waits', async () => (await queueOf('deliver:later')).later === 1, withinMs)
      status = 200
      const retried = await act('deliver:later', 'retry')
      assert.deepEqual(retried.body.data, { queue: 'deliver:later', retried: 1 })
      await receiver.until((received) => received.length === 2)
      const [entry] = await acts()
      assert.deepEqual([entry.action, entry.target, entry.after], ['queue.retry', 'deliver:later', { retried: 1 }])
      await untilTrue('it is settled', async () => (await queueOf('deliver:later')).running === 0, withinMs)
      assert.equal((await act('deliver:later', 'retry')).body.data.retried, 0)
    } finally {
      await receiver.close()
    }
  })

  test('an unknown queue is 404, and so is everything for other keys', async () => {
    for (const verb of ['pause', 'resume', 'retry']) {
      const answer = await act('generate:nothing', verb)
      assert.equal(answer.status, 404, verb)
      assert.match(answer.body.msg, /no queue/)
    }
    const ada = await newCaller(service(), 1000)
    assert.equal((await ada.api.get(path)).status, 404)
    for (const verb of ['pause', 'resume', 'retry'])
      assert.equal((await ada.api.post(`${path}/deliver/${verb}`)).status, 404)
    assert.equal((await queueOf('deliver')).paused, false)
  })
})
