// Receivers that hang, ask for a longer wait or respond with too much; the cap on what may be pending; what an owner is
// shown.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { postsPerAddress } from '../../src/outbound/guarded-fetch.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { type Receiver, startReceiver } from '../support/network/receiver.ts'
import { taskBody } from '../support/service/api.ts'
import { untilDelivery } from '../support/service/deliveries.ts'
import { startService, type TestService } from '../support/service/service.ts'
import { untilTrue } from '../support/until.ts'

const createWithCallback = async (service: TestService, callBackUrl: string) => {
  const answer = await service.api.post('/api/v1/jobs/createTask', { ...taskBody(), callBackUrl })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.taskId as string
}

describe('a receiver that hangs', () => {
  let service: TestService
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver({
      '/no-status': (response) => void response.socket!.end('HTTP/1.1 000 Odd\r\ncontent-length: 0\r\n\r\n'),
      '/drip': (response) => void response.writeHead(200).write('x'),
      '/cut': (response) => void response.writeHead(200, { 'content-length': 9 }).write('x', () => response.destroy()),
    })
    service = await startService({ DAILIES_WEBHOOK_DELAYS: '50ms,100ms' }, { webhookAttemptMs: 400 })
  })
  after(async () => {
    await service?.stop()
    await receiver?.close()
  })

  test('is attempted exactly as often as any other, each attempt cut off in time', async () => {
    const taskId = await createWithCallback(service, `${receiver.origin}/hang`)
    const delivery = await untilDelivery(service.api, taskId, ['failed'])
    assert.equal(receiver.at('/hang').length, 3)
    assert.equal(delivery.attempts.length, 3)
    for (const attempt of delivery.attempts) {
      assert.equal(attempt.error, 'the server took too long')
      assert.ok(attempt.durationMs >= 390 && attempt.durationMs < 1400, `${attempt.durationMs} ms`)
    }
  })

  test('or responds with a status that does not exist is attempted as often', async () => {
    const taskId = await createWithCallback(service, `${receiver.origin}/no-status`)
    const delivery = await untilDelivery(service.api, taskId, ['failed'])
    assert.equal(delivery.attempts.length, 3)
    assert.equal(delivery.attempts[0].error, 'the connection broke, or the response was not valid HTTP')
  })

  test('with an endless response is cut off after 64 kB and counts as delivered', async () => {
    const taskId = await createWithCallback(service, `${receiver.origin}/large`)
    const delivery = await untilDelivery(service.api, taskId, ['delivered'])
    const row = await service.app.db.one<{ response: string }>(
      'select response from delivery_attempts where delivery_id = ?',
      [delivery.id],
    )
    assert.equal(row!.response, 'x'.repeat(1024))
  })

  test('or breaks off after its 2xx has received the callback, and gets it once', async () => {
    for (const path of ['/drip', '/cut']) {
      const taskId = await createWithCallback(service, receiver.origin + path)
      const delivery = await untilDelivery(service.api, taskId, ['delivered', 'failed'])
      assert.equal(delivery.state, 'delivered', path)
      assert.equal(delivery.attempts[0].status, 200)
      assert.equal(receiver.at(path).length, 1)
    }
  })
})

describe('a dead receiver', () => {
  test('slows no other of the same account', async () => {
    const receiver = await startReceiver()
    const dead = await startReceiver({ '/dead': () => {} })
    const service = await startService({ DAILIES_WEBHOOK_DELAYS: '1h' }, { webhookAttemptMs: 120_000 })
    try {
      await Promise.all(Array.from({ length: 40 }, () => createWithCallback(service, `${dead.origin}/dead`)))
      await dead.until((received) => received.length === 2, 60_000)
      await Promise.all(Array.from({ length: 20 }, () => createWithCallback(service, `${receiver.origin}/healthy`)))
      // An attempt at the dead one takes two minutes here: a callback that waited behind it could not be there yet.
      await receiver.until((received) => received.length === 20, 60_000)
      assert.equal(dead.received.length, 2, 'its share of the senders, and not one more')
    } finally {
      // Ends the attempts that hang, so that the service need not wait for them.
      await dead.close()
      await service.stop()
      await receiver.close()
    }
  })

  test('slows no other at its address, however many there are', async () => {
    const receiver = await startReceiver()
    const dead = await Promise.all(Array.from({ length: 40 }, () => startReceiver({ '/dead': () => {} })))
    const service = await startService({ DAILIES_WEBHOOK_DELAYS: '1h' }, { webhookAttemptMs: 120_000 })
    try {
      await createWithCallback(service, `${receiver.origin}/first`)
      await receiver.until((received) => received.length === 1)
      // Two for each: more than an account may send to one address at once.
      await Promise.all([...dead, ...dead].map(({ origin }) => createWithCallback(service, `${origin}/dead`)))
      const attempts = () => dead.reduce((sum, { received }) => sum + received.length, 0)
      await untilTrue('they hold all places that are theirs', () => attempts() >= postsPerAddress.unknown, 60_000)
      await Promise.all(Array.from({ length: 20 }, () => createWithCallback(service, `${receiver.origin}/healthy`)))
      await receiver.until((received) => received.length === 21, 60_000)
      assert.equal(attempts(), postsPerAddress.unknown)
    } finally {
      await Promise.all(dead.map((each) => each.close()))
      await service.stop()
      await receiver.close()
    }
  })

  test('of many at one address: a callback that waited for its turn has the time at which it is sent', async () => {
    const held: ServerResponse[] = []
    const hold = { '/held': (response: ServerResponse) => void held.push(response) }
    const receivers = await Promise.all(Array.from({ length: postsPerAddress.unknown + 1 }, () => startReceiver(hold)))
    let skewMs = 0
    const clock = { now: () => Date.now() + skewMs }
    const service = await startService({ DAILIES_WEBHOOK_DELAYS: '1h' }, { clock, webhookAttemptMs: 120_000 })
    try {
      const sendTest = ({ origin }: Receiver) => service.api.post('/api/v1/webhooks/test', { url: `${origin}/held` })
      const sent = await Promise.all(receivers.map(sendTest))
      const running = async () => {
        const { queues } = (await service.api.get('/api/v1/operator/status')).body.data
        return queues.find(({ queue }: { queue: string }) => queue === 'deliver')?.running
      }
      await untilTrue('one of them waits for its turn', async () => {
        return held.length === postsPerAddress.unknown && (await running()) === receivers.length
      })
      const last = receivers.findIndex(({ received }) => received.length === 0)
      skewMs = 60_000
      const turnMs = clock.now()
      held[0]!.end()
      await receivers[last]!.until((received) => received.length === 1)
      held.at(-1)!.end()
      const { id } = sent[last]!.body.data
      const attempts = async () => (await service.api.get(`/api/v1/webhooks/deliveries/${id}`)).body.data.attempts
      await untilTrue('the attempt is recorded', async () => (await attempts()).length === 1)
      assert.ok(Number(receivers[last]!.received[0]!.headers['webhook-timestamp']) >= Math.floor(turnMs / 1000))
      assert.ok((await attempts())[0].time >= turnMs)
    } finally {
      await Promise.all(receivers.map((each) => each.close()))
      await service.stop()
    }
  })
})

describe('Retry-After', () => {
  test('longer than planned is honoured', async () => {
    const receiver = await startReceiver({
      '/later': (response) => response.writeHead(503, { 'retry-after': '2' }).end(),
    })
    const service = await startService({ DAILIES_WEBHOOK_DELAYS: '50ms' })
    try {
      const taskId = await createWithCallback(service, `${receiver.origin}/later`)
      await untilDelivery(service.api, taskId, ['failed'])
      const [first, second] = receiver.received
      assert.ok(second!.atMs - first!.atMs >= 1990, `${second!.atMs - first!.atMs} ms`)
    } finally {
      await service.stop()
      await receiver.close()
    }
  })
})

describe('the cap on pending callbacks', () => {
  test('refuses what would be called back, and nothing else, and loses none', async () => {
    const receiver = await startReceiver()
    let broken = true
    const moody = await startReceiver({ '/moody': (response) => response.writeHead(broken ? 500 : 200).end() })
    const service = await startService({
      // Pending for 15 s: nothing may be given up before the cap was seen.
      DAILIES_WEBHOOK_DELAYS: Array(50).fill('300ms').join(','),
      DAILIES_OPEN_TASKS: '3',
    })
    try {
      const taskIds: string[] = []
      for (let i = 0; i < 3; i++) {
        taskIds.push(await createWithCallback(service, `${moody.origin}/moody`))
        await untilDelivery(service.api, taskIds[i]!, ['pending'])
      }
      const refused = await service.api.post('/api/v1/jobs/createTask', {
        ...taskBody(),
        callBackUrl: `${receiver.origin}/`,
      })
      assert.equal(refused.status, 429)
      assert.ok(refused.headers.get('retry-after'))
      const inference = { inputs: ['x'], webhook: `${receiver.origin}/` }
      const path = '/v1/inference/google/universal-sentence-encoder'
      assert.equal((await service.api.post(path, inference)).status, 429)
      const testEvent = await service.api.post('/api/v1/webhooks/test', { url: `${receiver.origin}/` })
      assert.equal(testEvent.status, 429)
      assert.ok(testEvent.headers.get('retry-after'))
      assert.equal((await service.api.post('/api/v1/jobs/createTask', taskBody())).status, 200)
      broken = false
      for (const taskId of taskIds) await untilDelivery(service.api, taskId, ['delivered'])
      await createWithCallback(service, `${receiver.origin}/again`)
      await receiver.until((received) => received.length === 1)
    } finally {
      await service.stop()
      await receiver.close()
      await moody.close()
    }
  })
})

describe('what an owner is shown', () => {
  test('responses are shown only where callbacks cannot reach private addresses', async () => {
    const service = await startService({ DAILIES_ALLOW_PRIVATE_NETWORK: 'false' })
    try {
      const taskId = await createWithCallback(service, 'http://127.0.0.1:9/x')
      const refused = await untilDelivery(service.api, taskId, ['failed'])
      assert.equal(refused.attempts[0].error, 'address not allowed')
      const answer = {
        id: 'a',
        delivery_id: refused.id,
        started_at: 1,
        duration_ms: 1,
        status: 200,
        error: null,
        response: 'public words',
      }
      await service.app.db.insert('delivery_attempts', [answer])
      const shown = await untilDelivery(service.api, taskId, ['failed'])
      assert.ok(shown.attempts.some((each: { answer: string | null }) => each.answer === 'public words'))
    } finally {
      await service.stop()
    }
  })

  test('old callbacks are purged with the records, pending ones never', async () => {
    const clock = createManualClock(Date.now())
    const receiver = await startReceiver()
    const service = await startService({ DAILIES_WEBHOOK_DELAYS: '1h', DAILIES_RECORD_TTL: '1d' }, { clock })
    try {
      const done = await createWithCallback(service, `${receiver.origin}/ok`)
      const pending = await createWithCallback(service, `${receiver.origin}/500`)
      await untilDelivery(service.api, done, ['delivered'])
      await receiver.until((received) => received.length === 2)
      clock.advance(86_400_001)
      await service.app.upkeep()
      const { items } = (await service.api.get('/api/v1/webhooks/deliveries')).body.data
      assert.deepEqual(
        items.map((item: { taskId: string }) => item.taskId),
        [pending],
      )
      const left = await service.app.db.one<{ count: number }>(
        'select count(*) as count from delivery_attempts where delivery_id not in (select id from deliveries)',
      )
      assert.equal(left!.count, 0)
    } finally {
      await service.stop()
      await receiver.close()
    }
  })
})
