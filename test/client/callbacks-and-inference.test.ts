// Callbacks and inference through the client, against a real service and a real receiver.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  Dailies,
  type Delivery,
  InvalidRequest,
  NotFound,
  turboModel,
  verifyWebhook,
  WebhookNotVerified,
} from '../../client/src/public.ts'
import { type Receiver, startReceiver } from '../support/network/receiver.ts'
import { untilDelivery } from '../support/service/deliveries.ts'
import { startService, type TestService, testKey } from '../support/service/service.ts'
import { startStandIn } from './support/stand-in.ts'

let service: TestService
let client: Dailies
let receiver: Receiver
let isBroken = false

before(async () => {
  receiver = await startReceiver({ '/task': (response) => response.writeHead(isBroken ? 500 : 204).end() })
  service = await startService({ DAILIES_WEBHOOK_DELAYS: '50ms' })
  client = new Dailies({ baseUrl: service.url, apiKey: testKey })
})
after(async () => {
  await service?.stop()
  await receiver?.close()
})

test('a callback is verified, listed, and sent again on demand', async () => {
  const { secret } = await client.webhooks.secret()
  isBroken = true
  const taskId = await client.createTask({
    model: turboModel,
    input: { prompt: 'a boat', image_url: 'http://127.0.0.1:9/a.png' },
    callBackUrl: `${receiver.origin}/task`,
  })
  const failed: Delivery = await untilDelivery(service.api, taskId, ['failed'])
  const { id } = failed
  const [first] = receiver.at('/task')
  const payload = await verifyWebhook(secret, first!.headers, first!.raw)
  assert.ok('data' in payload)
  assert.deepEqual(payload.data, await client.getTask(taskId))
  assert.equal(first!.headers['webhook-id'], id)
  assert.equal(failed.taskId, taskId)
  assert.deepEqual(
    failed.attempts.map((attempt) => attempt.status),
    [500, 500],
  )
  const inState = async (state: Delivery['state']) =>
    (await Array.fromAsync(client.webhooks.deliveries({ state, limit: 1 }))).map((delivery) => delivery.id)
  assert.deepEqual(await inState('failed'), [id])

  isBroken = false
  assert.equal((await client.webhooks.resend(id)).id, id)
  await untilDelivery(service.api, taskId, ['delivered'])
  assert.equal(receiver.at('/task').at(-1)!.headers['webhook-id'], id)
  assert.deepEqual(await inState('delivered'), [id])
  await assert.rejects(client.webhooks.resend('none/such'), NotFound)
})

test('after a rotation callbacks are signed with both secrets', async () => {
  const before = await client.webhooks.secret()
  const rotated = await client.webhooks.rotateSecret()
  assert.notEqual(rotated.secret, before.secret)
  assert.ok(rotated.previousUntil! > Date.now())
  assert.deepEqual(await client.webhooks.secret(), rotated)
  const webhook = `${receiver.origin}/embeddings`
  const answer = await client.infer('google/universal-sentence-encoder', { inputs: ['a boat'], webhook })
  assert.equal(answer.status, 'queued')
  await receiver.until(() => receiver.at('/embeddings').length > 0)
  const { headers, raw } = receiver.at('/embeddings')[0]!
  for (const { secret } of [before, rotated]) {
    const payload = await verifyWebhook(secret, headers, raw)
    assert.ok('request_id' in payload)
    assert.equal(payload.request_id, answer.request_id)
  }
  await assert.rejects(verifyWebhook('whsec_AAAA', headers, raw), WebhookNotVerified)
})

test('inference waits for its results and can be read again', async () => {
  const inputs = ['a sailing boat', 'a ship at sea']
  const idempotencyKey = 'embed-1'
  const answer = await client.infer('google/universal-sentence-encoder', { inputs }, { idempotencyKey })
  assert.equal(answer.inference_status.status, 'succeeded')
  // The type of the results follows from that of the body.
  const vectors: number[][] = answer.results!.embeddings
  assert.deepEqual(
    vectors.map((vector) => vector.length),
    [512, 512],
  )
  // Only the synchronous response has the vectors at its top level too.
  const read = await client.getInference(answer.request_id)
  assert.deepEqual({ ...answer, ...read }, answer)
  assert.deepEqual(read.results, answer.results)
  const repeated = await client.infer('google/universal-sentence-encoder', { inputs }, { idempotencyKey })
  assert.equal(repeated.request_id, answer.request_id)

  const video = await client.infer(turboModel, { input: { prompt: 'a boat', image_url: 'http://127.0.0.1:9/a.png' } })
  assert.match(await (await client.download(video.results!.video_url)).text(), /ftyp/)
  await assert.rejects(client.infer('a/b', { inputs: [] }), InvalidRequest)
  await assert.rejects(client.getInference('none'), NotFound)
})

test('ids and cursors are escaped on their way', async () => {
  const page = { items: [], nextCursor: null }
  await using there = await startStandIn({ data: page })
  const { webhooks, keys, operator } = there.client()
  await webhooks.resend('a/b?c')
  await keys.rotate('../x')
  await operator.grant('my account', 1)
  await there.client().getTask('t&u=1')
  await webhooks.deliveries({ state: 'failed' }).page('c d')
  assert.deepEqual(
    there.asked.map(({ path }) => path),
    [
      '/api/v1/webhooks/deliveries/a%2Fb%3Fc/resend',
      '/api/v1/keys/..%2Fx/rotate',
      '/api/v1/operator/accounts/my%20account/credit',
      '/api/v1/jobs/recordInfo?taskId=t%26u%3D1',
      '/api/v1/webhooks/deliveries?state=failed&cursor=c+d',
    ],
  )
})
