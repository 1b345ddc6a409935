// The default resolver where it needs no network: names of this machine, and a name server of our own.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FetchFailure } from '../../src/media/fetch-failure.ts'
import { createHostResolver } from '../../src/media/resolve-host.ts'

test('localhost and names below it are found on this machine', async () => {
  const resolve = createHostResolver()
  for (const name of ['localhost', 'LOCALHOST', 'localhost.']) {
    const addresses = await resolve(name)
    assert.ok(addresses.length > 0, name)
    for (const address of addresses) assert.match(address, /^(127\.|::1$)/)
  }
})

test('a name from the hosts file is asked of this machine, whatever its case', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hosts-'))
  const hostsFile = join(folder, 'hosts')
  // The machine does not know this name, and says so at once; the name servers are not asked.
  await writeFile(hostsFile, '# comment\n10.0.0.9  Internal.Service.invalid other # more\n')
  const resolve = createHostResolver({ hostsFile, tryMs: 60_000, tries: 1 })
  await assert.rejects(
    resolve('internal.service.invalid'),
    (error) => error instanceof FetchFailure && error.kind === 'dns',
  )
  await rm(folder, { recursive: true })
})
