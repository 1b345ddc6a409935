// What a log never holds, at any level: a key, a secret, a prompt, a file's name. What it holds: the client's address.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLogger } from '../../../src/platform/logger.ts'
import { sendRaw } from '../../support/network/raw-http.ts'
import { startReceiver } from '../../support/network/receiver.ts'
import { places } from '../../support/places/places.ts'
import { taskBody } from '../../support/service/api.ts'
import { startOneService } from '../../support/service/one-service.ts'
import { type ServiceProcess, startProcess } from '../../support/service/process.ts'
import { testKey } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'

async function withProcess(env: Record<string, string>, run: (service: ServiceProcess) => Promise<void>) {
  const place = await places[0].create()
  const service = await startProcess({ ...place.env, ...env })
  try {
    await run(service)
  } finally {
    await service.kill('SIGTERM')
    await place.stop()
  }
}

const creditPath = '/api/v1/account/credit'
const creditLine = `"route":"${creditPath}"`

describe('logs', () => {
  test('hold no key, secret, prompt or file name at any level', async () => {
    await withProcess({ DAILIES_LOG_LEVEL: 'debug', DAILIES_WEBHOOK_DELAYS: '10ms' }, async ({ url, api, output }) => {
      const receiver = await startReceiver()
      const prompt = 'a prompt that nobody else should read'
      const subKey = (await api.post('/api/v1/keys', { name: 'a key for the logs' })).body.data
      const rotated = (await api.post(`/api/v1/keys/${subKey.id}/rotate`)).body.data.key
      const secret = (await api.get('/api/v1/webhooks/secret')).body.data.secret
      const newSecret = (await api.post('/api/v1/webhooks/secret/rotate', {})).body.data.secret
      const ofConsole = { headers: { 'x-dailies-console': '1' } }
      await api.post('/console/session', { key: 'a-wrong-key-for-the-console' }, ofConsole)
      await api.post('/console/session', { key: testKey }, ofConsole)
      const body = { callBackUrl: `${receiver.origin}/500`, model: 'nonsense', input: { prompt } }
      await api.post('/api/v1/jobs/createTask', body)
      await api.post('/api/v1/jobs/createTask', undefined, { raw: JSON.stringify(body).slice(1) })
      const done = await api.post('/api/v1/jobs/createTask', {
        ...taskBody(prompt),
        callBackUrl: `${receiver.origin}/the-path-of-a-receiver`,
      })
      await api.until(done.body.data.taskId, ['success'])
      await receiver.until((received) => received.length > 0)
      await api.delete(`/api/v1/jobs/${done.body.data.taskId}`)
      await api.post('/v1/inference/google/universal-sentence-encoder', { inputs: [prompt] })
      await api.get(`/api/v1/jobs/list?q=${encodeURIComponent(prompt)}`)
      await api.get('/api/v1/operator/audit?format=ndjson')
      const taskId = await api.createTask(`${prompt} script: fail`)
      await api.until(taskId, ['fail'])
      const fields = { base64Data: Buffer.from(prompt).toString('base64'), fileName: 'the-name-of-a-file.png' }
      await api.post('/api/v1/files/upload', fields)
      await api.get(`/files/${'x'.repeat(27)}/the-name-of-a-file.png?key=${testKey}`)
      await api.get(`/api/v1/jobs/list?cursor=${testKey}`)
      // A header that cannot be read takes those before it along into the error.
      const head = `GET ${creditPath} HTTP/1.1\r\nauthorization: Bearer ${testKey}\r\n`
      await sendRaw(url, `${head}bad header\r\n\r\n`)
      await sendRaw(url, `${head}content-length: x\r\n\r\n`)
      await sendRaw(url, `GET /${testKey} HTTP/9.9\r\nauthorization: Bearer ${testKey}\r\n\r\n`)
      await untilTrue('the last request is logged', () => output().includes('could not be read'))
      await receiver.close()

      for (const hidden of [
        testKey,
        subKey.key,
        rotated,
        secret,
        newSecret,
        prompt,
        'the-name-of-a-file',
        'a-wrong-key-for-the-console',
        'the-path-of-a-receiver',
      ]) {
        assert.ok(!output().includes(hidden), `${hidden} is in the log`)
        const encoded = Buffer.from(hidden)
        assert.ok(!output().includes([...encoded].join(',')), `the bytes of ${hidden} are in the log`)
        assert.ok(!output().includes(encoded.toString('hex')), `${hidden} is in the log in hex`)
      }
    })
  })

  test('do not grow faster than what fills them', async () => {
    await withProcess({ DAILIES_LOG_LEVEL: 'debug' }, async ({ url, api, output }) => {
      const before = output().length
      const bytes = `GET / HTTP/1.1\r\nbad header ${'x'.repeat(2000)}\r\n\r\n`
      for (let i = 0; i < 20; i++) await Promise.all(Array.from({ length: 50 }, () => sendRaw(url, bytes)))
      await api.get(creditPath)
      assert.ok(output().length - before < 100 * 500, `${output().length - before} characters were logged`)
    })
  })

  test("name the client's address, and a forwarded one only from a trusted proxy", async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    for (const [trusted, address] of [
      ['127.0.0.0/8', '203.0.113.7'],
      ['true', '203.0.113.7'],
      ['10.0.0.0/8', '127.0.0.1'],
      ['', '127.0.0.1'],
    ] as const) {
      await using opened = new AsyncDisposableStack()
      const place = opened.adopt(await places[0].create(), ({ stop }) => stop())
      const lines: string[] = []
      const log = createLogger('debug', { write: (line) => lines.push(line) })
      const env = { ...place.env, DAILIES_TRUST_PROXY: trusted }
      const { api } = opened.adopt(await startOneService(env, { log }), ({ stop }) => stop())
      await api.get(creditPath, { headers })
      const isOfRequest = (line: string) => line.includes(creditLine)
      await untilTrue('the request is logged', () => lines.some(isOfRequest))
      assert.equal(JSON.parse(lines.find(isOfRequest)!).address, address)
    }
  })
})
