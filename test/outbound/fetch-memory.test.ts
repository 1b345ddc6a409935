// 64 downloads of 10 MB at once hold a chunk each, not the files. The server is another process.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parsePrivateNetwork } from '../../src/outbound/address-rules.ts'
import { createGuardedFetch } from '../../src/outbound/guarded-fetch.ts'
import { addedBytes } from '../support/memory-watch.ts'
import { startImageServer } from '../support/network/image-server.ts'

const MB = 2 ** 20

test('64 downloads of 10 MB at once add less than 200 MB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'memory-'))
  const server = await startImageServer()
  const fetch = createGuardedFetch({ policy: parsePrivateNetwork(undefined, true) })
  const download = (name: string) =>
    fetch.download(`${server.origin}/heavy`, { toPath: join(folder, name), bytesMax: 10 * MB })
  try {
    await download('warm-up')
    const added = await addedBytes(async () => {
      const all = await Promise.all(Array.from({ length: 64 }, (_, i) => download(`file${i}`)))
      assert.ok(all.every(({ bytes }) => bytes === server.heavyBytes && bytes > 8 * MB))
    })
    assert.ok(added < 200 * MB, `${Math.round(added / MB)} MB`)
    assert.equal((await readdir(folder)).length, 65)
  } finally {
    await fetch.close()
    await server.close()
    await rm(folder, { recursive: true })
  }
})
