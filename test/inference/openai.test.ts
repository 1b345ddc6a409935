// The real OpenAI client pointed at the service, unchanged.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import OpenAI, { APIError } from 'openai'
import { startService, type TestService, testKey } from '../support/service/service.ts'

const model = 'google/universal-sentence-encoder'

describe('the OpenAI client', () => {
  let service: TestService
  let client: OpenAI
  before(async () => {
    service = await startService()
    client = new OpenAI({ baseURL: `${service.url}/v1/openai`, apiKey: testKey, maxRetries: 0 })
  })
  after(() => service?.stop())

  const native = async (inputs: string[]) =>
    (await service.api.post(`/v1/inference/${model}`, { inputs })).body.results.embeddings as number[][]
  const refused = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => assert.fail('was not refused'),
      (reason) => reason,
    )
    assert.ok(error instanceof APIError, String(error))
    return error
  }

  test('embeds one text and many, with the same numbers as the native API', async () => {
    const input = ['A cat sits on the mat', 'Stocks fell sharply']
    const [cat, stocks] = await native(input)
    // The client asks for base64 by itself and decodes it.
    const many = await client.embeddings.create({ model, input })
    assert.equal(many.object, 'list')
    assert.equal(many.model, model)
    assert.deepEqual(many.usage, { prompt_tokens: many.usage.total_tokens, total_tokens: many.usage.total_tokens })
    assert.deepEqual(
      many.data.map(({ index, object }) => ({ index, object })),
      [
        { index: 0, object: 'embedding' },
        { index: 1, object: 'embedding' },
      ],
    )
    assert.deepEqual(Float32Array.from(many.data[0]!.embedding), Float32Array.from(cat!))
    assert.deepEqual(Float32Array.from(many.data[1]!.embedding), Float32Array.from(stocks!))
    const one = await client.embeddings.create({ model, input: input[0]!, encoding_format: 'float', dimensions: 512 })
    assert.deepEqual(one.data[0]!.embedding, cat)
    assert.equal(one.usage.prompt_tokens, 8)
  })

  test('lists models', async () => {
    const ids: string[] = []
    for await (const each of client.models.list()) ids.push(each.id)
    assert.deepEqual(ids, [model])
  })

  test('is refused with a clear message', async () => {
    const unknown = await refused(client.embeddings.create({ model: 'text-embedding-3-small', input: 'x' }))
    assert.equal(unknown.status, 404)
    assert.equal(unknown.code, 'model_not_found')
    for (const [extra, param, words] of [
      [{ webhook: 'https://example.com' }, 'webhook', /not supported by the OpenAI-compatible API/],
      [{ dimensions: 256 }, 'dimensions', /must be 512/],
      [{ input: [1, 2, 3] }, 'input', /token arrays are not supported/],
      [{ input: [[1, 2], [3]] }, 'input', /token arrays are not supported/],
      [{ input: [] }, 'input', /at least 1 item/],
      [{ input: '' }, 'input', /must not be empty/],
      [{ encoding_format: 'int8' }, 'encoding_format', /must be "float" or "base64"/],
    ] as const) {
      const error = await refused(client.embeddings.create({ model, input: 'x', ...(extra as object) }))
      assert.equal(error.status, 422)
      assert.equal(error.param, param)
      assert.match(error.message, words)
    }
    const nobody = new OpenAI({ baseURL: `${service.url}/v1/openai`, apiKey: 'wrong', maxRetries: 0 })
    const denied = await refused(nobody.embeddings.create({ model, input: 'x' }))
    assert.equal(denied.status, 401)
    assert.equal(denied.code, 'invalid_api_key')
    const lost = await service.api.get('/v1/openai/nothing')
    assert.equal(lost.status, 404)
    assert.equal(lost.body.error.code, 'not_found')
  })

  test('is charged like any request', async () => {
    const before = (await service.api.get('/api/v1/account/credit')).body.data
    await client.embeddings.create({ model, input: 'one credit' })
    assert.equal((await service.api.get('/api/v1/account/credit')).body.data, before - 1)
  })
})
