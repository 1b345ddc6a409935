// Many names that lead to one address: an account posts to it a limited number of times at once, and others all the same.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { parsePrivateNetwork } from '../../src/outbound/address-rules.ts'
import { createGuardedFetch, type GuardedFetch, postsPerAddress } from '../../src/outbound/guarded-fetch.ts'
import { untilTrue } from '../support/until.ts'

interface PostOptions {
  signal?: AbortSignal
  timeoutMs?: number
}

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

  const post = (account: string, name: string, { signal, timeoutMs = 60_000 }: PostOptions = {}) =>
    fetch.post(`http://${name}.example:${(server.address() as AddressInfo).port}/`, {
      account,
      headers: () => ({}),
      body: '{}',
      timeoutMs,
      answerBytesMax: 10,
      signal,
    })

  test('are sent a few at a time, in turn, and do not keep another account waiting', async () => {
    const count = postsPerAddress.unknown + 20
    const posts = Array.from({ length: count }, (_, index) => post('a', `a${index}`))
    await untilTrue('the first are there', () => hosts.length === postsPerAddress.unknown)
    const given = new AbortController()
    const stopped = post('a', 'stopped', { signal: given.signal })
    given.abort(new Error('enough'))
    await assert.rejects(stopped, /enough/)
    const other = post('b', 'b0')
    // It came after the waiting ones, none of which was sent before it.
    await untilTrue('the other is there', () => hosts.includes('b0'))
    assert.equal(hosts.length, postsPerAddress.unknown + 1)
    hosts = []
    for (const response of held.splice(0)) response.end('ok')
    await untilTrue('the rest is there', () => hosts.length === 20)
    for (const response of held.splice(0)) response.end('ok')
    for (const { status } of await Promise.all([...posts, other])) assert.equal(status, 200)
    assert.ok(!hosts.includes('stopped'))
  })

  test('leave room for receivers that are new, and more for those that are quick', async () => {
    const dead = Array.from({ length: 30 }, (_, index) => `dead${index}`)
    // Longer than a quick receiver takes.
    const hanging = dead.map((name) => post('c', name, { timeoutMs: 5100 }))
    for (const result of await Promise.allSettled(hanging)) assert.equal(result.status, 'rejected')
    held.splice(0)
    const refused = post('c', 'refuses')
    await untilTrue('it is there', () => held.length === 1)
    held.pop()!.destroy()
    await assert.rejects(refused)

    hosts = []
    const again = dead.map((name) => post('c', name))
    await untilTrue('some are there again', () => hosts.length === postsPerAddress.slow)
    const overtaking = ['new', 'refuses'].map((name) => post('c', name))
    await untilTrue('others overtake them', () => hosts.includes('new') && hosts.includes('refuses'))
    for (const response of held.splice(-2)) response.end('ok')
    for (const { status } of await Promise.all(overtaking)) assert.equal(status, 200)
    const responding = Array.from({ length: 70 }, () => post('c', 'new'))
    await untilTrue('it gets all that is left', () => hosts.length === postsPerAddress.quick + 2)
    assert.equal(hosts.filter((name) => name.startsWith('dead')).length, postsPerAddress.slow)

    const all = Promise.all([...again, ...responding])
    let ended = false
    void all.then(() => {
      ended = true
    })
    await untilTrue('every one is sent', () => {
      for (const response of held.splice(0)) response.end('ok')
      return ended
    })
    assert.equal(hosts.length, 30 + 2 + 70)
  })

  test('of which one has many take turns', async () => {
    const waitingFirst = postsPerAddress.quick
    hosts = []
    const warm = ['many', 'few'].map((name) => post('d', name))
    await untilTrue('both are there', () => held.length === 2)
    for (const response of held.splice(0)) response.end('ok')
    await Promise.all(warm)
    hosts = []
    const posts = [
      ...Array.from({ length: waitingFirst + 10 }, () => post('d', 'many')),
      ...Array.from({ length: 3 }, () => post('d', 'few')),
    ]
    await untilTrue('all places are taken', () => hosts.length === waitingFirst)
    for (const response of held.splice(0, 6)) response.end('ok')
    await untilTrue('the next six are there', () => hosts.length === waitingFirst + 6)
    assert.deepEqual(hosts.slice(waitingFirst).sort(), ['few', 'few', 'few', 'many', 'many', 'many'])
    for (const response of held.splice(0)) response.end('ok')
    await untilTrue('the last are there', () => hosts.length === posts.length)
    for (const response of held.splice(0)) response.end('ok')
    await Promise.all(posts)
  })
})
