// Two promises about fields, over the wire: a failure names the field that is to blame, and an empty text in an optional
// field means that it was left out, whatever the field holds otherwise.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { createScriptedEngine } from '../../support/engines/scripted.ts'
import { makeVideo } from '../../support/files/av-files.ts'
import { type BadServer, startBadServer } from '../../support/network/bad-server.ts'
import { variantA, variantB } from '../../support/service/api.ts'
import { startService, type TestService } from '../../support/service/service.ts'

/** Under a name of its own, so that input files are fetched for it. */
const engine = { ...createScriptedEngine(), name: 'quick' }

let service: TestService
let server: BadServer
let good: string
let missing: string

before(async () => {
  const picture = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#478' } })
    .png()
    .toBuffer()
  const folder = await mkdtemp(join(tmpdir(), 'blame-'))
  const clip = await readFile(await makeVideo(join(folder, 'clip.mp4'), { seconds: 5 }))
  await rm(folder, { recursive: true })
  server = await startBadServer({ files: { '/good.png': { body: picture }, '/five-seconds.mp4': { body: clip } } })
  good = `${server.origin}/good.png`
  missing = `${server.origin}/404`
  service = await startService({ DAILIES_MODERATION: 'off' }, { engine })
})
after(async () => {
  await service?.stop()
  await server?.close()
})

const element = (...urls: string[]) => ({ name: 'dog', description: 'a dog', element_input_urls: urls })

describe('the field to blame', () => {
  for (const [field, body] of [
    ['image_url', () => ({ model: variantA, input: { prompt: 'x', image_url: missing } })],
    ['tail_image_url', () => ({ model: variantA, input: { prompt: 'x', image_url: good, tail_image_url: missing } })],
    ['image_urls', () => ({ model: variantB, input: { prompt: 'x', image_urls: [good, missing] } })],
    [
      'elements',
      () => ({ model: variantB, input: { prompt: 'x', image_urls: [good], elements: [element(good, missing)] } }),
    ],
  ] as [string, () => object][]) {
    test(`${field} begins failMsg`, async () => {
      const { taskId } = (await service.api.post('/api/v1/jobs/createTask', body())).body.data
      const record = await service.api.until(taskId, ['success', 'fail'])
      assert.equal(record.failReason, 'image_fetch_failed')
      assert.match(String(record.failMsg), new RegExp(`^${field}\\b.*: The `))
    })
  }

  test('is the one whose rules were broken, where another field has the same URL', async () => {
    const subject = { ...element(good, good), element_input_audio_urls: [good] }
    const input = { prompt: 'x', image_url: [good], elements: [element(good, good), subject] }
    const { taskId } = (await service.api.post('/api/v1/jobs/createTask', { model: variantB, input })).body.data
    const record = await service.api.until(taskId, ['success', 'fail'])
    assert.match(String(record.failMsg), /^elements\[1\]\.element_input_audio_urls\[0\]: The file is a PNG image/)
  })

  test('is the subject whose part of a video is too short, where another takes a part of the same video', async () => {
    const video = `${server.origin}/five-seconds.mp4`
    const input = {
      prompt: 'x',
      image_url: [good],
      elements: [
        { ...element(video, good), start_time: 0, end_time: 3000 },
        { ...element(video, good), name: 'cat', start_time: 9000, end_time: 12_000 },
      ],
    }
    const { taskId } = (await service.api.post('/api/v1/jobs/createTask', { model: variantB, input })).body.data
    const record = await service.api.until(taskId, ['success', 'fail'])
    assert.equal(record.failReason, 'capture_window')
    assert.match(String(record.failMsg), /^elements\[1\]\.element_input_urls\[0\]: /)
  })

  test('is in the error of a failed inference request, with its reason', async () => {
    const input = { prompt: 'x', image_url: good, tail_image_url: missing }
    const answer = await service.api.post(`/v1/inference/${variantA}`, { input })
    assert.equal(answer.body.inference_status.status, 'failed')
    const { error } = (await service.api.get(`/v1/inference/requests/${answer.body.request_id}`)).body
    assert.equal(error.reason, 'image_fetch_failed')
    assert.match(error.message, /^tail_image_url: /)
  })
})

describe('an empty text in every optional field is as if it were not there', () => {
  for (const [name, path, body] of [
    [
      'createTask, first model',
      '/api/v1/jobs/createTask',
      () => ({
        model: variantA,
        input: { prompt: 'x', image_url: good, tail_image_url: '', duration: '', negative_prompt: '', cfg_scale: '' },
        callBackUrl: '',
      }),
    ],
    [
      'createTask, second model',
      '/api/v1/jobs/createTask',
      () => ({
        model: variantB,
        input: {
          prompt: 'x',
          image_urls: [good],
          duration: '',
          resolution: '',
          aspect_ratio: '',
          audio: '',
          customize_multi_shots: '',
          prefer_multi_shots: '',
          multi_prompt: '',
          elements: '',
        },
        callBackUrl: '',
      }),
    ],
    ['explain', '/api/v1/prompts/explain', () => ({ prompt: 'rain', negative_prompt: '', model: '' })],
    ['upload', '/api/v1/files/upload', () => ({ base64Data: '', fileUrl: good, fileName: '' })],
    [
      'keys',
      '/api/v1/keys',
      () => ({
        name: 'empty',
        creditLimit: '',
        requestLimit: '',
        rate: '',
        scopes: '',
        addresses: '',
        expiresAt: '',
      }),
    ],
    ['accounts', '/api/v1/operator/accounts', () => ({ name: 'empty', credits: '' })],
    [
      'inference',
      '/v1/inference/google/universal-sentence-encoder',
      () => ({ inputs: ['a boat'], normalize: '', webhook: '' }),
    ],
    [
      "OpenAI's videos",
      '/v1/videos',
      () => ({ model: variantA, prompt: 'x', input_reference: good, seconds: '', size: '' }),
    ],
  ] as [string, string, () => object][]) {
    test(name, async () => {
      const answer = await service.api.post(path, body())
      assert.equal(answer.status, 200, answer.text)
    })
  }
})
