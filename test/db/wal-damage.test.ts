// A damaged write-ahead log: SQLite drops what follows the damage, and the start says so.
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { places } from '../support/places/places.ts'
import { startProcess } from '../support/service/process.ts'

const pageBytes = 4096
const frameBytes = 24 + pageBytes

/** What a start logs about the log that a killed process left, after `damage` was done to it. */
async function startAfter(damage: (wal: Buffer) => void): Promise<{ output: string; copies: number }> {
  const place = await places[0].create()
  const folder = place.env.DAILIES_DATA!
  const path = join(folder, 'dailies.sqlite-wal')
  try {
    const first = await startProcess(place.env)
    for (let i = 0; i < 5; i++) await first.api.createTask('a boat script: stall')
    await first.kill('SIGKILL')
    const wal = await readFile(path)
    assert.ok(wal.length > 20 * frameBytes)
    damage(wal)
    await writeFile(path, wal)
    const second = await startProcess(place.env)
    await second.kill('SIGTERM')
    const copies = (await readdir(folder)).filter((name) => name.includes('-wal.damaged-')).length
    return { output: second.output(), copies }
  } finally {
    await place.stop()
  }
}

/** Changes a byte of a page. */
const damageFrame = (wal: Buffer, frame: number) => {
  wal[32 + (frame - 1) * frameBytes + 24 + 100]! ^= 0xff
}

test('a log that is whole is no news', async () => {
  const { output, copies } = await startAfter(() => {})
  assert.doesNotMatch(output, /write-ahead log/i)
  assert.equal(copies, 0)
})

test('lost transactions are announced loudly, and the log is kept', async () => {
  for (const damage of [
    (wal: Buffer) => damageFrame(wal, Math.floor((wal.length - 32) / frameBytes / 2)),
    // SQLite ignores the whole log.
    (wal: Buffer) => {
      wal[24]! ^= 0xff
    },
  ]) {
    const { output, copies } = await startAfter(damage)
    assert.match(output, /"level":50[^\n]*THE WRITE-AHEAD LOG OF THE DATABASE IS DAMAGED/)
    assert.equal(copies, 1)
  }
})

test('a last transaction that was not written whole is mentioned', async () => {
  const { output, copies } = await startAfter((wal) => damageFrame(wal, Math.floor((wal.length - 32) / frameBytes)))
  assert.match(output, /"level":40[^\n]*the last transaction in the write-ahead log is incomplete/)
  assert.equal(copies, 0)
})
