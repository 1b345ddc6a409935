// The doctor says what is wrong and what to do, and changes nothing.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { type Check, checkNode, checkSettings } from '../../src/cli/doctor/checks.ts'
import { checkClock } from '../../src/cli/doctor/database.ts'
import { lockServer } from '../../src/db/sqlite/server-lock.ts'
import { createSmallDisk } from '../support/faults/small-disk.ts'
import { commandJson, runCommand } from '../support/service/command.ts'
import { startProcess } from '../support/service/process.ts'

describe('dailies doctor', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dailies-doctor-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  async function examine(env: Record<string, string>): Promise<{ code: number; ok: boolean; checks: Check[] }> {
    const { code, stdout } = await runCommand(['doctor', '--json'], { DAILIES_PORT: '0', ...env })
    return { code, ...JSON.parse(stdout) }
  }
  const find = (checks: Check[], name: string) => checks.find((check) => check.name === name)!

  test('before the first start everything is fine and stays as it is', async () => {
    const { code, ok, checks } = await examine({ DAILIES_DATA: join(folder, 'new', 'data') })
    assert.equal(code, 0)
    assert.equal(ok, true)
    assert.match(find(checks, 'data folder').message, /does not exist yet/)
    assert.deepEqual(await readdir(folder), [])
  })

  test('a bad setting is named', async () => {
    const { code, checks } = await examine({ DAILIES_DATA: folder, DAILIES_VIDEO_TTL: 'long' })
    assert.equal(code, 1)
    assert.match(find(checks, 'settings').message, /^DAILIES_VIDEO_TTL must be a duration/)
  })

  test('a command says when the database that it opens is empty', async () => {
    const dataDir = join(folder, 'empty')
    const listed = await runCommand(['keys', 'list', '--json'], { DAILIES_DATA: dataDir })
    assert.deepEqual(JSON.parse(listed.stdout), { items: [] })
    assert.equal(
      listed.stderr,
      `dailies: the database ${join(dataDir, 'dailies.sqlite')} is empty; set DAILIES_DATA or DAILIES_DATABASE_URL as the service has it\n`,
    )
    await runCommand(['accounts', 'create', 'a'], { DAILIES_DATA: dataDir })
    assert.equal((await runCommand(['keys', 'list', '--json'], { DAILIES_DATA: dataDir })).stderr, '')
  })

  test('a data folder that is a file', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const { code, checks } = await examine({ DAILIES_DATA: file })
    assert.equal(code, 1)
    assert.equal(find(checks, 'data folder').status, 'problem')
    assert.match(find(checks, 'data folder').advice!, /set DAILIES_DATA to another/)
  })

  test('a file that is not a database', async () => {
    const data = join(folder, 'broken')
    await mkdir(data)
    await writeFile(join(data, 'dailies.sqlite'), 'this is not a database, however long it is. '.repeat(50))
    const { code, checks } = await examine({ DAILIES_DATA: data })
    assert.equal(code, 1)
    assert.match(find(checks, 'database').message, /not a database/)
    const refused = await runCommand(['accounts', 'list', '--json'], { DAILIES_DATA: data })
    const file = join(data, 'dailies.sqlite')
    const stderr = `dailies: the database ${file} cannot be opened: file is not a database\n`
    assert.deepEqual(refused, { code: 1, stdout: '', stderr })
  })

  test('a PostgreSQL that does not respond', async () => {
    const { code, checks } = await examine({
      DAILIES_DATA: folder,
      DAILIES_DATABASE_URL: 'postgres://127.0.0.1:9/none',
    })
    assert.equal(code, 1)
    assert.match(find(checks, 'database').advice!, /check DAILIES_DATABASE_URL/)
  })

  test('a schema that is behind, one that is ahead, and books that do not balance', async () => {
    const data = join(folder, 'schema')
    await commandJson(['accounts', 'create', 'a', '--credits', '5'], { DAILIES_DATA: data })
    const db = new DatabaseSync(join(data, 'dailies.sqlite'))
    db.exec('update accounts set balance = 7')
    const unbalanced = await examine({ DAILIES_DATA: data })
    assert.equal(unbalanced.code, 1)
    assert.match(find(unbalanced.checks, 'ledger').message, /account a: balance 7, but its entries add up to 5/)
    const check = await runCommand(['ledger', 'check', '--json'], { DAILIES_DATA: data })
    assert.equal(check.code, 1)
    assert.equal(JSON.parse(check.stdout).ok, false)

    db.exec('delete from schema_migrations where version = (select max(version) from schema_migrations)')
    const behind = await examine({ DAILIES_DATA: data })
    assert.equal(find(behind.checks, 'schema').status, 'warning')
    assert.match(find(behind.checks, 'schema').advice!, /dailies migrate/)
    db.exec(`insert into schema_migrations values (9999, '9999_future', 'another', 0, 9999)`)
    db.close()
    const ahead = await examine({ DAILIES_DATA: data })
    assert.equal(ahead.code, 1)
    assert.match(find(ahead.checks, 'schema').message, /schema 9999, which is newer/)
    const refused = await runCommand(['accounts', 'list'], { DAILIES_DATA: data })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /run a newer version of Dailies/)
  })

  test('a database of a development version', async () => {
    const data = join(folder, 'development')
    await mkdir(data)
    const db = new DatabaseSync(join(data, 'dailies.sqlite'))
    db.exec(`create table schema_migrations (version, name, applied_at);
      insert into schema_migrations values (1, '0001_accounts', 0), (2, '0002_ledger_append_only.sqlite', 0)`)
    db.close()
    const { code, checks } = await examine({ DAILIES_DATA: data })
    assert.equal(code, 1)
    assert.match(find(checks, 'schema').message, /made by a development version/)
    assert.match(find(checks, 'schema').advice!, /dailies accounts export .* start with another/)
    for (const args of [['migrate'], ['serve'], ['accounts', 'list']]) {
      const refused = await runCommand(args, { DAILIES_DATA: data, DAILIES_PORT: '0' })
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /made by a development version .* nothing was changed: export its accounts/)
    }
  })

  test('a missing public URL, beyond loopback only', async () => {
    const data = { DAILIES_DATA: join(folder, 'unseen') }
    assert.equal(find((await examine(data)).checks, 'public URL').status, 'ok')
    const { checks } = await examine({ ...data, DAILIES_HOST: '0.0.0.0' })
    assert.equal(find(checks, 'public URL').status, 'warning')
    assert.match(find(checks, 'public URL').advice!, /set DAILIES_PUBLIC_URL/)
  })

  test('an almost full disk', async (t) => {
    const disk = await createSmallDisk(64)
    t.after(disk.remove)
    const { code, checks } = await examine({ DAILIES_DATA: disk.dir })
    // Where no file system can be mounted, the folder is on the machine's own disk.
    const isSmall = (await statfs(disk.dir)).blocks * (await statfs(disk.dir)).bsize < 2 ** 30
    assert.equal(find(checks, 'disk').status === 'problem', isSmall)
    assert.equal(code === 1, isSmall)
  })

  test('another program on our port', async () => {
    const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const { code, checks } = await examine({ DAILIES_DATA: join(folder, 'none'), DAILIES_PORT: String(port) })
    other.close()
    assert.equal(code, 1)
    assert.match(find(checks, 'server').message, /another program responds/)
  })

  test('a server on our port that uses another data folder, and one on our folder at another port', async () => {
    const ours = join(folder, 'ours')
    const server = await startProcess({ DAILIES_DATA: ours })
    const { port } = new URL(server.url)
    const right = await examine({ DAILIES_DATA: ours, DAILIES_PORT: port })
    assert.equal(find(right.checks, 'server').message, `responds on ${server.url}`)
    const otherFolder = await examine({ DAILIES_DATA: join(folder, 'other'), DAILIES_PORT: port })
    assert.equal(otherFolder.code, 1)
    assert.match(find(otherFolder.checks, 'server').message, /does not use the data folder .*other$/)
    const otherPort = await examine({ DAILIES_DATA: ours, DAILIES_PORT: '1' })
    assert.equal(find(otherPort.checks, 'server').message, `responds on ${server.url}`)
    await server.kill('SIGTERM')
    // As a command does that runs a service of its own.
    const lock = lockServer(join(ours, 'server.lock'), ours)
    const unnamed = await examine({ DAILIES_DATA: ours, DAILIES_PORT: '1' })
    lock.release()
    assert.equal(find(unnamed.checks, 'server').status, 'warning')
    assert.match(find(unnamed.checks, 'server').message, /^one uses the data folder .*, but none responds/)
  })

  test('the readable report ends with advice', async () => {
    const { stdout } = await runCommand(['doctor'], { DAILIES_DATA: join(folder, 'file'), DAILIES_PORT: '0' })
    assert.match(stdout, /^PROBLEM {2}data folder/m)
    assert.match(stdout, /^What to do:\n {2}data folder: /m)
  })
})

test('an old Node and an unknown setting', () => {
  assert.equal(checkNode('20.20.2').status, 'problem')
  assert.equal(checkNode('26.10.0').status, 'ok')
  const checks = checkSettings({
    DAILIES_PROT: '80',
    DAILIES_PORT: '80',
    DAILIES_URL: 'http://x',
    DAILIES_KEY: 'dk_x',
    DAILIES_RECORD_TTL: '1d',
    DAILIES_HOST: '0.0.0.0',
    DAILIES_PUBLIC_URL: 'http://localhost:8080',
    DAILIES_RENDER_SLOTS: '1000',
  })
  assert.deepEqual(
    checks.map((check) => [check.status, check.message]),
    [
      ['ok', '5 set, the others at their defaults'],
      ['warning', 'DAILIES_PROT is not a setting; did you mean DAILIES_PORT?'],
      [
        'warning',
        'DAILIES_PUBLIC_URL is http://localhost:8080, which only this machine reaches, but DAILIES_HOST is 0.0.0.0',
      ],
      ['warning', 'DAILIES_RECORD_TTL (1d) is shorter than DAILIES_VIDEO_TTL (14d): videos outlive their records'],
      [
        'warning',
        `DAILIES_RENDER_SLOTS is 1000 on a machine with ${availableParallelism()} processors: renders will time out`,
      ],
    ],
  )
})

test('clocks that cannot be right', () => {
  const nowMs = Date.UTC(2026, 5, 1)
  const statusAt = (ms: number, times: Parameters<typeof checkClock>[1]) => checkClock(ms, times)[0]!.status
  assert.equal(statusAt(0, null), 'problem')
  assert.equal(statusAt(nowMs, null), 'ok')
  assert.equal(statusAt(nowMs, { serverMs: nowMs + 4000, newestMs: nowMs }), 'ok')
  assert.equal(statusAt(nowMs, { serverMs: nowMs + 6000, newestMs: null }), 'problem')
  assert.equal(statusAt(nowMs, { serverMs: null, newestMs: nowMs + 60_000 }), 'problem')
})
