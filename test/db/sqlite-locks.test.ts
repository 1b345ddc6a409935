// SQLite with other processes around: a held write lock must not hold up the event loop, and one folder has one server.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Db } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { isServerRunning, lockServer } from '../../src/db/sqlite/server-lock.ts'
import { OperatorError } from '../../src/platform/errors.ts'
import { within } from '../support/within.ts'

/** Takes the write lock, says so, and gives it back when it is spoken to. */
const holder = `
import { DatabaseSync } from 'node:sqlite'
const db = new DatabaseSync(process.argv[1])
db.exec('BEGIN IMMEDIATE')
console.log('held')
process.stdin.once('data', () => { db.exec("insert into switches values ('theirs', 1); COMMIT"); process.exit(0) })`

/** Looks at the lock of a server as commands do, but goes on doing so until it is spoken to. */
const looker = `
import { DatabaseSync } from 'node:sqlite'
const db = new DatabaseSync(process.argv[1])
db.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
console.log('held')
process.stdin.once('data', () => setTimeout(() => process.exit(0), 200))`

describe('SQLite beside other processes', () => {
  let dataDir: string
  let db: Db
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'dailies-test-'))
    db = await openDatabase({ dataDir, databaseUrl: null })
    await migrate(db, 0)
  })
  after(async () => {
    await db?.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const holdLock = () => hold(holder, join(dataDir, 'dailies.sqlite'))

  async function hold(script: string, path: string): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await within(20_000, 'the lock to be held', once(child.stdout!, 'data'))
    return child
  }

  test('a held write lock blocks neither the event loop nor readers, and the write goes through once it is free', async () => {
    const child = await holdLock()
    let ticks = 0
    const ticker = setInterval(() => ticks++, 5)
    let written = false
    const write = db.insert('switches', [{ name: 'ours', changed_at: 1 }]).then(() => {
      written = true
    })
    // Ticks are counted, not timed: a blocked loop would have none before the write.
    await within(
      20_000,
      'a timer to tick while the lock is held',
      new Promise<void>((resolve) => {
        const watch = setInterval(() => {
          if (ticks < 10) return
          clearInterval(watch)
          resolve()
        }, 5)
      }),
    )
    assert.equal(written, false)
    assert.equal((await db.all('select name from switches')).length, 0)
    const exited = once(child, 'exit')
    child.stdin!.end('now')
    await within(20_000, 'the write', write)
    clearInterval(ticker)
    await exited
    const rows = await db.all<{ name: string }>('select name from switches order by name')
    assert.deepEqual(
      rows.map((row) => row.name),
      ['ours', 'theirs'],
    )
  })

  test('the lock of a process that has ended is free', async () => {
    const child = await holdLock()
    const exited = once(child, 'exit')
    const write = db.insert('switches', [{ name: 'after a death', changed_at: 1 }])
    child.kill('SIGKILL')
    await exited
    await within(20_000, 'the write', write)
  })

  test('a folder has one server', () => {
    const path = join(dataDir, 'server.lock')
    const lock = lockServer(path, dataDir)
    assert.throws(
      () => lockServer(path, dataDir),
      (error: Error) =>
        error instanceof OperatorError && error.message.includes(`already runs on the data folder ${dataDir}`),
    )
    lock.release()
    lockServer(path, dataDir).release()
  })

  test('commands that look for a server at the same time see neither each other nor keep one from starting', async () => {
    const path = join(dataDir, 'looked-at.lock')
    assert.equal(isServerRunning(path), false)
    lockServer(path, dataDir).release()
    const child = await hold(looker, path)
    const exited = once(child, 'exit')
    assert.equal(isServerRunning(path), false)
    child.stdin!.end('now')
    const lock = lockServer(path, dataDir)
    assert.equal(isServerRunning(path), true)
    lock.release()
    assert.equal(isServerRunning(path), false)
    await exited
  })
})
