// The default resolver: names of this machine, and names asked of a small name server of our own.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { FetchFailure } from '../../src/outbound/fetch-failure.ts'
import { createHostResolver, type HostLookup } from '../../src/outbound/resolve-host.ts'

const isDnsFailure = (error: unknown) => error instanceof FetchFailure && error.kind === 'dns'

test('localhost is found on this machine', async () => {
  const resolve = createHostResolver({ servers: ['127.0.0.1:1'] })
  for (const name of ['localhost', 'LOCALHOST', 'localhost.']) {
    const addresses = await resolve(name)
    assert.ok(addresses.length > 0, name)
    for (const address of addresses) assert.match(address, /^(127\.|::1$)/)
  }
})

describe('with a name server', () => {
  const A = 1
  const AAAA = 28
  const ZONE: Record<string, Partial<Record<number, number[][]>>> = {
    'four.example': { [A]: [[93, 184, 216, 34]] },
    'six.example': { [AAAA]: [[0x26, 0x06, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11]] },
    'both.example': {
      [A]: [
        [93, 184, 216, 34],
        [127, 0, 0, 1],
      ],
      [AAAA]: [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    },
    'empty.example': {},
  }
  const server = createSocket('udp4')
  const asked: string[] = []
  let resolve: HostLookup
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hosts-'))
    server.on('message', (query, from) => {
      const { name, type } = readQuestion(query)
      asked.push(name)
      if (!name.startsWith('silent')) server.send(answer(query, ZONE[name], type), from.port, from.address)
    })
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    await writeFile(join(folder, 'hosts'), '# comment\n10.0.0.9  Internal.Service.invalid other # more\n')
    const servers = [`127.0.0.1:${server.address().port}`]
    resolve = createHostResolver({ servers, attemptMs: 1500, attempts: 2, hostsFile: join(folder, 'hosts') })
  })
  after(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })

  test('all addresses of both families come back', async () => {
    assert.deepEqual(await resolve('four.example'), ['93.184.216.34'])
    assert.deepEqual(await resolve('Six.Example.'), ['2606:4700::1111'])
    assert.deepEqual(await resolve('both.example'), ['93.184.216.34', '127.0.0.1', '::1'])
  })

  test('names without an address, unknown names and silence are failures of kind dns', async () => {
    await assert.rejects(resolve('empty.example'), isDnsFailure)
    await assert.rejects(resolve('unknown.example'), isDnsFailure)
    await assert.rejects(resolve('silent.example'), isDnsFailure)
  })

  test('only silence may pass', async () => {
    const mayPass = (name: string) =>
      resolve(name).then(
        () => assert.fail(name),
        (error) => error.isPassing,
      )
    assert.equal(await mayPass('empty.example'), false)
    assert.equal(await mayPass('unknown.example'), false)
    assert.equal(await mayPass('silent.example'), true)
  })

  test('many names that do not resolve do not delay one that does', async () => {
    let timeOuts = 0
    const silent = Array.from({ length: 50 }, (_, i) => resolve(`silent${i}.example`).catch(() => timeOuts++))
    await resolve('four.example')
    assert.equal(timeOuts, 0, 'it did not wait for a time-out')
    await Promise.all(silent)
    assert.equal(timeOuts, 50)
  })

  test('a name from the hosts file is asked of this machine, not of the name server', async () => {
    // This machine's own hosts file does not have the name, so it is not found; what counts is who was asked.
    await assert.rejects(resolve('internal.service.INVALID'), isDnsFailure)
    assert.ok(!asked.includes('internal.service.invalid'))
  })
})

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  while (query[at] !== 0) {
    const length = query[at]!
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answer(query: Buffer, entry: Partial<Record<number, number[][]>> | undefined, type: number): Buffer {
  const records = (entry?.[type] ?? []).map((address) => {
    const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length])
    return Buffer.concat([head, Buffer.from(address)])
  })
  const NAME_ERROR = 3
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (entry === undefined ? NAME_ERROR : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(12, readQuestion(query).end), ...records])
}
