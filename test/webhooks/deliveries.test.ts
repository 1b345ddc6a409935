// Callbacks end to end: real receivers, real signatures, every way a receiver can fail, on every database.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { type Receiver, startReceiver } from '../support/network/receiver.ts'
import { places, type TestPlace } from '../support/places/places.ts'
import { taskBody } from '../support/service/api.ts'
import { untilDelivery } from '../support/service/deliveries.ts'
import { startService, type TestService } from '../support/service/service.ts'

const delays = [200, 400]

for (const { name, create } of places) {
  describe(`callbacks on ${name}`, () => {
    let place: TestPlace
    let service: TestService
    let receiver: Receiver
    before(async () => {
      place = await create()
      receiver = await startReceiver()
      service = await startService({
        ...place.env,
        DAILIES_WEBHOOK_DELAYS: delays.map((ms) => `${ms}ms`).join(','),
        DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32',
      })
    })
    after(async () => {
      await service?.stop()
      await receiver?.close()
      await place?.stop()
    })

    const createWithCallback = async (callBackUrl: string, prompt = 'a boat') => {
      const answer = await service.api.post('/api/v1/jobs/createTask', { ...taskBody(prompt), callBackUrl })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.data.taskId as string
    }
    const secret = async () => (await service.api.get('/api/v1/webhooks/secret')).body.data.secret as string

    test('the callback of a finished task is sent once, signed, with the unified record', async () => {
      const taskId = await createWithCallback(`${receiver.origin}/ok?finished`)
      const delivery = await untilDelivery(service.api, taskId, ['delivered'])
      const [callback, ...more] = receiver.at('/ok?finished')
      assert.equal(more.length, 0)
      assert.equal(callback!.headers['webhook-id'], delivery.id)
      assert.equal(callback!.headers['content-type'], 'application/json')
      assert.deepEqual(new Webhook(await secret()).verify(callback!.raw, callback!.headers), callback!.body)
      assert.equal(callback!.body.code, 200)
      assert.equal(callback!.body.msg, 'success')
      assert.deepEqual(callback!.body.data, await service.api.record(taskId))
      assert.equal(delivery.attempts.length, 1)
      assert.equal(delivery.attempts[0].status, 200)
      assert.equal(delivery.attempts[0].answer, 'thanks', 'operators see responses of private targets too')
      assert.equal(delivery.nextTryTime, null)
    })

    test('the callback of a failed task has its code and message', async () => {
      await createWithCallback(`${receiver.origin}/ok?failed`, 'a boat script: fail no luck')
      await receiver.until(() => receiver.at('/ok?failed').length > 0)
      const { body } = receiver.at('/ok?failed')[0]!
      assert.equal(body.code, 501)
      assert.equal(body.msg, 'no luck')
      assert.equal(body.data.state, 'fail')
      assert.equal(body.data.failReason, 'engine_failed')
    })

    for (const way of ['500', '404', '301', 'reset']) {
      test(`${way} is attempted exactly ${delays.length + 1} times with the right gaps and one id`, async () => {
        const taskId = await createWithCallback(`${receiver.origin}/${way}`)
        const delivery = await untilDelivery(service.api, taskId, ['failed'])
        const tries = receiver.at(`/${way}`)
        assert.equal(tries.length, delays.length + 1)
        assert.deepEqual(new Set(tries.map((each) => each.headers['webhook-id'])), new Set([delivery.id]))
        const verifier = new Webhook(await secret())
        for (const each of tries) verifier.verify(each.raw, each.headers)
        delays.forEach((delay, i) => {
          const gapMs = tries[i + 1]!.atMs - tries[i]!.atMs
          assert.ok(gapMs >= delay * 0.9 - 5 && gapMs < delay * 1.1 + 1500, `gap ${i} was ${gapMs} ms`)
        })
        assert.equal(delivery.attempts.length, delays.length + 1)
        assert.equal(delivery.tries, delays.length + 1)
        for (const attempt of delivery.attempts) {
          assert.equal(attempt.status, way === 'reset' ? null : Number(way))
          assert.ok(attempt.error)
        }
        assert.equal(receiver.at('/elsewhere').length, 0)
      })
    }

    test('a refused connection is retried as often', async () => {
      const gone = await startReceiver()
      await gone.close()
      const taskId = await createWithCallback(`${gone.origin}/nobody`)
      const delivery = await untilDelivery(service.api, taskId, ['failed'])
      assert.equal(delivery.attempts.length, delays.length + 1)
      assert.ok(delivery.attempts.every((each: { error: string }) => each.error === 'the server could not be reached'))
    })

    test('an address that is not allowed fails at once, with a short message', async () => {
      for (const url of [
        'http://10.0.0.1/x',
        'http://169.254.169.254/latest',
        'http://[::1]:1/x',
        'http://127.1.1.1/',
      ]) {
        const taskId = await createWithCallback(url)
        const delivery = await untilDelivery(service.api, taskId, ['failed'])
        assert.deepEqual(
          delivery.attempts.map(({ status, error }: { status: number | null; error: string }) => ({ status, error })),
          [{ status: null, error: 'address not allowed' }],
        )
      }
    })

    test('an exhausted callback is listed and can be sent again under the same id', async () => {
      let broken = true
      const moody = await startReceiver({
        '/moody': (response) => response.writeHead(broken ? 503 : 204).end(),
      })
      try {
        const taskId = await createWithCallback(`${moody.origin}/moody`)
        const failed = await untilDelivery(service.api, taskId, ['failed'])
        const listed = await service.api.get('/api/v1/webhooks/deliveries?state=failed&limit=100')
        assert.ok(listed.body.data.items.some((item: { id: string }) => item.id === failed.id))
        broken = false
        const resent = await service.api.post(`/api/v1/webhooks/deliveries/${failed.id}/resend`)
        assert.deepEqual(resent.body.data, { id: failed.id, state: 'pending' })
        const delivered = await untilDelivery(service.api, taskId, ['delivered'])
        assert.equal(delivered.attempts.length, delays.length + 2)
        assert.equal(delivered.tries, 1)
        assert.equal(new Set(moody.received.map((each) => each.headers['webhook-id'])).size, 1)
        assert.equal(new Set(moody.received.map((each) => each.raw)).size, 1)
      } finally {
        await moody.close()
      }
      const unknown = await service.api.post('/api/v1/webhooks/deliveries/nope/resend')
      assert.equal(unknown.status, 404)
    })

    test('after a rotation both secrets verify', async () => {
      const before = await secret()
      const rotated = (await service.api.post('/api/v1/webhooks/secret/rotate')).body.data
      assert.notEqual(rotated.secret, before)
      assert.ok(rotated.previousUntil > Date.now())
      await createWithCallback(`${receiver.origin}/ok?rotated`)
      await receiver.until(() => receiver.at('/ok?rotated').length > 0)
      const callback = receiver.at('/ok?rotated')[0]!
      assert.equal(callback.headers['webhook-signature']!.split(' ').length, 2)
      for (const each of [before, rotated.secret]) new Webhook(each).verify(callback.raw, callback.headers)
      const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
      assert.throws(() => new Webhook(other).verify(callback.raw, callback.headers))
    })

    test('pages go from the newest to the oldest', async () => {
      const seen: string[] = []
      let cursor = ''
      do {
        const query: string = `limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`
        const { data } = (await service.api.get(`/api/v1/webhooks/deliveries?${query}`)).body
        seen.push(...data.items.map((item: { id: string }) => item.id))
        cursor = data.nextCursor ?? ''
      } while (cursor !== '')
      assert.ok(seen.length > 6)
      assert.deepEqual(seen, seen.toSorted().reverse())
    })

    test('a sub-key sees neither deliveries nor secret', async () => {
      const { key } = (await service.api.post('/api/v1/keys', { name: 'sub' })).body.data
      const sub = service.as(key)
      for (const path of ['deliveries', 'secret', 'listen']) {
        assert.equal((await sub.get(`/api/v1/webhooks/${path}`)).status, 404)
      }
    })
  })
}
