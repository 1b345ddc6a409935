// Looking closely at callbacks: payload, headers and responses, test events, finding by URL, sending many again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Param } from '../../src/db/db.ts'
import { scannedMax } from '../../src/db/where-clause.ts'
import { newId } from '../../src/platform/ids.ts'
import { type Receiver, startReceiver } from '../support/network/receiver.ts'
import { taskBody } from '../support/service/api.ts'
import { newCaller } from '../support/service/callers.ts'
import { describeService } from '../support/service/suite.ts'
import { untilTrue } from '../support/until.ts'

describeService('callbacks under inspection', { env: { DAILIES_WEBHOOK_DELAYS: '10ms' } }, (service) => {
  let receiver: Receiver
  let broken = true
  before(async () => {
    receiver = await startReceiver({
      '/flaky': (response) =>
        response
          .writeHead(broken ? 500 : 204, { 'x-why': 'because', 'x-long': 'y'.repeat(5000) })
          .end(broken ? 'no' : ''),
    })
  })
  after(() => receiver?.close())

  const deliveries = async (query = '') =>
    (await service().api.get(`/api/v1/webhooks/deliveries?limit=100${query}`)).body.data
  const ended = (state: string, count: number, url: string) =>
    untilTrue(
      `${count} ${state}`,
      async () => (await deliveries(`&state=${state}&url=${url}`)).items.length === count,
      15_000,
    )

  test('a test event is signed, listed as one, and shows what was sent and received', async () => {
    const { id, state } = (await service().api.post('/api/v1/webhooks/test', { url: `${receiver.origin}/ok` })).body
      .data
    assert.equal(state, 'pending')
    await ended('delivered', 1, '/ok')
    const [received] = receiver.at('/ok')
    const { secret } = (await service().api.get('/api/v1/webhooks/secret')).body.data
    new Webhook(secret).verify(received!.raw, received!.headers)
    assert.equal(received!.body.data.state, 'success')
    const read = (await service().api.get(`/api/v1/webhooks/deliveries/${id}`)).body.data
    assert.equal(read.kind, 'test')
    assert.equal(read.body, received!.raw)
    assert.equal(read.attempts[0].requestHeaders['webhook-signature'], received!.headers['webhook-signature'])
    assert.equal(read.attempts[0].answer, 'thanks')
    assert.ok(read.attempts[0].responseHeaders.date)
    assert.equal((await service().api.post('/api/v1/webhooks/test', { url: 'ftp://x' })).status, 422)
  })

  test('a page reads a bounded number of callbacks, its cursor leads to what is further back, and a task to its own', async () => {
    const { api } = await newCaller(service(), 10)
    const { db } = service().app
    const { id } = (await api.post('/api/v1/webhooks/test', { url: `${receiver.origin}/bounded` })).body.data
    const path = '/api/v1/webhooks/deliveries?state=delivered'
    const delivered = () => db.one('select id from deliveries where id = ? and state = ?', [id, 'delivered'])
    await untilTrue('delivered', async () => (await delivered()) !== undefined)
    const row = (await db.one<Record<string, Param>>('select * from deliveries where id = ?', [id]))!
    const copies = Array.from({ length: scannedMax + 10 }, () => {
      const newer = newId(Date.now())
      return { ...row, id: newer, subject: newer, state: 'failed' }
    })
    await db.insert('deliveries', copies)
    const first = (await api.get(path)).body.data
    assert.deepEqual(first.items, [])
    const second = (await api.get(`${path}&cursor=${first.nextCursor}`)).body.data
    assert.deepEqual([second.items.map((item: { id: string }) => item.id), second.nextCursor], [[id], null])
    const ofTask = `/api/v1/webhooks/deliveries?taskId=${row.subject}`
    const found = (await api.get(ofTask)).body.data
    assert.deepEqual([found.items.map((item: { id: string }) => item.id), found.nextCursor], [[id], null])
    assert.deepEqual((await service().api.get(ofTask)).body.data.items, [], "another account's")
  })

  test('a page is at most 1 MiB, and its cursor leads on', async () => {
    const { api } = await newCaller(service(), 10)
    const send = async () =>
      (await api.post('/api/v1/webhooks/test', { url: `${receiver.origin}/large` })).body.data.id as string
    const ids = [await send(), await send(), await send()].toReversed()
    for (const delivery_id of ids) {
      const attempt = { delivery_id, started_at: 0, duration_ms: 1, status: 500, error: 'x'.repeat(1000) }
      const attempts = Array.from({ length: 450 }, () => ({ id: newId(0), ...attempt }))
      await service().app.db.transaction((tx) => tx.insert('delivery_attempts', attempts))
    }
    const listed: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await api.get(`/api/v1/webhooks/deliveries?limit=100${cursor && `&cursor=${cursor}`}`)
      assert.ok(page.text.length < 2 ** 20 + 1000, `${page.text.length}`)
      listed.push(...page.body.data.items.map((item: { id: string }) => item.id))
      cursor = page.body.data.nextCursor
    }
    assert.deepEqual(listed, ids)
  })

  test('what failed is found by URL, shows bounded headers, and is sent again as a whole', async () => {
    for (let count = 0; count < 3; count++) {
      const body = { ...taskBody(`${count} script: wait 5ms`), callBackUrl: `${receiver.origin}/flaky` }
      assert.equal((await service().api.post('/api/v1/jobs/createTask', body)).status, 200)
    }
    await ended('failed', 3, '/FLAKY')
    const { items } = await deliveries('&url=/flaky')
    const read = (await service().api.get(`/api/v1/webhooks/deliveries/${items[0].id}`)).body.data
    assert.equal(read.attempts.length, 2)
    assert.equal(read.attempts[0].responseHeaders['x-why'], 'because')
    assert.ok(JSON.stringify(read.attempts[0].responseHeaders).length < 5000)
    assert.equal(read.attempts[0].answer, 'no')

    broken = false
    const resend = (body: object) => service().api.post('/api/v1/webhooks/deliveries/resend', body)
    assert.equal((await resend({})).status, 422)
    assert.equal((await resend({ ids: ['x'], failedSince: 0 })).status, 422)
    assert.deepEqual((await resend({ failedSince: Date.now() + 60_000 })).body.data, { resent: 0, more: false })
    assert.deepEqual((await resend({ failedSince: 0, url: '/nowhere' })).body.data, { resent: 0, more: false })
    assert.deepEqual((await resend({ ids: [items[0].id, 'nonsense'] })).body.data, { resent: 1, more: false })
    await ended('delivered', 1, '/flaky')
    assert.deepEqual((await resend({ failedSince: 0, url: '/flaky' })).body.data, { resent: 2, more: false })
    await ended('delivered', 3, '/flaky')
  })

  test('callbacks that were sent again too often do not keep others from it', async () => {
    const { db } = service().app
    const [{ id }] = (await deliveries('&url=/flaky')).items
    const row = (await db.one<Record<string, Param>>('select * from deliveries where id = ?', [id]))!
    const usedUp = {
      ...row,
      callback_url: `${receiver.origin}/used-up`,
      state: 'failed',
      ended_at: Date.now(),
      resends: 25,
    }
    await db.transaction((tx) =>
      tx.insert(
        'deliveries',
        Array.from({ length: 1001 }, () => ({ ...usedUp, id: newId(Date.now()), subject: newId(Date.now()) })),
      ),
    )
    const { data } = (await service().api.post('/api/v1/webhooks/deliveries/resend', { failedSince: 0 })).body
    assert.deepEqual(data, { resent: 0, more: false })
  })

  test('another account and sub-keys see none of it, and only operators see responses of private addresses', async () => {
    const [{ id }] = (await deliveries()).items
    const { key } = (await service().api.post('/api/v1/keys', { name: 'sub' })).body.data
    const sub = service().as(key)
    assert.equal((await sub.get(`/api/v1/webhooks/deliveries/${id}`)).status, 404)
    assert.equal((await sub.post('/api/v1/webhooks/deliveries/resend', { ids: [id] })).status, 404)
    assert.equal((await sub.post('/api/v1/webhooks/test', { url: receiver.origin })).status, 404)
    assert.equal((await service().api.get('/api/v1/webhooks/deliveries/nonsense')).status, 404)

    const { api: other } = await newCaller(service(), 1000)
    assert.equal((await other.get(`/api/v1/webhooks/deliveries/${id}`)).status, 404)
    assert.equal((await other.post('/api/v1/webhooks/deliveries/resend', { ids: [id] })).body.data.resent, 0)
    const sent = (await other.post('/api/v1/webhooks/test', { url: `${receiver.origin}/other` })).body.data
    await receiver.until(() => receiver.at('/other').length > 0)
    const read = async () => (await other.get(`/api/v1/webhooks/deliveries/${sent.id}`)).body.data
    await untilTrue('the attempt is recorded', async () => (await read()).attempts.length > 0)
    const [attempt] = (await read()).attempts
    assert.deepEqual([attempt.status, attempt.answer, attempt.responseHeaders], [200, null, null], 'not an operator')
  })
})
