// Downloads through the guarded fetch from a real server that misbehaves: how each one ends, as which kind of failure, and
// that no file or connection is left behind.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { parsePrivateNetwork } from '../../src/outbound/address-rules.ts'
import type { FetchFailureKind } from '../../src/outbound/fetch-failure.ts'
import { createGuardedFetch, type GuardedFetch } from '../../src/outbound/guarded-fetch.ts'
import { type BadServer, startBadServer } from '../support/network/bad-server.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../support/network/tls-certificate.ts'
import { failureOf, findClosedPort } from './support/guarded.ts'

const policy = parsePrivateNetwork(undefined, true)
const KB = Buffer.alloc(1024, 'k')

let folder: string
let server: BadServer
let fetch: GuardedFetch
let closedPort: number

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guarded-'))
  server = await startBadServer({
    files: {
      '/kb': { body: KB, type: 'image/png' },
      '/ä': { body: KB },
      '/mb': { body: Buffer.alloc(2 ** 20), closes: true },
    },
  })
  fetch = createGuardedFetch({
    policy,
    lookup: async (name) => (name === 'name.example' ? ['127.0.0.1'] : []),
    timeouts: { connectMs: 300, headersMs: 300, wholeMs: 700 },
  })
  closedPort = await findClosedPort()
})
after(async () => {
  await fetch.close()
  await server.close()
  await rm(folder, { recursive: true })
})
afterEach(async () => {
  assert.deepEqual(await readdir(folder), [], 'no file is left behind')
})

function download(url: string, bytesMax = 100_000, signal?: AbortSignal) {
  return fetch.download(url, { toPath: join(folder, 'file'), bytesMax, signal })
}

async function downloadAndRead(url: string, bytesMax?: number) {
  const downloaded = await download(url, bytesMax)
  const content = await readFile(join(folder, 'file'))
  await rm(join(folder, 'file'))
  return { ...downloaded, content }
}

describe('a download', () => {
  test('puts the bytes into the file and returns their type', async () => {
    const { content, ...facts } = await downloadAndRead(`${server.origin}/kb`)
    assert.deepEqual(facts, { bytes: 1024, contentType: 'image/png', finalUrl: `${server.origin}/kb` })
    assert.deepEqual(content, KB)
  })

  test('asks with GET, for plain bytes, on a connection of its own', async () => {
    await downloadAndRead(`${server.origin}/kb?x=1#fragment`)
    const { method, path, headers } = server.requests.at(-1)!
    assert.deepEqual([method, path], ['GET', '/kb?x=1'])
    assert.equal(headers['accept-encoding'], 'identity')
    assert.equal(headers.connection, 'close')
  })

  test('resolves names through the given lookup and keeps the name in the Host header', async () => {
    await downloadAndRead(`http://name.example:${server.port}/kb`)
    assert.equal(server.requests.at(-1)!.headers.host, `name.example:${server.port}`)
  })

  test('takes exactly as many bytes as allowed and not one more', async () => {
    assert.equal((await downloadAndRead(`${server.origin}/kb`, 1024)).bytes, 1024)
    const error = await failureOf(download(`${server.origin}/kb`, 1023))
    assert.deepEqual([error.kind, error.bytesMax], ['too_large', 1023])
  })

  test('can let the first bytes decide how many are allowed', async () => {
    const heads: string[] = []
    const bytesMax = (head: Buffer) => {
      heads.push(head.toString())
      return head.toString().startsWith('kk') ? 1024 : 10
    }
    const toPath = join(folder, 'file')
    assert.equal((await fetch.download(`${server.origin}/kb`, { toPath, bytesMax })).bytes, 1024)
    await rm(toPath)
    assert.equal(heads[0], 'k'.repeat(64))
    const error = await failureOf(fetch.download(`${server.origin}/endless`, { toPath, bytesMax }))
    assert.deepEqual([error.kind, error.bytesMax], ['too_large', 10])
  })

  test('follows three redirects and not four', async () => {
    const { finalUrl } = await downloadAndRead(`${server.origin}/hops?left=3&end=/kb`)
    assert.equal(finalUrl, `${server.origin}/kb`)
    assert.equal((await failureOf(download(`${server.origin}/hops?left=4&end=/kb`))).kind, 'redirect')
  })

  test('follows a redirect to a path that is not escaped', async () => {
    const { finalUrl } = await downloadAndRead(`${server.origin}/to?url=${encodeURIComponent('/%C3%A4?q=ö')}`)
    assert.equal(finalUrl, `${server.origin}/%C3%A4?q=%C3%B6`)
  })

  test('takes a response that says it is not encoded', async () => {
    assert.equal((await downloadAndRead(`${server.origin}/identity`)).content.toString(), 'plain')
  })

  test('takes a large body from a server that closes right after it without announcing that', async () => {
    const { bytes, content } = await downloadAndRead(`${server.origin}/mb`, 2 ** 20)
    assert.deepEqual([bytes, content.length], [2 ** 20, 2 ** 20])
  })

  const FAILURES: readonly (readonly [string, FetchFailureKind])[] = [
    ['/404', 'status'],
    ['/500', 'status'],
    ['/204', 'status'],
    ['/206', 'status'],
    ['/reset', 'reset'],
    ['/reset-at-once', 'reset'],
    ['/ends-early', 'reset'],
    ['/not-http', 'reset'],
    ['/switches-protocol', 'reset'],
    ['/huge-headers', 'reset'],
    ['/status-zero', 'status'],
    ['/hang', 'timeout'],
    ['/header-drip', 'timeout'],
    ['/drip', 'timeout'],
    ['/endless', 'too_large'],
    ['/announced?bytes=100001', 'too_large'],
    ['/announced?bytes=-1', 'reset'],
    ['/announced?bytes=1e9', 'reset'],
    ['/two-lengths', 'reset'],
    ['/gzip', 'encoding'],
    ['/loop', 'redirect'],
    ['/nowhere', 'redirect'],
    ['/to?url=ftp://127.0.0.1/', 'url'],
    ['/to?url=http://user:word@127.0.0.1/', 'url'],
    ['/to?url=http://10.0.0.1/', 'address'],
  ]
  for (const [path, kind] of FAILURES) {
    test(`from ${path} fails as ${kind} and lets the connection go`, async () => {
      const error = await failureOf(download(server.origin + path))
      assert.equal(error.kind, kind)
      assert.doesNotMatch(error.message, /127|ECONN|socket|undici|:\d/i, 'the message is fit for strangers')
      await server.drained()
    })
  }

  test('says which status it got', async () => {
    const error = await failureOf(download(`${server.origin}/404`))
    assert.deepEqual([error.status, error.message], [404, 'the server responded with 404'])
  })

  test('from a port without a listener fails as connect', async () => {
    assert.equal((await failureOf(download(`http://127.0.0.1:${closedPort}/`))).kind, 'connect')
  })

  test('from a server that accepts and says nothing at all fails in time', async () => {
    const silent = createTcpServer()
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const startedAt = performance.now()
    assert.equal((await failureOf(download(`https://127.0.0.1:${port}/`))).kind, 'timeout', 'in the TLS handshake')
    assert.equal((await failureOf(download(`http://127.0.0.1:${port}/`))).kind, 'timeout', 'before the headers')
    assert.ok(performance.now() - startedAt < 5000)
    silent.close()
  })

  test('gives up on headers long before the time for everything', async () => {
    const own = createGuardedFetch({ policy, timeouts: { headersMs: 200, wholeMs: 60_000 } })
    const toPath = join(folder, 'file')
    const startedAt = performance.now()
    assert.equal((await failureOf(own.download(`${server.origin}/hang`, { toPath, bytesMax: 1 }))).kind, 'timeout')
    assert.ok(performance.now() - startedAt < 5000)
    await own.close()
  })

  test('of an unknown name fails as dns, and so does a lookup that breaks', async () => {
    assert.equal((await failureOf(download('http://unknown.example/'))).kind, 'dns')
    const broken = createGuardedFetch({ policy, lookup: () => Promise.reject(new Error('10.0.0.53 refused')) })
    const error = await failureOf(broken.download('http://x.example/', { toPath: join(folder, 'file'), bytesMax: 1 }))
    assert.deepEqual([error.kind, error.message], ['dns', 'the host name could not be resolved'])
    await broken.close()
  })

  test('waits for a slow lookup no longer than for a connection', async () => {
    const slow = createGuardedFetch({ policy, lookup: () => new Promise(() => {}), timeouts: { connectMs: 100 } })
    const error = await failureOf(slow.download('http://x.example/', { toPath: join(folder, 'file'), bytesMax: 1 }))
    assert.equal(error.kind, 'timeout')
    await slow.close()
  })

  test('stops when the caller says so, with the reason of the caller', async () => {
    const reason = new Error('task was canceled')
    await assert.rejects(download(`${server.origin}/kb`, 1024, AbortSignal.abort(reason)), reason)
    const controller = new AbortController()
    const arrived = server.nextRequest()
    const pending = download(`${server.origin}/drip`, 100_000, controller.signal)
    await arrived
    controller.abort(reason)
    await assert.rejects(pending, reason)
    await server.drained()
  })

  test('stops at once also while a name is being resolved', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const lookup = () => {
      ask()
      return new Promise<string[]>(() => {})
    }
    const own = createGuardedFetch({ policy, lookup, timeouts: { connectMs: 20_000 } })
    const controller = new AbortController()
    const { signal } = controller
    const pending = own.download('http://x.example/', { toPath: join(folder, 'file'), bytesMax: 1, signal })
    await asked
    const startedAt = performance.now()
    const reason = new Error('task was canceled')
    controller.abort(reason)
    await assert.rejects(pending, reason)
    assert.ok(performance.now() - startedAt < 5000)
    await own.close()
  })

  test('does not blame the server when our own disk fails', async () => {
    const toPath = join(folder, 'missing', 'file')
    await assert.rejects(fetch.download(`${server.origin}/kb`, { toPath, bytesMax: 1024 }), { code: 'ENOENT' })
    await mkdir(join(folder, 'missing'))
    await assert.rejects(fetch.download(`${server.origin}/kb`, { toPath: join(folder, 'missing'), bytesMax: 1024 }), {
      code: 'EISDIR',
    })
    await rm(join(folder, 'missing'), { recursive: true })
  })

  test('ends when the fetch is closed', async () => {
    const own = createGuardedFetch({ policy })
    const arrived = server.nextRequest()
    const pending = failureOf(own.download(`${server.origin}/drip`, { toPath: join(folder, 'file'), bytesMax: 1e6 }))
    await arrived
    await own.close()
    assert.equal((await pending).kind, 'reset')
    await server.drained()
  })
})

describe('TLS', () => {
  let secure: BadServer
  before(async () => {
    const options = { cert: TEST_CERTIFICATE, key: TEST_KEY }
    secure = await startBadServer({ createServer: (listener) => createTlsServer(options, listener) as never })
  })
  after(() => secure.close())

  test('a certificate that no trusted authority has signed is refused', async () => {
    assert.equal((await failureOf(download(`https://name.example:${secure.port}/`))).kind, 'tls')
  })

  test('a certificate is checked against the name in the URL, not the address', async () => {
    const lookup = async () => ['127.0.0.1']
    const trusting = createGuardedFetch({ policy, lookup, ca: TEST_CERTIFICATE })
    const toPath = join(folder, 'file')
    await trusting.download(`https://name.example:${secure.port}/`, { toPath, bytesMax: 10 })
    await rm(toPath)
    const other = trusting.download(`https://other.example:${secure.port}/`, { toPath, bytesMax: 10 })
    assert.equal((await failureOf(other)).kind, 'tls')
    await trusting.close()
  })
})
