// What `dailies mcp --http` refuses: calls without a valid key before their body is read, names that are not its own,
// bodies that cost too much. The SDK's client itself is in mcp.test.ts.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { newCaller } from '../support/service/callers.ts'
import { startService, type TestService, testKey } from '../support/service/service.ts'
import { within } from '../support/within.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

describe('dailies mcp --http', { timeout: 120_000 }, () => {
  let service: TestService
  const children: ChildProcess[] = []
  let url: URL
  before(async () => {
    // Two proxies in a row: the one of a test, and the MCP server.
    service = await startService({ DAILIES_TRUST_PROXY: '2' })
    url = await startMcp()
  })
  after(async () => {
    for (const child of children) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await service?.stop()
  })

  async function startMcp(...flags: string[]): Promise<URL> {
    const args = [main, 'mcp', '--http', '--port', '0', '--url', service.url, '--json', ...flags]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
    return new URL((JSON.parse(line) as { url: string }).url)
  }

  interface Call {
    at?: URL
    key?: string | null
    headers?: Record<string, string>
    /** Undefined: the body is announced and never sent. */
    body?: string | Buffer | undefined
  }

  async function call({ at = url, key = testKey, headers = {}, ...rest }: Call = {}) {
    const body = 'body' in rest ? rest.body : listTools
    const sent = request(at, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'content-length': body === undefined ? 14_000_000 : Buffer.byteLength(body),
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
    })
    if (body === undefined) sent.flushHeaders()
    else sent.end(body)
    const [answer] = (await within(10_000, 'a response', once(sent, 'response'))) as [IncomingMessage]
    let text = ''
    for await (const chunk of answer.setEncoding('utf8')) text += chunk
    sent.destroy()
    return { status: answer.statusCode, text }
  }

  test('refuses a call without a valid key before its body arrives', async () => {
    assert.equal((await call()).status, 200)
    for (const key of [null, 'dk_nobody-has-this-key']) {
      for (const body of [listTools, undefined]) {
        const { status, text } = await call({ key, body })
        assert.deepEqual([status, /valid API key/.test(text)], [401, true])
      }
    }
    const client = new Client({ name: 'test', version: '1' })
    const requestInit = { headers: { authorization: `Bearer ${testKey}` } }
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit }) as unknown as Parameters<Client['connect']>[0],
    )
    assert.equal((await client.listTools()).tools.length, 7)
    await client.close()
  })

  test('refuses names that a web page could have taken over', async () => {
    const port = url.port
    for (const [headers, status] of [
      [{ host: `127.0.0.1:${port}` }, 200],
      [{ host: `localhost:${port}` }, 200],
      [{ host: `[::1]:${port}` }, 200],
      [{ host: `evil.example:${port}` }, 403],
      [{ origin: `http://localhost:${port}` }, 200],
      [{ origin: 'http://localhost:6274' }, 200],
      [{ origin: 'https://evil.example' }, 403],
      [{ origin: 'null' }, 403],
      [{ host: `evil.example:${port}`, origin: `http://evil.example:${port}` }, 403],
    ] as [Record<string, string>, number][]) {
      assert.equal((await call({ headers })).status, status, JSON.stringify(headers))
    }
    const named = await startMcp('--public-url', 'https://mcp.example')
    for (const [headers, status] of [
      [{ host: 'mcp.example' }, 200],
      [{ host: 'mcp.example', origin: 'https://mcp.example' }, 200],
      [{ host: 'mcp.example', origin: 'https://evil.example' }, 403],
      [{ host: 'other.example' }, 403],
    ] as [Record<string, string>, number][]) {
      assert.equal((await call({ at: named, headers })).status, status, JSON.stringify(headers))
    }
  })

  test('refuses bodies that are too deep, too large or of too many parts', async () => {
    const deep = `${'['.repeat(1000)}${']'.repeat(1000)}`
    for (const [body, problem] of [
      [Buffer.alloc(14_000_000, '['), /nested too deeply/],
      [deep, /nested too deeply/],
      [`[${'1,'.repeat(3000)}1]`, /more than 2000 values/],
      [JSON.stringify(Array(21).fill(JSON.parse(listTools))), /at most 20/],
      [Buffer.alloc(16 * 2 ** 20, ' '), /too large/],
      ['{', /not valid JSON|not JSON/],
    ] as [string | Buffer, RegExp][]) {
      const { status, text } = await call({ body })
      assert.deepEqual([status, problem.test(text)], [400, true], text)
    }
  })

  test("passes the caller's address on", async () => {
    const { key } = await newCaller(service, 100, { addresses: ['203.0.113.7'] })
    const from = (address: string) => call({ key, headers: { 'x-forwarded-for': address } })
    assert.equal((await from('203.0.113.7')).status, 200)
    assert.equal((await from('203.0.113.8')).status, 401)
    assert.equal((await from('203.0.113.7, 203.0.113.8')).status, 401)
    assert.equal((await call({ key })).status, 401)
  })
})
