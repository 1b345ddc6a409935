// No spelling of a forbidden address, however it is reached, opens a connection to a canary on loopback.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parsePrivateNetwork } from '../../src/outbound/address-rules.ts'
import { FetchFailure } from '../../src/outbound/fetch-failure.ts'
import { literalAddress } from '../../src/outbound/fetch-url.ts'
import { createGuardedFetch, type GuardedFetch } from '../../src/outbound/guarded-fetch.ts'
import { type BadServer, startBadServer } from '../support/network/bad-server.ts'
import { LOOPBACK_HOSTS } from '../support/network/loopback-spellings.ts'

/** Whole URLs whose authority only the parser finds; `PORT` is the canary's. */
const ODD_URLS = [
  'http:127.0.0.1:PORT/',
  'http:/127.0.0.1:PORT/',
  'http:///127.0.0.1:PORT/',
  'http:////127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  'http://127.0.0.1:PORT\\@public.example/',
  'http://127.0.0.1:PORT#@public.example/',
  'http://127.0.0.1:PORT?@public.example/',
  ' \thttp://127.0.0.1:PORT/',
  'ht\ntp://127.0.0.1:PORT/',
  'http://127.0.\t0.1:PORT/',
  'HTTP://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/',
  'http://127.0.0.1:0000PORT/',
  'http://public.example@127.0.0.1:PORT/',
  'http://user:word@127.0.0.1:PORT/',
  'http://public.example:80@127.0.0.1:PORT/',
  'http://:@127.0.0.1:PORT/',
  'file:///etc/passwd',
  'ftp://127.0.0.1:PORT/',
  'gopher://127.0.0.1:PORT/_',
  'data:image/png;base64,iVBORw0KGgo=',
  'blob:http://127.0.0.1:PORT/x',
  'unix:/var/run/docker.sock',
  '//127.0.0.1:PORT/',
  '127.0.0.1:PORT',
  'http://[::1%25lo]:PORT/',
  'http://[fe80::1%25eth0]:PORT/',
  'http://127.0.0.1:PORT:80/',
  'http://0x7g.1:PORT/',
]

const PUBLIC_ADDRESS = '93.184.216.34'
const TIMEOUTS = { connectMs: 1000, headersMs: 1000, wholeMs: 2000 }

describe('no connection reaches the canary', () => {
  let folder: string
  let canaries: BadServer[]
  let redirector: BadServer
  let port: number
  const doors: GuardedFetch[] = []

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ssrf-'))
    const first = await startBadServer()
    port = first.port
    // Machines without IPv6 have no second canary.
    const second = await startBadServer({ host: '::1', port }).catch(() => null)
    canaries = second === null ? [first] : [first, second]
    // On an address of its own, which alone is allowed where a first hop is needed.
    redirector = await startBadServer({ host: '127.0.0.2' })
  })
  after(async () => {
    await Promise.all([...canaries, redirector, ...doors].map((part) => part.close()))
    await rm(folder, { recursive: true })
  })

  function door(setting: string, lookup: (name: string) => Promise<string[]>): GuardedFetch {
    const made = createGuardedFetch({ policy: parsePrivateNetwork(setting, false), lookup, timeouts: TIMEOUTS })
    doors.push(made)
    return made
  }

  const noNames = async (): Promise<string[]> => assert.fail('no name should be resolved')
  const download = (fetch: GuardedFetch, url: string) =>
    fetch.download(url, { toPath: join(folder, 'file'), bytesMax: 1000 })
  const post = (fetch: GuardedFetch, url: string) =>
    fetch.post(url, { account: 'a', headers: () => ({}), body: '{}', timeoutMs: 1000, answerBytesMax: 1000 })

  async function refused(work: Promise<unknown>, kinds: string[], what: string): Promise<void> {
    const error = await work.then(
      () => assert.fail(`${what} was fetched`),
      (reason) => reason,
    )
    assert.ok(error instanceof FetchFailure, `${what}: ${error}`)
    assert.ok(kinds.includes(error.kind), `${what}: ${error.kind}`)
    if (error.kind === 'address') assert.equal(error.message, 'address not allowed')
  }

  async function untouched(): Promise<void> {
    assert.deepEqual(
      canaries.map((canary) => canary.connections),
      canaryBaseline,
    )
    assert.deepEqual(await readdir(folder), [])
  }
  let canaryBaseline: number[] = []

  test('the table is long enough, and every host in it is one that the parser takes', () => {
    assert.ok(new Set(LOOPBACK_HOSTS).size >= 60, `${new Set(LOOPBACK_HOSTS).size} hosts`)
    for (const host of LOOPBACK_HOSTS) assert.ok(literalAddress(new URL(`http://${host}/`).hostname) !== null, host)
  })

  test('control: with loopback allowed the same URLs do reach the canary', async () => {
    const fetch = door('127.0.0.0/8 ::1', noNames)
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', ...(canaries.length > 1 ? ['[::1]'] : [])]) {
      await download(fetch, `http://${host}:${port}/`)
    }
    await post(fetch, `http://127.0.0.1:${port}/`)
    await rm(join(folder, 'file'))
    await fetch.close()
    canaryBaseline = canaries.map((canary) => canary.connections)
    assert.deepEqual(canaryBaseline, [4, 1].slice(0, canaries.length))
  })

  test('written into the URL', async () => {
    const fetch = door('false', noNames)
    for (const host of LOOPBACK_HOSTS) {
      await refused(download(fetch, `http://${host}:${port}/`), ['address'], host)
      await refused(download(fetch, `https://${host}:${port}/`), ['address'], `https ${host}`)
      await refused(post(fetch, `http://${host}:${port}/`), ['address'], `post ${host}`)
    }
    await untouched()
  })

  test('hidden in an odd URL', async () => {
    const fetch = door('false', async () => ['127.0.0.1'])
    for (const url of ODD_URLS.map((odd) => odd.replace('PORT', String(port)))) {
      await refused(download(fetch, url), ['address', 'url'], url)
      await refused(post(fetch, url), ['address', 'url'], `post ${url}`)
    }
    await untouched()
  })

  test('as the answer to a name', async () => {
    for (const host of LOOPBACK_HOSTS) {
      const address = literalAddress(new URL(`http://${host}/`).hostname)!
      const fetch = door('false', async () => [address])
      for (const name of ['name.example', 'localhost', 'LocalHost.', 'a.localhost']) {
        await refused(download(fetch, `http://${name}:${port}/`), ['address'], `${name} at ${host}`)
      }
      await refused(post(fetch, `http://name.example:${port}/`), ['address'], `post to ${host}`)
    }
    await untouched()
  })

  test('among good answers to a name', async () => {
    for (const host of LOOPBACK_HOSTS) {
      const address = literalAddress(new URL(`http://${host}/`).hostname)!
      for (const answers of [
        [PUBLIC_ADDRESS, address],
        [address, PUBLIC_ADDRESS],
        ['2606:4700::1111', PUBLIC_ADDRESS, address],
      ]) {
        const fetch = door('false', async () => answers)
        await refused(download(fetch, `http://name.example:${port}/`), ['address'], answers.join(', '))
        await refused(post(fetch, `http://name.example:${port}/`), ['address'], `post ${answers.join(', ')}`)
      }
    }
    await untouched()
  })

  test('behind a redirect from an allowed server', async () => {
    const fetch = door('127.0.0.2/32', noNames)
    for (const host of LOOPBACK_HOSTS) {
      const target = encodeURIComponent(`http://${host}:${port}/`)
      await refused(download(fetch, `${redirector.origin}/to?url=${target}`), ['address'], host)
      const second = encodeURIComponent(`/to?url=${target}`)
      await refused(download(fetch, `${redirector.origin}/to?url=${second}`), ['address'], `second hop ${host}`)
      const answer = await post(fetch, `${redirector.origin}/to?url=${target}`)
      assert.equal(answer.status, 302, 'a post is not redirected')
    }
    for (const url of ODD_URLS.filter((odd) => !odd.startsWith('127')).map((odd) => odd.replace('PORT', `${port}`))) {
      const to = `${redirector.origin}/to?url=${encodeURIComponent(url)}`
      // A path-like spelling is read against the redirector and stays there; it must just not reach the canary.
      await download(fetch, to).then(
        () => rm(join(folder, 'file')),
        (error) => assert.ok(error instanceof FetchFailure, url),
      )
    }
    await untouched()
  })

  test('given for a name only after the first answer was good', async () => {
    for (const host of LOOPBACK_HOSTS) {
      const address = literalAddress(new URL(`http://${host}/`).hostname)!
      let asked = 0
      const fetch = door('127.0.0.2/32', async () => (asked++ === 0 ? ['127.0.0.2'] : [address]))
      const again = encodeURIComponent(`http://name.example:${port}/`)
      const first = `http://name.example:${redirector.port}/to?url=${again}`
      await refused(download(fetch, first), ['address'], host)
      assert.equal(asked, 2, 'each connection asks once and uses that answer')
    }
    await untouched()
  })

  test('when the peer turns out to be another than the one that was judged', async () => {
    let judged = 0
    const loopback = parsePrivateNetwork('127.0.0.1', false)
    const fetch = createGuardedFetch({
      // Allows the first judgement, before connecting, and not the second, on the connected peer.
      policy: {
        loopback: false,
        private: false,
        get networks() {
          return judged++ === 0 ? loopback.networks : []
        },
      },
      timeouts: TIMEOUTS,
    })
    doors.push(fetch)
    const canary = canaries[0]!
    const requestsBefore = canary.requests.length
    await refused(download(fetch, `http://127.0.0.1:${port}/`), ['address'], 'the peer')
    await canary.drained()
    assert.equal(canary.requests.length, requestsBefore, 'no byte of a request was sent')
  })
})
