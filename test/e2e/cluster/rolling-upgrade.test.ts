// This release and a made-up next one on one PostgreSQL under load: the old processes work while the new ones migrate, each
// finishes tasks of the other, every creation is accepted, and no credit is lost.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { readMigrations } from '../../../src/db/migrate.ts'
import { makeNextRelease, nextMigrations } from '../../support/next-release.ts'
import { createTestDatabase, freePort } from '../../support/places/postgres.ts'
import type { Api } from '../../support/service/api.ts'
import { cliJson, startProcess, startWorker } from '../../support/service/process.ts'
import { untilTrue } from '../../support/until.ts'

describe('a rolling upgrade', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let next: Awaited<ReturnType<typeof makeNextRelease>>
  let dataDir: string
  before(async () => {
    database = await createTestDatabase()
    next = await makeNextRelease(nextMigrations)
    dataDir = await mkdtemp(join(tmpdir(), 'dailies-upgrade-'))
  })
  after(async () => {
    await database.stop()
    await next.remove()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function settings(): Promise<Record<string, string>> {
    const port = String(await freePort())
    return {
      DAILIES_DATA: dataDir,
      DAILIES_DATABASE_URL: database.url,
      DAILIES_PORT: port,
      DAILIES_PUBLIC_URL: `http://127.0.0.1:${port}`,
      DAILIES_LOG_LEVEL: 'info',
    }
  }

  async function query(sql: string): Promise<{ version: number }[]> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query(sql).finally(() => client.end())
    return rows
  }
  const schema = async () => (await query('select max(version)::int as version from schema_migrations'))[0]!.version

  test('loses nothing while both releases run', async (t) => {
    const { main } = next
    const thisSchema = readMigrations('postgres').at(-1)!.version
    const oldServer = await startProcess(await settings(), ['serve'])
    t.after(() => oldServer.kill('SIGKILL'))
    const oldWorker = await startWorker(await settings())
    t.after(() => oldWorker.kill('SIGKILL'))
    assert.equal(await schema(), thisSchema)
    const load = startLoad()
    load.through(oldServer.api)
    await load.untilMore(20)

    // The old worker ends tasks that the new server has admitted.
    const newServer = await startProcess(await settings(), ['serve'], { main })
    t.after(() => newServer.kill('SIGKILL'))
    assert.equal(await schema(), thisSchema + 2)
    load.through(newServer.api)
    await load.untilMore(40)

    // The new worker ends tasks that the old server has admitted.
    const newWorker = await startWorker(await settings(), [], { main })
    t.after(() => newWorker.kill('SIGKILL'))
    assert.equal(await oldWorker.kill('SIGTERM'), 0)
    await load.untilMore(40)

    // As a later release that is compatible with both, and then one that is compatible with neither.
    await query('alter table tasks add column of_a_later_release text')
    await query(`insert into schema_migrations values (9998, 'later', 'another', 0, ${thisSchema})`)
    const notice = 'a newer release has migrated the database; this one can continue'
    for (const server of [oldServer, newServer]) {
      await untilTrue('a newer schema is noticed', () => server.output().includes(notice), 20_000)
    }
    await load.untilMore(40)
    await load.stop()
    assert.equal(await oldServer.kill('SIGTERM'), 0)
    const settled = { DAILIES_DATABASE_URL: database.url, DAILIES_DATA: dataDir }
    assert.equal((await cliJson(['ledger', 'check'], settled)).ok, true)
    await query(`insert into schema_migrations values (9999, 'incompatible', 'another', 0, 9999)`)
    assert.equal(await newServer.exited, 1)
    assert.match(newServer.output(), /Stopped: the database has schema 9999, which this version of Dailies does not/)
  })
})

/** Callers that each create a task, read it and wait for its success, again and again. */
function startLoad() {
  const callers: Promise<void>[] = []
  let isStopped = false
  let succeeded = 0
  let failure: Error | null = null
  async function call(api: Api) {
    while (!isStopped) {
      const taskId = await api.createTask()
      await api.record(taskId)
      await api.until(taskId, ['success'], 60_000)
      succeeded += 1
    }
  }
  return {
    through(api: Api) {
      callers.push(...Array.from({ length: 6 }, () => call(api)))
      for (const caller of callers) caller.catch((error) => (failure ??= error))
    },
    async untilMore(count: number) {
      const enough = succeeded + count
      await untilTrue(`${count} more tasks succeed`, () => failure !== null || succeeded >= enough, 120_000)
      if (failure) throw failure
    },
    async stop() {
      isStopped = true
      await Promise.all(callers)
    },
  }
}
