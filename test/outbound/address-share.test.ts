// Many names that lead to one address: an account posts to it a limited number of times at once, and others all the same.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { parsePrivateNetwork } from '../../src/outbound/address-rules.ts'
import { createGuardedFetch, type GuardedFetch, postsPerAddressMax } from '../../src/outbound/guarded-fetch.ts'
import { untilTrue } from '../support/until.ts'

describe('posts to many names of one address', () => {
  let server: Server
  let fetch: GuardedFetch
  const held: ServerResponse[] = []
  /** Requests that were not responded to, by the first label of their host. */
  let hosts: string[] = []

  before(async () => {
    server = createServer((request, response) => {
      hosts.push(request.headers.host!.split('.')[0]!)
      held.push(response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    fetch = createGuardedFetch({ policy: parsePrivateNetwork(undefined, true), lookup: async () => ['127.0.0.1'] })
  })
  after(async () => {
    await fetch.close()
    server.close()
    server.closeAllConnections()
  })

  const post = (account: string, name: string, signal?: AbortSignal) =>
    fetch.post(`http://${name}.example:${(server.address() as AddressInfo).port}/`, {
      account,
      headers: {},
      body: '{}',
      timeoutMs: 60_000,
      answerBytesMax: 10,
      signal,
    })

  test('are sent a few at a time, in turn, and do not keep another account waiting', async () => {
    const count = postsPerAddressMax + 20
    const posts = Array.from({ length: count }, (_, index) => post('a', `a${index}`))
    await untilTrue('the first are there', () => hosts.length === postsPerAddressMax)
    const given = new AbortController()
    const stopped = post('a', 'stopped', given.signal)
    given.abort(new Error('enough'))
    await assert.rejects(stopped, /enough/)
    const other = post('b', 'b0')
    // It came after the waiting ones, none of which was sent before it.
    await untilTrue('the other is there', () => hosts.includes('b0'))
    assert.equal(hosts.length, postsPerAddressMax + 1)
    hosts = []
    for (const response of held.splice(0)) response.end('ok')
    await untilTrue('the rest is there', () => hosts.length === 20)
    for (const response of held.splice(0)) response.end('ok')
    for (const { status } of await Promise.all([...posts, other])) assert.equal(status, 200)
    assert.ok(!hosts.includes('stopped'))
  })
})
