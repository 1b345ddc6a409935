// Callbacks through the guarded fetch, to servers of every kind: what is sent, what comes back, and as which failure.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parsePrivateNetwork } from '../../src/outbound/address-rules.ts'
import { FetchFailure, type FetchFailureKind } from '../../src/outbound/fetch-failure.ts'
import { createGuardedFetch, type GuardedFetch } from '../../src/outbound/guarded-fetch.ts'
import { type BadServer, startBadServer } from '../support/network/bad-server.ts'
import { failureOf, findClosedPort } from './support/guarded.ts'

let server: BadServer
let fetch: GuardedFetch

before(async () => {
  server = await startBadServer({ files: { '/kb': { body: Buffer.alloc(1024, 'k') } } })
  fetch = createGuardedFetch({ policy: parsePrivateNetwork(undefined, true), lookup: async () => ['127.0.0.1'] })
})
after(async () => {
  await fetch.close()
  await server.close()
})

describe('a post', () => {
  const options = {
    account: 'a',
    headers: () => ({ 'content-type': 'application/json' }),
    body: '{"a":1}',
    timeoutMs: 400,
    answerBytesMax: 10,
  }

  test('sends headers and body once and returns the response', async () => {
    const answer = await fetch.post(`${server.origin}/hook?x=1`, options)
    assert.deepEqual([answer.status, answer.answer.toString()], [200, 'ok'])
    assert.equal(answer.headers['content-type'], 'text/plain')
    assert.ok(answer.durationMs >= 0 && answer.durationMs < 400)
    const { method, path, headers, body } = server.requests.at(-1)!
    assert.deepEqual([method, path, body], ['POST', '/hook?x=1', '{"a":1}'])
    assert.equal(headers['content-type'], 'application/json')
  })

  test('reuses its connection', async () => {
    const before = server.connections
    for (let count = 0; count < 5; count++) await fetch.post(`${server.origin}/hook`, options)
    assert.ok(server.connections - before <= 1, `${server.connections - before} new connections`)
  })

  test('returns every status, also a redirect, which it does not follow', async () => {
    const before = server.requests.length
    const statuses = []
    for (const path of ['/404', '/500', '/204', '/to?url=/kb']) {
      statuses.push((await fetch.post(server.origin + path, options)).status)
    }
    assert.deepEqual(statuses, [404, 500, 204, 302])
    assert.equal(server.requests.length - before, 4)
  })

  test('reads no more of the response than the limit', async () => {
    assert.equal((await fetch.post(`${server.origin}/kb`, options)).answer.toString(), 'k'.repeat(10))
    assert.equal((await fetch.post(`${server.origin}/endless`, options)).answer.length, 10)
  })

  const FAILURES: readonly (readonly [string, FetchFailureKind])[] = [
    ['/hang', 'timeout'],
    ['/reset-at-once', 'reset'],
    ['/not-http', 'reset'],
    ['/switches-protocol', 'reset'],
    ['/status-zero', 'reset'],
  ]
  for (const [path, kind] of FAILURES) {
    test(`to ${path} fails as ${kind}`, async () => {
      assert.equal((await failureOf(fetch.post(server.origin + path, options))).kind, kind)
    })
  }

  test('with a header that cannot be sent is a mistake of ours and not a failed fetch', async () => {
    const headers = () => ({ 'x-bad': 'two\nlines' })
    await assert.rejects(fetch.post(`${server.origin}/hook`, { ...options, headers }), (error) => {
      return !(error instanceof FetchFailure)
    })
  })

  test('to a port without a listener, a bad URL or a forbidden address fails as that', async () => {
    const urls = [
      `http://127.0.0.1:${await findClosedPort()}/`,
      'nonsense',
      'http://a:b@name.example/',
      'http://10.0.0.1/',
    ]
    const kinds = []
    for (const url of urls) kinds.push((await failureOf(fetch.post(url, options))).kind)
    assert.deepEqual(kinds, ['connect', 'url', 'url', 'address'])
  })
})
