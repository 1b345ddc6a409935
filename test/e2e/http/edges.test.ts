// The edges of the HTTP server: headers, other origins, garbage on the socket, and errors of our own that leak nothing.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, test } from 'node:test'
import { silentLogger } from '../../../src/platform/logger.ts'
import { sendRaw } from '../../support/network/raw-http.ts'
import { taskBody } from '../../support/service/api.ts'
import { startService, testKey } from '../../support/service/service.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilTrue } from '../../support/until.ts'

const creditPath = '/api/v1/account/credit'
const authorization = `authorization: Bearer ${testKey}\r\n`

describeService('edges', {}, (service) => {
  test('bytes that are no HTTP request get one 422 in the envelope, and the connection is closed', async () => {
    const unreadable = [
      'garbage\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'GET / HTTP/1.1\r\nno colon\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ]
    for (const bytes of unreadable) {
      const [answer, ...more] = await sendRaw(service().url, bytes)
      assert.equal(more.length, 0)
      assert.equal(answer!.status, 422, bytes.slice(0, 40))
      const { errors, ...body } = JSON.parse(answer!.text)
      assert.deepEqual(body, { code: 422, msg: 'request: is not valid HTTP', data: null })
      assert.deepEqual(errors, [{ field: 'request', message: 'is not valid HTTP' }])
      assert.match(answer!.headers['x-request-id']!, /^\S{8,}$/)
      assert.equal(answer!.headers['x-content-type-options'], 'nosniff')
    }
    assert.equal((await service().api.get(creditPath)).status, 200)
  })

  test('two Host headers are refused on every path, whatever the rest of the request is', async () => {
    const head = 'HTTP/1.1\r\nhost: a\r\n'
    for (const start of [
      `GET /livez ${head}`,
      `GET /api/v1/account/credit ${head}${authorization}`,
      `GET /no/such/path ${head}`,
      `POST /v1/videos ${head}${authorization}content-length: 100000\r\n`,
    ]) {
      for (const second of ['host: a', 'Host: b', 'HOST:']) {
        const [answer, ...more] = await sendRaw(service().url, `${start}${second}\r\n\r\n`)
        assert.equal(more.length, 0)
        assert.equal(answer!.status, 400, `${start}${second}`)
        const msg = 'request: has more than one Host header'
        assert.deepEqual(JSON.parse(answer!.text), { code: 400, msg, data: null })
        assert.ok(answer!.headers['x-request-id'])
      }
    }
  })

  test('a client that disconnects at any moment does not disturb others', async () => {
    const { hostname, port } = new URL(service().url)
    const beginnings = [
      '',
      'GE',
      `GET ${creditPath} HTTP/1.1\r\n`,
      `POST /api/v1/jobs/createTask HTTP/1.1\r\nhost: a\r\n${authorization}content-type: application/json\r\ncontent-length: 500\r\n\r\n{"model":`,
      `GET ${creditPath} HTTP/1.1\r\nhost: a\r\n${authorization}\r\n`.repeat(50),
    ]
    for (const bytes of beginnings) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.on('error', () => {})
      await new Promise((resolve) => socket.write(bytes || '\r\n', resolve))
      socket.resetAndDestroy()
    }
    assert.equal((await service().api.get(creditPath)).status, 200)
  })

  test('headers that drip in are cut off, and others are served meanwhile', async () => {
    const http = service().app.server.server
    assert.equal(http.headersTimeout, 15_000)
    http.headersTimeout = 200
    try {
      const startedMs = performance.now()
      const slow = sendRaw(service().url, `GET ${creditPath} HTTP/1.1\r\nx-drip: `)
      assert.equal((await service().api.get(creditPath)).status, 200)
      const [answer] = await slow
      assert.equal(answer!.status, 422)
      assert.ok(performance.now() - startedMs < 5000)
    } finally {
      http.headersTimeout = 15_000
    }
  })

  test('pipelined requests get their responses in order', async () => {
    const request = (path: string, extra = '') => `GET ${path} HTTP/1.1\r\nhost: a\r\n${authorization}${extra}\r\n`
    const bytes = request(creditPath) + request('/nowhere') + request('/livez', 'connection: close\r\n')
    const answers = await sendRaw(service().url, bytes)
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 404, 200],
    )
  })

  test('a request is not worked on before the response to the one before it is done', async () => {
    const { api, url } = service()
    const stalls = await api.createTask('script: stall')
    const taskCount = async () => (await api.get('/api/v1/jobs/list?limit=100')).body.data.items.length
    const before = await taskCount()
    const body = JSON.stringify(taskBody())
    const follow = `GET /api/v1/jobs/events?taskId=${stalls} HTTP/1.1\r\nhost: a\r\n${authorization}\r\n`
    const create =
      `POST /api/v1/jobs/createTask HTTP/1.1\r\nhost: a\r\n${authorization}content-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(
      socket.on('error', () => {}),
      'connect',
    )
    socket.write(follow + create)
    // The stream has begun, so both requests have been read.
    await once(socket, 'data')
    await api.get(creditPath)
    assert.equal(await taskCount(), before)
    await api.post('/api/v1/jobs/cancelTask', { taskId: stalls })
    await untilTrue('the second request is served', async () => (await taskCount()) === before + 1)
    socket.destroy()
  })

  test('a body that is announced too large is refused before it is sent', async () => {
    const head = `POST /api/v1/jobs/createTask HTTP/1.1\r\nhost: a\r\n${authorization}content-type: application/json\r\n`
    const [announced] = await sendRaw(service().url, `${head}content-length: 999999999\r\n\r\n`)
    assert.equal(announced!.status, 422)
    assert.match(announced!.text, /body: is larger than allowed/)
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const [dripped] = await sendRaw(service().url, `${head}transfer-encoding: chunked\r\n\r\n${chunk.repeat(17)}`)
    assert.equal(dripped!.status, 422)
    assert.match(dripped!.text, /body: is larger than allowed/)
  })

  test('a client that sends all of a body that is too large before it reads gets the reason', async () => {
    const { hostname, port } = new URL(service().url)
    const head = `POST /api/v1/jobs/createTask HTTP/1.1\r\nhost: a\r\n${authorization}content-type: application/json\r\n`
    const part = 'x'.repeat(2 ** 16)
    for (const [header, chunk, end] of [
      [`content-length: ${320 * 2 ** 16}`, part, ''],
      ['transfer-encoding: chunked', `10000\r\n${part}\r\n`, '0\r\n\r\n'],
    ]) {
      const socket = connect(Number(port), hostname)
      socket.pause()
      await once(socket, 'connect')
      await pipeline(Readable.from([`${head}${header}\r\n\r\n`, ...Array(320).fill(chunk), end]), socket, {
        end: false,
      })
      const [answer] = await once(socket.resume(), 'data')
      assert.match(String(answer), /^HTTP\/1.1 422 .*body: is larger than allowed/s)
      socket.destroy()
    }
  })

  test('a request without a Host header, and one with an expectation of its own, are served', async () => {
    const head = `GET ${creditPath} HTTP/1.1\r\n${authorization}connection: close\r\n`
    for (const header of ['', 'host: a\r\nexpect: the-unexpected\r\n']) {
      const [answer] = await sendRaw(service().url, `${head}${header}\r\n`)
      assert.equal(answer!.status, 200)
      assert.ok(answer!.headers['x-request-id'])
    }
  })

  test('a body without a content type, and one on DELETE, get a message that says what is wrong', async () => {
    const text = JSON.stringify(taskBody())
    const head = `POST /api/v1/jobs/createTask HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${authorization}`
    const [answer] = await sendRaw(service().url, `${head}content-length: ${text.length}\r\n\r\n${text}`)
    assert.equal(answer!.status, 422)
    assert.match(answer!.text, /content-type: must be application\/json/)
    // An empty body with the header is no body at all.
    const headers = { 'content-type': 'application/json' }
    assert.equal((await service().api.delete('/api/v1/jobs/x', { headers })).status, 404)
  })

  test('HEAD describes what needs no key as GET does, for monitors and link checkers', async () => {
    for (const path of ['/livez', '/readyz', '/', '/docs', '/openapi.json']) {
      const headers = { 'accept-encoding': 'identity' }
      const got = await fetch(service().url + path, { headers })
      const head = await fetch(service().url + path, { method: 'HEAD', headers })
      assert.equal(head.status, 200, path)
      assert.equal(await head.text(), '')
      assert.equal(Number(head.headers.get('content-length')), (await got.arrayBuffer()).byteLength, path)
      for (const name of ['content-type', 'cache-control', 'content-security-policy']) {
        assert.equal(head.headers.get(name), got.headers.get(name), path)
      }
    }
  })

  test('without CORS settings no origin is let in', async () => {
    const headers = { origin: 'https://studio.example' }
    const answer = await service().api.get(creditPath, { headers })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    const preflight = await fetch(service().url + creditPath, {
      method: 'OPTIONS',
      headers: { ...headers, 'access-control-request-method': 'GET' },
    })
    assert.equal(preflight.status, 404)
    assert.equal(preflight.headers.get('access-control-allow-origin'), null)
  })

  test('without a rate limit there are no RateLimit headers', async () => {
    const answer = await service().api.get(creditPath)
    assert.equal(answer.headers.get('ratelimit'), null)
    assert.equal(answer.headers.get('ratelimit-policy'), null)
  })
})

const origins = { DAILIES_CORS_ORIGINS: 'https://studio.example, http://localhost:3000', DAILIES_RATE_LIMIT: '500/10s' }

describeService('other origins', { env: origins }, (service) => {
  test('named origins are let in, by their own name', async () => {
    for (const origin of ['https://studio.example', 'http://localhost:3000']) {
      const answer = await service().api.get(creditPath, { headers: { origin } })
      assert.equal(answer.headers.get('access-control-allow-origin'), origin)
      assert.match(answer.headers.get('vary')!, /origin/)
      assert.match(answer.headers.get('access-control-expose-headers')!, /x-request-id/)
      // Also where the response is an error, or a page would not learn why.
      const refused = await service().as(null).get(creditPath, { headers: { origin } })
      assert.equal(refused.status, 401)
      assert.equal(refused.headers.get('access-control-allow-origin'), origin)
    }
  })

  test('others are not', async () => {
    for (const origin of ['https://evil.example', 'null', 'https://studio.example.evil', 'http://studio.example']) {
      const answer = await service().api.get(creditPath, { headers: { origin } })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
    }
  })

  test('a preflight needs no key and allows what a client sends', async () => {
    const answer = await fetch(`${service().url}/api/v1/jobs/createTask`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://studio.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type, idempotency-key',
      },
    })
    assert.equal(answer.status, 204)
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://studio.example')
    assert.match(answer.headers.get('access-control-allow-methods')!, /POST/)
    for (const name of ['authorization', 'content-type', 'idempotency-key']) {
      assert.ok(answer.headers.get('access-control-allow-headers')!.includes(name))
    }
  })

  test('event streams carry the same headers', async () => {
    const taskId = await service().api.createTask()
    const answer = await service().api.get(`/api/v1/jobs/events?taskId=${taskId}`, {
      headers: { origin: 'https://studio.example' },
    })
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://studio.example')
    assert.ok(answer.headers.get('x-request-id'))
    assert.ok(answer.headers.get('ratelimit'))
  })

  test('RateLimit and RateLimit-Policy say what is left', async () => {
    const remaining = async () => {
      const { headers } = await service().api.get(creditPath)
      assert.equal(headers.get('ratelimit-policy'), '"default";q=500;w=10')
      const [, left, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit')!)!
      assert.ok(Number(reset) >= 1 && Number(reset) <= 10)
      return Number(left)
    }
    const first = await remaining()
    assert.equal(await remaining(), first - 1)
  })
})

describe('errors on our side', () => {
  test('are 500 with a request id, and leak nothing', async () => {
    const logged: { fields: object; message: string }[] = []
    const keep = (fields: object, message: string) => logged.push({ fields, message })
    const log = { ...silentLogger, error: keep }
    const service = await startService({}, { log })
    try {
      const taskId = await service.api.createTask('a boat script: stall')
      await service.app.db.run('alter table task_attempts rename to lost_attempts')
      await service.app.db.run('alter table ledger rename to lost_ledger')
      const answers = [
        await service.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`),
        await service.api.get('/api/v1/account/ledger'),
        await service.api.post('/api/v1/jobs/createTask', taskBody()),
        await service.api.post('/api/v1/jobs/cancelTask', { taskId }),
      ]
      for (const answer of answers) {
        const requestId = answer.headers.get('x-request-id')!
        assert.equal(answer.status, 500)
        assert.deepEqual(answer.body, {
          code: 500,
          msg: `Something unexpected went wrong on our side. Please report it with the request id ${requestId}.`,
          data: null,
        })
        const entry = logged.find(({ fields }) => (fields as { request?: string }).request === requestId)
        assert.match(String((entry!.fields as { err: Error }).err), /no such table|does not exist/)
      }
      await service.app.db.run('alter table lost_attempts rename to task_attempts')
      await service.app.db.run('alter table lost_ledger rename to ledger')
      // Nothing of the refused creation was kept.
      assert.equal((await service.api.get('/api/v1/jobs/list')).body.data.items.length, 1)
      assert.equal((await service.api.get(creditPath)).body.data, 1_000_000 - 42)
      assert.equal((await service.api.post('/api/v1/jobs/cancelTask', { taskId })).status, 200)
    } finally {
      await service.stop()
    }
  })
})
