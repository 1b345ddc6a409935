// What one process does is seen by the others on the same PostgreSQL: progress, ends, cancels, rates.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAccount } from '../../../src/accounts/accounts.ts'
import { createKey } from '../../../src/accounts/keys/keys.ts'
import { startReceiver } from '../../support/network/receiver.ts'
import { plainBox } from '../../support/plain-box.ts'
import { type Answer, readEvents, variantA } from '../../support/service/api.ts'
import { type Cluster, startCluster } from '../../support/service/cluster.ts'
import { testKey } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'

describe('a cluster', () => {
  let cluster: Cluster
  before(async () => {
    cluster = await startCluster({ servers: 2, workers: 2, env: { DAILIES_ALLOW_PRIVATE_NETWORK: 'true' } })
  })
  after(() => cluster.stop())
  const server = (i: number) => cluster.servers[i]!

  test('a reader on one server sees what a worker elsewhere does to a task of the other', async () => {
    const steps = [10, 20, 30, 40, 50, 60, 70, 80, 90].map((percent) => `progress ${percent}, wait 200ms`).join(', ')
    const startedAt = performance.now()
    const taskId = await server(0).api.createTask(`a boat script: wait 300ms, ${steps}`)
    const response = await fetch(`${server(1).url}/api/v1/jobs/events?taskId=${taskId}`, {
      headers: { authorization: `Bearer ${testKey}` },
    })
    const seen: { event: string; state: unknown; progress: unknown }[] = []
    for await (const { event, data } of readEvents(response)) {
      seen.push({ event, state: data.state, progress: data.progress })
    }
    const seconds = (performance.now() - startedAt) / 1000
    assert.equal(seen.at(-1)!.event, 'end')
    assert.equal(seen.at(-1)!.state, 'success')
    const progress = seen.filter(({ event }) => event === 'progress')
    assert.ok(progress.length >= 2, JSON.stringify(seen))
    assert.ok(progress.length <= 2 * seconds + 1, `${progress.length} updates in ${seconds} s`)
  })

  test('a cancel on one server stops the worker elsewhere within a second', async () => {
    // As many as the workers have slots, and one more that waits for a free one.
    const create = () => server(0).api.createTask('a boat script: stall')
    const running = await Promise.all(Array.from({ length: 8 }, create))
    for (const taskId of running) await server(1).api.until(taskId, ['generating'])
    const next = await create()
    await server(0).api.until(next, ['queueing'])
    const cancel = (taskId: string) => server(1).api.post('/api/v1/jobs/cancelTask', { taskId })
    const canceledAt = performance.now()
    const answer = await cancel(running[0]!)
    assert.equal(answer.status, 200, answer.text)
    await server(0).api.until(next, ['generating'])
    assert.ok(performance.now() - canceledAt < 1000, 'it took a second or more')
    for (const taskId of [...running.slice(1), next]) await cancel(taskId)
  })

  test('a client that waits for inference gets its response when a worker elsewhere has ended it', async () => {
    const input = { prompt: 'a boat script: wait 100ms', image_url: 'http://127.0.0.1:9/a.png' }
    const answer = await server(0).api.post(`/v1/inference/${variantA}`, { input })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.inference_status.status, 'succeeded', answer.text)
  })

  test('a callback is sent by a worker, and names the URL of the service', async () => {
    const receiver = await startReceiver()
    const input = { prompt: 'a boat', image_url: 'http://127.0.0.1:9/a.png' }
    const body = { model: variantA, callBackUrl: `${receiver.origin}/hook`, input }
    const answer = await server(1).api.post('/api/v1/jobs/createTask', body)
    assert.equal(answer.status, 200, answer.text)
    await receiver.until((received) => received.length > 0)
    assert.match(receiver.received[0]!.raw, new RegExp(answer.body.data.taskId))
    assert.match(receiver.received[0]!.raw, /http:\/\/127\.0\.0\.1:1\/files\//)
    await receiver.close()
  })

  const keyWithRate = (rate: string) =>
    server(0).app.db.transaction(async (tx) => {
      const account = await createAccount(tx, `rated ${rate}`, 0, Date.now(), plainBox)
      return (await createKey(tx, { accountId: account.id, name: 'rated', rate }, Date.now())).key
    })

  test('a rate is never exceeded, however requests are spread, and all of it can be used', async () => {
    for (const [rate, limit] of [
      ['7/1h', 7],
      ['100/1h', 100],
    ] as const) {
      const key = await keyWithRate(rate)
      const answers: Answer[] = await Promise.all(
        Array.from({ length: 3 * limit }, (_, i) =>
          server(i % 2)
            .as(key)
            .get('/api/v1/account/credit'),
        ),
      )
      // A client that was refused while a block was on its way asks again; at some point all of the rate is used.
      const allowed = () => answers.filter(({ status }) => status === 200).length
      await untilTrue('all of the rate is used', async () => {
        for (const i of [0, 1]) answers.push(await server(i).as(key).get('/api/v1/account/credit'))
        return allowed() >= limit
      })
      for (const i of [0, 1, 0, 1]) answers.push(await server(i).as(key).get('/api/v1/account/credit'))
      assert.equal(allowed(), limit)
      assert.ok(answers.every(({ status }) => status === 200 || status === 429))
      assert.match(answers.at(-1)!.headers.get('ratelimit')!, /r=0/)
    }
  })

  test('what one server does not use of a rate, the other can', async () => {
    const key = await keyWithRate('4/1s')
    const get = (i: number) => server(i).as(key).get('/api/v1/account/credit')
    for (let i = 0; i < 4; i++) assert.equal((await get(0)).status, 200)
    // The window passes and the first server has no use for its share any more: the other serves all of the rate.
    let inARow = 0
    await untilTrue(
      'the other server serves the whole rate',
      async () => {
        const { status } = await get(1)
        inARow = status === 200 ? inARow + 1 : 0
        return inARow >= 4
      },
      15_000,
    )
  })
})
