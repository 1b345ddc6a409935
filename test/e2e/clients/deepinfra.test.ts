// Unmodified clients from npm that were written for DeepInfra, and OpenAI's for embeddings: create, wait and read through
// a real service.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createDeepInfra } from '@ai-sdk/deepinfra'
import * as deepinfra from 'deepinfra'
import OpenAI from 'openai'
import { variantA } from '../../support/service/api.ts'
import { uploadImage } from '../../support/service/chain.ts'
import { startService, type TestService, testKey } from '../../support/service/service.ts'

const encoder = 'google/universal-sentence-encoder'
const texts = ['a boat on the lake', 'a ship at sea', 'income tax']

/** Near texts point in near directions. */
function assertMeaning(vectors: number[][]): void {
  const dot = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
  const [boat, ship, tax] = vectors as [number[], number[], number[]]
  assert.ok(boat.length > 100)
  assert.ok(dot(boat, ship) > dot(boat, tax))
}

interface VideoAnswer {
  request_id: string
  results: { video_url: string; seconds: number }
}

/** As the package wants models of one's own to be declared. */
class VideoModel extends deepinfra.CustomModel<object, VideoAnswer> {
  constructor(url: string) {
    super(url, testKey, { maxRetries: 0 })
  }
}

describe('clients of DeepInfra', { timeout: 120_000 }, () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service?.stop())

  test('@ai-sdk/deepinfra embeds', async () => {
    const provider = createDeepInfra({ apiKey: testKey, baseURL: `${service.url}/v1` })
    const { embeddings, usage } = await provider.embeddingModel(encoder).doEmbed({ values: texts })
    assertMeaning(embeddings)
    assert.ok(usage!.tokens > 0)
  })

  test('deepinfra embeds', async () => {
    const model = new deepinfra.Embeddings(`${service.url}/v1/inference/${encoder}`, testKey)
    const answer = await model.generate({ inputs: texts })
    assertMeaning(answer.embeddings)
    assert.ok(answer.input_tokens > 0)
    assert.ok(answer.request_id)
  })

  test('deepinfra makes a video, waits for it, and it can be read', async () => {
    const image_url = await uploadImage(service)
    const model = new VideoModel(`${service.url}/v1/inference/${variantA}`)
    const answer = await model.generate({ input: { prompt: 'a boat', image_url } })
    const { results, request_id } = answer
    assert.equal(results.seconds, 5, JSON.stringify(answer))
    const video = await fetch(results.video_url)
    assert.equal(video.headers.get('content-type'), 'video/mp4')
    const again = await service.api.get(`/v1/inference/requests/${request_id}`)
    assert.equal(again.body.results.video_url, results.video_url)
  })

  test("OpenAI's client embeds", async () => {
    const client = new OpenAI({ baseURL: `${service.url}/v1/openai`, apiKey: testKey, maxRetries: 0 })
    const { data, usage } = await client.embeddings.create({ model: encoder, input: texts })
    assertMeaning(data.map(({ embedding }) => embedding))
    assert.ok(usage.total_tokens > 0)
    const models = await client.models.list()
    assert.ok(models.data.some(({ id }) => id === encoder))
  })
})
