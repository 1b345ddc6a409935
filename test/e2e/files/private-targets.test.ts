// Every field that takes a URL, with every spelling of this machine's own address: nothing reaches the canary.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { createScriptedEngine } from '../../support/engines/scripted.ts'
import { type BadServer, startBadServer } from '../../support/network/bad-server.ts'
import { LOOPBACK_HOSTS } from '../../support/network/loopback-spellings.ts'
import { variantA, variantB } from '../../support/service/api.ts'
import { startService, type TestService } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'

let service: TestService
let canary: BadServer
let good: string

before(async () => {
  canary = await startBadServer()
  const engine = { ...createScriptedEngine(), name: 'quick' }
  const env = { DAILIES_ALLOW_PRIVATE_NETWORK: 'false', DAILIES_MODERATION: 'off', DAILIES_WEBHOOK_DELAYS: '1h' }
  service = await startService(env, { engine })
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#456' } })
    .png()
    .toBuffer()
  const upload = await service.api.post('/api/v1/files/upload', { base64Data: picture.toString('base64') })
  good = upload.body.data.downloadUrl
})
after(async () => {
  await service?.stop()
  await canary?.close()
})

const element = (urls: string[], audio: string[] = []) => ({
  name: 'dog',
  description: 'a dog',
  element_input_urls: urls,
  element_input_audio_urls: audio,
})

/** Fields of tasks: each body must end as a failed task, or be refused at once. */
const inputFileFields: Record<string, (url: string) => object> = {
  'A image_url': (url) => ({ model: variantA, input: { prompt: 'x', image_url: url } }),
  'A tail_image_url': (url) => ({ model: variantA, input: { prompt: 'x', image_url: good, tail_image_url: url } }),
  'B image_urls[0]': (url) => ({ model: variantB, input: { prompt: 'x', image_urls: [url] } }),
  'B image_urls[1]': (url) => ({ model: variantB, input: { prompt: 'x', image_urls: [good, url] } }),
  'B element_input_urls': (url) => ({
    model: variantB,
    input: { prompt: 'x', image_urls: [good], elements: [element([good, url])] },
  }),
  'B element_input_audio_urls': (url) => ({
    model: variantB,
    input: { prompt: 'x', image_urls: [good], elements: [element([good, good], [url])] },
  }),
}

const target = (host: string) => `http://${host}:${canary.port}/404`

for (const [field, bodyFor] of Object.entries(inputFileFields)) {
  test(`${field} reaches no private address`, async () => {
    const answers = await Promise.all(
      LOOPBACK_HOSTS.map((host) => service.api.post('/api/v1/jobs/createTask', bodyFor(target(host)))),
    )
    for (const answer of answers) {
      if (answer.status === 422) continue
      const record = await service.api.until(answer.body.data.taskId, ['success', 'fail'], 30_000)
      assert.deepEqual([record.failCode, record.failReason], ['451', 'image_fetch_failed'], JSON.stringify(record))
      assert.doesNotMatch(String(record.failMsg), /127|::1|localhost|loopback/)
    }
    assert.equal(canary.connections, 0)
  })
}

test('an upload by URL reaches no private address', async () => {
  for (const host of LOOPBACK_HOSTS) {
    const answer = await service.api.post('/api/v1/files/upload', { fileUrl: target(host) })
    assert.equal(answer.status, 422, host)
  }
  assert.equal(canary.connections, 0)
})

test('an upload by the URL of an upload is read from the storage', async () => {
  const { status, body } = await service.api.post('/api/v1/files/upload', { fileUrl: good })
  assert.equal(status, 200, body.msg)
  assert.notEqual(body.data.downloadUrl, good)
  const [copy, original] = await Promise.all(
    [body.data.downloadUrl, good].map(async (url) => (await fetch(url)).bytes()),
  )
  assert.deepEqual(copy, original)
  const missing = await service.api.post('/api/v1/files/upload', {
    fileUrl: good.replace(/[^/]+\/[^/]+$/, 'no/file.png'),
  })
  assert.equal(missing.body.msg, 'fileUrl: the file is not there, or has expired')
})

test('a preview reaches no private address', async () => {
  for (const host of LOOPBACK_HOSTS) {
    const answer = await service.api.post('/api/v1/files/preview', { url: target(host) })
    assert.equal(answer.status, 422, host)
  }
  assert.equal(canary.connections, 0)
})

test('callbacks of tasks and of inference reach no private address', async () => {
  const bodies = LOOPBACK_HOSTS.flatMap((host) => [
    [
      '/api/v1/jobs/createTask',
      { model: variantA, input: { prompt: 'x', image_url: good }, callBackUrl: target(host) },
    ],
    [`/v1/inference/${variantA}`, { input: { prompt: 'x', image_url: good }, webhook: target(host) }],
  ]) as [string, object][]
  const answers = await Promise.all(bodies.map(([path, body]) => service.api.post(path, body)))
  const accepted = answers.filter((answer) => answer.status === 200).length
  assert.ok(accepted > 0)
  const countFailed = `select count(*) as count from deliveries where state = 'failed'`
  const allFailed = async () => (await service.app.db.one<{ count: number }>(countFailed))!.count === accepted
  await untilTrue(`${accepted} deliveries have failed`, allFailed, 120_000)
  assert.equal(canary.connections, 0)
})
