// Clients that hold the line: how long, what becomes of the work when they hang up, and settings of the default model.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { variantA } from '../support/service/api.ts'
import { startService, type TestService, testKey } from '../support/service/service.ts'
import { untilTrue } from '../support/until.ts'

const image = 'http://127.0.0.1:9/a.png'
const video = (prompt: string) => ({ input: { prompt, image_url: image } })
const videoPath = `/v1/inference/${variantA}`
const embeddingsPath = '/v1/inference/google/universal-sentence-encoder'

describe('a client that waits for its response', () => {
  let service: TestService
  before(async () => {
    service = await startService({ DAILIES_SYNC_WAIT: '400ms' })
  })
  after(() => service?.stop())

  /** Sends a request and hangs up once it is stored. */
  async function hangUp(path: string, body: object, headers: Record<string, string>, table: string): Promise<string> {
    const sent = httpRequest(service.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', ...headers },
    })
    sent.on('error', () => {})
    const newest = () => service.app.db.one<{ id: string }>(`select id from ${table} order by id desc limit 1`)
    const before = (await newest())?.id
    sent.end(JSON.stringify(body))
    let id: string | undefined
    await untilTrue('the request is stored', async () => {
      id = (await newest())?.id
      return id !== before
    })
    sent.destroy()
    await new Promise((resolve) => sent.once('close', resolve))
    return id!
  }

  test('gets the queued response when that takes too long, and can read the end later', async () => {
    const answer = await service.api.post(videoPath, video('a boat script: wait 800ms'))
    assert.equal(answer.status, 200)
    assert.equal(answer.body.status, 'queued')
    const id = answer.body.request_id
    const early = await service.api.get(`/v1/inference/requests/${id}`)
    assert.deepEqual(early.body, answer.body)
    await service.api.until(id, ['success'])
    const late = await service.api.get(`/v1/inference/requests/${id}`)
    assert.equal(late.body.inference_status.status, 'succeeded')
    assert.equal(late.headers.get('x-model-served'), variantA)
  })

  test('stops the work of a video when it hangs up, and pays nothing', async () => {
    const id = await hangUp(videoPath, video('a boat script: wait 30s'), {}, 'tasks')
    const record = await service.api.until(id, ['fail'])
    assert.equal(record.failReason, 'canceled')
    assert.equal(record.creditsConsumed, 0)
  })

  test('stops the work of embeddings when it hangs up, and may ask again with the same key', async () => {
    const inputs = Array.from({ length: 96 }, (_, i) => `a longer sentence with number ${i} in it, and more words`)
    const headers = { 'idempotency-key': 'broken line' }
    const balance = (await service.api.get('/api/v1/account/credit')).body.data
    const id = await hangUp(embeddingsPath, { inputs }, headers, 'inference_requests')
    const read = async () => (await service.api.get(`/v1/inference/requests/${id}`)).body
    await untilTrue('the request ends', async () => (await read()).inference_status.status !== 'queued')
    const { error, ...failed } = await read()
    assert.deepEqual(failed, { request_id: id, inference_status: { status: 'failed', runtime_ms: 0, cost: 0 } })
    assert.equal(error.reason, 'canceled')
    assert.match(error.message, /disconnected/)
    assert.equal((await service.api.get('/api/v1/account/credit')).body.data, balance)
    const jobs = await service.app.db.all('select subject from jobs where subject = ?', [id])
    assert.deepEqual(jobs, [])
    const again = await service.api.post(embeddingsPath, { inputs }, { headers })
    assert.equal(again.status, 200)
    assert.notEqual(again.body.request_id, id)
  })
})

describe('the default model', () => {
  test('none makes unknown models not found, after the body was looked at', async () => {
    const service = await startService({ DAILIES_DEFAULT_MODEL: 'none' })
    try {
      assert.equal((await service.api.post('/v1/inference/some/model', { inputs: ['x'] })).status, 404)
      assert.equal((await service.api.post('/v1/inference/some/model', [])).status, 422)
      assert.equal((await service.as(null).post('/v1/inference/some/model', {})).status, 401)
      assert.equal((await service.api.post(embeddingsPath, { inputs: ['x'] })).status, 200)
    } finally {
      await service.stop()
    }
  })

  test('may be a video model', async () => {
    const service = await startService({ DAILIES_DEFAULT_MODEL: variantA })
    try {
      const answer = await service.api.post('/v1/inference/some/model', video('a boat'))
      assert.equal(answer.headers.get('x-model-served'), variantA)
      assert.equal(answer.body.results.model, variantA)
    } finally {
      await service.stop()
    }
  })

  test('must be in the catalogue', async () => {
    const service = await startService()
    const { dataDir } = service
    await service.stop()
    const config = loadConfig({
      DAILIES_DATA: dataDir,
      DAILIES_DEFAULT_MODEL: 'nobody/nothing',
      DAILIES_API_KEY: testKey,
    })
    await assert.rejects(createApp(config, { log: silentLogger }), /DAILIES_DEFAULT_MODEL/)
  })
})
