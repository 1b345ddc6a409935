// The inference endpoint end to end, with the real model, on every database.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createAccount } from '../../src/accounts/accounts.ts'
import { createKey } from '../../src/accounts/keys/keys.ts'
import { type Receiver, startReceiver } from '../support/network/receiver.ts'
import { places, type TestPlace } from '../support/places/places.ts'
import { plainBox } from '../support/plain-box.ts'
import { variantA } from '../support/service/api.ts'
import { untilDelivery } from '../support/service/deliveries.ts'
import { startService, type TestService } from '../support/service/service.ts'
import { untilStatus } from '../support/until.ts'

const model = 'google/universal-sentence-encoder'
const path = `/v1/inference/${model}`
const image = 'http://127.0.0.1:9/a.png'

for (const { name, create } of places) {
  describe(`inference on ${name}`, () => {
    let place: TestPlace
    let service: TestService
    let receiver: Receiver
    before(async () => {
      place = await create()
      receiver = await startReceiver()
      service = await startService({ ...place.env, DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32' })
    })
    after(async () => {
      await service?.stop()
      await receiver?.close()
      await place?.stop()
    })
    const ledgerOf = async (id: string) =>
      (await service.api.get(`/api/v1/account/ledger?taskId=${id}`)).body.data.items as {
        kind: string
        amount: number
      }[]
    const balance = async () => (await service.api.get('/api/v1/account/credit')).body.data as number

    test('without a webhook the response is the result', async () => {
      const before = await balance()
      const answer = await service.api.post(path, { inputs: ['A cat sits on the mat', 'Stocks fell'], normalize: true })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.get('x-model-served'), model)
      const { request_id: id, inference_status: status, results, ...rest } = answer.body
      assert.deepEqual(rest, { embeddings: results.embeddings, input_tokens: results.input_tokens })
      assert.equal(status.status, 'succeeded')
      assert.ok(Number.isInteger(status.runtime_ms) && status.runtime_ms >= 1)
      assert.equal(results.model, model)
      assert.equal(results.embeddings.length, 2)
      assert.equal(results.embeddings[0].length, 512)
      const norm = Math.hypot(...results.embeddings[0])
      assert.ok(Math.abs(norm - 1) < 1e-6, `norm ${norm}`)
      assert.equal(status.cost, 0.005, 'the one credit that was charged')
      assert.deepEqual(
        (await ledgerOf(id)).map(({ kind, amount }) => ({ kind, amount })),
        [{ kind: 'charge', amount: -1 }],
      )
      assert.equal(await balance(), before - 1)
      assert.deepEqual((await service.api.get(`/v1/inference/requests/${id}`)).body, {
        request_id: id,
        inference_status: status,
        results,
      })
    })

    test('with a webhook the response says that it is queued, and the callback is the payload', async () => {
      const webhook = `${receiver.origin}/embeddings`
      const answer = await service.api.post(path, { inputs: ['A cat sits on the mat'], webhook })
      const id = answer.body.request_id
      assert.deepEqual(answer.body, {
        request_id: id,
        status: 'queued',
        inference_status: { status: 'queued', runtime_ms: 0, cost: 0 },
      })
      const delivery = await untilDelivery(service.api, id, ['delivered'])
      assert.equal(delivery.kind, 'inference')
      const [callback, ...more] = receiver.at('/embeddings')
      assert.equal(more.length, 0)
      const { secret } = (await service.api.get('/api/v1/webhooks/secret')).body.data
      new Webhook(secret).verify(callback!.raw, callback!.headers)
      assert.deepEqual(Object.keys(callback!.body), ['request_id', 'inference_status', 'results'])
      assert.equal(callback!.body.inference_status.status, 'succeeded')
      assert.equal(callback!.raw, (await service.api.get(`/v1/inference/requests/${id}`)).text)
      assert.equal((await ledgerOf(id)).length, 1)
    })

    test('an unknown model is served by the default one, and says so', async () => {
      const answer = await service.api.post('/v1/inference/BAAI/bge-large-en-v1.5', { inputs: ['hello'] })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('x-model-served'), model)
      assert.equal(answer.body.results.model, model)
    })

    test('a path that is not owner/name is not found', async () => {
      for (const wrong of ['', '/', '/one', '/a/b/c', '/a%2Fb/c', '/%20/c', '//c']) {
        const answer = await service.api.post(`/v1/inference${wrong}`, { inputs: ['x'] })
        assert.equal(answer.status, 404, wrong)
        assert.equal(answer.body.code, 404)
      }
    })

    test('wrong bodies are named', async () => {
      for (const [body, words] of [
        [{}, 'inputs: is required'],
        [{ inputs: [] }, 'inputs: must have at least 1 item (it has 0)'],
        [{ inputs: 'text' }, 'inputs: must be an array of 1 to 256 texts'],
        [{ inputs: ['ok', 7] }, 'inputs[1]: must be a string'],
        [{ inputs: ['ok', ' '] }, 'inputs[1]: must not be empty'],
        [{ inputs: ['x'.repeat(8193)] }, 'inputs[0]: must be at most 8192 characters (it has 8193)'],
        [{ inputs: Array(257).fill('x') }, 'inputs: must have at most 256 items (it has 257)'],
        [{ inputs: ['x'], normalize: 'yes' }, 'normalize: must be true or false'],
        [{ inputs: ['x'], webhook: 'ftp://x' }, 'webhook: must be an absolute http or https URL'],
        [[], 'body: must be a JSON object'],
      ] as const) {
        const answer = await service.api.post(path, body)
        const [, field, message] = /^(\S+): (.*)$/.exec(words)!
        assert.deepEqual(answer.body, { code: 422, msg: words, data: null, errors: [{ field, message }] })
      }
    })

    test('an idempotency key returns the first response again and charges once', async () => {
      const headers = { 'idempotency-key': 'again' }
      const before = await balance()
      const body = { inputs: ['Once only'] }
      const first = await service.api.post(path, body, { headers })
      const second = await service.api.post(path, body, { headers })
      assert.equal(second.text, first.text)
      assert.equal(await balance(), before - 1)
      const other = await service.api.post(path, { inputs: ['Another'] }, { headers })
      assert.equal(other.status, 422)
      const both = await Promise.all(
        [1, 2, 3].map(() =>
          service.api.post(path, { inputs: ['At once'] }, { headers: { 'idempotency-key': 'three' } }),
        ),
      )
      assert.equal(new Set(both.map((answer) => answer.text)).size, 1)
      assert.equal(await balance(), before - 2)
    })

    test('a video model runs the task that createTask would', async () => {
      const input = { prompt: 'a boat', image_url: image }
      const answer = await service.api.post(`/v1/inference/${variantA}`, { input, extra: 1 })
      assert.equal(answer.status, 200, answer.text)
      const { request_id: id, inference_status: status, results } = answer.body
      assert.equal(status.status, 'succeeded')
      assert.ok(status.runtime_ms >= 1)
      assert.equal(status.cost, 0.21)
      assert.deepEqual(Object.keys(results), ['video_url', 'thumbnail_url', 'seconds', 'model'])
      assert.equal(results.model, variantA)
      const record = await service.api.record(id)
      assert.equal(record.state, 'success')
      assert.equal(record.creditsConsumed, 42)
      assert.deepEqual(record.ignoredFields, ['extra'])
      assert.equal(JSON.parse(record.resultJson as string).resultUrls[0], results.video_url)
      assert.equal((await service.api.get(`/v1/inference/requests/${id}`)).text, answer.text)
    })

    test('a video that fails is a failed callback without results, and free', async () => {
      const before = await balance()
      const input = { prompt: 'a boat script: fail no luck', image_url: image }
      const answer = await service.api.post(`/v1/inference/${variantA}`, { input, webhook: `${receiver.origin}/video` })
      assert.equal(answer.body.status, 'queued')
      await receiver.until(() => receiver.at('/video').length === 1)
      assert.deepEqual(receiver.at('/video')[0]!.body, {
        request_id: answer.body.request_id,
        inference_status: { status: 'failed', runtime_ms: 0, cost: 0 },
      })
      assert.equal(await balance(), before)
      const wrong = await service.api.post(`/v1/inference/${variantA}`, { input: { prompt: '' }, webhook: 'x' })
      assert.equal(
        wrong.body.msg,
        'input.prompt: must not be empty; input.image_url: is required; webhook: must be an absolute http or https URL',
      )
      assert.equal((await service.api.post(`/v1/inference/${variantA}`, {})).body.msg, 'input: is required')
    })

    test('only its owner reads a request', async () => {
      const { request_id: id } = (await service.api.post(path, { inputs: ['mine'] })).body
      const { key } = (await service.api.post('/api/v1/keys', { name: 'other' })).body.data
      const hidden = await service.as(key).get(`/v1/inference/requests/${id}`)
      const unknown = await service.as(key).get('/v1/inference/requests/nope')
      assert.equal(hidden.status, 404)
      assert.equal(hidden.text, unknown.text)
    })

    test('a sub-key with too few credits left gets 433, an account 402', async () => {
      const limited = (await service.api.post('/api/v1/keys', { name: 'limited', creditLimit: 1 })).body.data.key
      const sub = service.as(limited)
      assert.equal((await sub.post(path, { inputs: ['one'] })).status, 200)
      assert.equal((await sub.post(path, { inputs: ['two'] })).status, 433)
      await service.app.db.transaction(async (tx) => {
        const account = await createAccount(tx, 'poor', 1, Date.now(), plainBox)
        await createKey(tx, { accountId: account.id, name: 'poor', secret: 'poor-account-key-0001' }, Date.now())
      })
      const poor = service.as('poor-account-key-0001')
      const answers = await Promise.all([1, 2, 3].map((i) => poor.post(path, { inputs: [`text ${i}`] })))
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 402, 402])
      assert.equal((await poor.get('/api/v1/account/credit')).body.data, 0)
      assert.equal((await poor.post(path, { inputs: ['more'] })).status, 402)
    })

    test('maintenance and a switched-off feature stop it', async () => {
      const operator = (route: string, body: object) => service.api.post(`/api/v1/operator/${route}`, body)
      // Switches are seen by every process within a second, not at once.
      const untilInferenceIs = (status: number) =>
        untilStatus(() => service.api.post(path, { inputs: ['x'] }), status, 2000)
      await operator('features', { name: 'inference', enabled: false })
      await untilInferenceIs(505)
      const video = { input: { prompt: 'x', image_url: image } }
      assert.equal((await service.api.post(`/v1/inference/${variantA}`, video)).status, 505)
      await operator('features', { name: 'inference', enabled: true })
      await operator('maintenance', { on: true })
      await untilInferenceIs(455)
      await operator('maintenance', { on: false })
      await untilInferenceIs(200)
    })

    test('the catalogue lists the embeddings model', async () => {
      const { data } = (await service.api.get('/v1/models')).body
      const listed = data.find((each: { id: string }) => each.id === model)
      assert.equal(listed.kind, 'embeddings')
      assert.equal(listed.dimensions, 512)
      assert.equal(listed.inputSchema.properties.inputs.maxItems, 256)
    })

    test('the ledger balances after all of it', async () => {
      const { checkLedger } = await import('../../src/account-data/check-ledger.ts')
      assert.deepEqual((await checkLedger(service.app.db)).problems, [])
    })
  })
}
