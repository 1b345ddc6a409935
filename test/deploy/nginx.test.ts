// deploy/nginx.conf in a real nginx: large uploads and event streams pass, and clients do not notice a server's restart.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Dispatcher, request } from 'undici'
import { createAgent, shippedNginx, startNginx } from '../support/network/nginx.ts'
import { createTestDatabase, freePort } from '../support/places/postgres.ts'
import { taskBody } from '../support/service/api.ts'
import { type ServiceProcess, startProcess } from '../support/service/process.ts'
import { testKey } from '../support/service/service.ts'

describe('nginx in front of two servers', () => {
  const agent = createAgent()
  const ports = { nginx: 0, first: 0, second: 0 }
  const cleanUp: (() => Promise<unknown>)[] = []
  let url: string
  let env: Record<string, string>
  let first: ServiceProcess
  let second: ServiceProcess

  before(async () => {
    for (const name of ['nginx', 'first', 'second'] as const) ports[name] = await freePort()
    url = `https://127.0.0.1:${ports.nginx}`
    const database = await createTestDatabase()
    cleanUp.push(database.stop)
    const folder = await mkdtemp(join(tmpdir(), 'dailies-nginx-'))
    cleanUp.push(() => rm(folder, { recursive: true, force: true }))
    env = { DAILIES_DATA: join(folder, 'data'), DAILIES_DATABASE_URL: database.url, DAILIES_PUBLIC_URL: url }
    first = await startServer(ports.first)
    second = await startServer(ports.second)
    const shipped = (await shippedNginx('nginx.conf', { port: ports.nginx, folder }))
      .replace('server 127.0.0.1:8080', `server 127.0.0.1:${ports.first}`)
      .replace('# server 10.0.0.2:8080', `server 127.0.0.1:${ports.second}`)
    cleanUp.push(await startNginx(shipped, { url, folder }))
  })
  after(async () => {
    for (const undo of cleanUp.toReversed()) await undo()
    await agent.close()
  })

  async function startServer(port: number): Promise<ServiceProcess> {
    const server = await startProcess({ ...env, DAILIES_PORT: String(port) })
    cleanUp.push(() => server.kill('SIGKILL'))
    return server
  }

  async function call(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const response = await request(url + path, {
      method,
      dispatcher: agent,
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.body.text()
    return { status: response.statusCode, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
  }

  test('a large upload passes', async () => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(20 * 2 ** 20)]), 'noise.bin')
    const multipart = new Response(form)
    const response = await request(`${url}/api/v1/files/upload`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${testKey}`, 'content-type': multipart.headers.get('content-type')! },
      body: Buffer.from(await multipart.arrayBuffer()),
    })
    const answer = (await response.body.json()) as { code: number; msg: string }
    // The service's own refusal of what is no picture, not nginx's page about its size.
    assert.equal(answer.code, 422, answer.msg)
  })

  test('events arrive while the task runs, and links lead through nginx', async () => {
    const { taskId } = (await call('POST', '/api/v1/jobs/createTask', taskBody('a boat'))).body.data
    const response = await request(`${url}/api/v1/jobs/events?taskId=${taskId}`, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${testKey}` },
    })
    assert.match(await response.body.text(), /event: end/)
    const record = (await call('GET', `/api/v1/jobs/recordInfo?taskId=${taskId}`)).body.data
    const [videoUrl] = JSON.parse(record.resultJson).resultUrls
    assert.ok(videoUrl.startsWith(`${url}/files/`), videoUrl)
    const video = await request(videoUrl, { dispatcher: agent, headers: { range: 'bytes=0-99' } })
    assert.equal(video.statusCode, 206)
    await video.body.dump()
  })

  test('a server that stops is skipped', async () => {
    assert.equal(await first.kill('SIGTERM'), 0)
    for (let i = 0; i < 20; i++) {
      const created = await call('POST', '/api/v1/jobs/createTask', taskBody(`boat ${i}`))
      assert.equal(created.status, 200, created.text)
    }
  })

  test('metrics are not public', async () => {
    const { status, text, body } = await call('GET', '/metrics')
    assert.doesNotMatch(text, /dailies_/)
    assert.deepEqual([status, body?.code], [404, 404])
  })

  test('what nginx refuses itself has the form of the service', async () => {
    await second.kill('SIGKILL')
    const { status, body, text } = await call('GET', '/api/v1/account/credit')
    assert.equal(status, 502)
    assert.deepEqual([body?.code, body?.data], [502, null], text)
  })
})
