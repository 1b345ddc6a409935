// Hostile sockets of every kind against a process with few descriptors: a well-behaved client is served throughout, and
// every descriptor is free again soon after, although the hostile clients never close anything.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { places, type TestPlace } from '../../support/places/places.ts'
import { type ServiceProcess, startProcess } from '../../support/service/process.ts'
import { testKey } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'

const attackerMain = fileURLToPath(new URL('../../support/network/hostile-sockets.ts', import.meta.url))
const descriptors = 512
const socketsEach = 2000
const attackerAddress = '127.0.0.2'
/** On an idle machine it takes about 10 ms; the deadline is for one that is busy with other tests. */
const servedWithinMs = 5000
/** At the attacker's own address a connection may be closed before its request was read. */
const attemptsAtSameAddress = 10
const freeWithinMs = 30_000

const create = 'POST /api/v1/jobs/createTask HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n'
const authorization = `authorization: Bearer ${testKey}\r\n`

const hostileKinds: Record<string, string | Buffer> = {
  idle: '',
  garbage: Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x0d, 0x0a, 0x0d, 0x0a]),
  'partial headers': 'GET /livez HTTP/1.1\r\nhost: a\r\nx-more: ',
  'a header block that is too large': `GET /livez HTTP/1.1\r\nx-huge: ${'h'.repeat(20_000)}`,
  'a body without a key that never ends': `${create}content-length: 1000\r\n\r\n{`,
  'a body with a key that never ends': `${create}${authorization}content-length: 1000\r\n\r\n{`,
  'chunks that never end': `${create}${authorization}transfer-encoding: chunked\r\n\r\n5\r\n{"mod`,
  'responses that nobody reads': 'GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(50),
  'kept alive after a request': 'GET /livez HTTP/1.1\r\nhost: a\r\n\r\n',
}

describe('hostile sockets', { timeout: 240_000 }, () => {
  let place: TestPlace
  let service: ServiceProcess
  const attackers: ChildProcess[] = []

  before(async () => {
    place = await places[0].create()
    service = await startProcess({ ...place.env, DAILIES_LOG_LEVEL: 'error' }, ['serve', '--work'], { descriptors })
  })
  after(async () => {
    for (const attacker of attackers) attacker.kill('SIGKILL')
    await service.kill('SIGTERM')
    await place.stop()
  })

  const openDescriptors = async () => (await readdir(`/proc/${service.child.pid}/fd`)).length

  async function attackAndServe(kind: string, address: string, attempts = 1): Promise<void> {
    let over = false
    const attacking = openSockets(service.url, hostileKinds[kind]!, address, attackers).finally(() => {
      over = true
    })
    const times: number[] = []
    while (!over || times.length < 10) {
      for (const path of ['/livez', '/api/v1/account/credit']) {
        times.push(await retry(attempts, () => timeRequest(service.url, path)))
      }
      assert.ok((await openDescriptors()) < descriptors - 50, 'hardly any descriptor is left')
      await delay(10)
    }
    await attacking
    const worst = Math.max(...times)
    assert.ok(worst < servedWithinMs, `${kind}: a request took ${Math.round(worst)} ms`)
  }

  test('leave room for a well-behaved client, and all their descriptors are freed', async () => {
    const quiet = await openDescriptors()
    for (const kind of Object.keys(hostileKinds)) await attackAndServe(kind, attackerAddress)
    await untilTrue(
      'the descriptors are free',
      async () => {
        await delay(200)
        return (await openDescriptors()) <= quiet + 5
      },
      freeWithinMs,
    )
    assert.doesNotMatch(service.output(), /unexpected|uncaught|EMFILE/i)
  })

  test('do not crowd out a client at the same address', async () => {
    for (const kind of ['idle', 'a body without a key that never ends']) {
      await attackAndServe(kind, '127.0.0.1', attemptsAtSameAddress)
    }
  })
})

/** Resolves when all sockets were opened; they stay open until the process is killed. */
async function openSockets(url: string, bytes: string | Buffer, address: string, attackers: ChildProcess[]) {
  const args = [attackerMain, new URL(url).port, address, String(socketsEach), Buffer.from(bytes).toString('base64')]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  attackers.push(child)
  await once(child.stdout, 'data')
}

async function retry<T>(attempts: number, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (attempt === attempts) throw error
      await delay(20)
    }
  }
}

/** One request on a connection of its own, in milliseconds. */
function timeRequest(url: string, path: string): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const request = httpRequest(url + path, { agent: false, headers: { authorization: `Bearer ${testKey}` } })
    request.setTimeout(servedWithinMs, () => request.destroy(new Error(`no response to ${path}`)))
    request.on('error', reject)
    request.on('response', (response) => {
      response.resume()
      if (response.statusCode !== 200) reject(new Error(`${path} was ${response.statusCode}`))
      else response.on('end', () => resolve(performance.now() - startedAt))
    })
    request.end()
  })
}
