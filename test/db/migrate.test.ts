// Migrations on both databases: applied once, beside running programs, and noticed by those that are older.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ensureFirstAccount } from '../../src/accounts/first-account.ts'
import { serviceActor } from '../../src/audit/audit.ts'
import type { Sql } from '../../src/db/db.ts'
import { migrate, schemaState } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { watchSchema } from '../../src/db/schema-watch.ts'
import { OperatorError } from '../../src/platform/errors.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { makeNextRelease, nextMigrations } from '../support/next-release.ts'
import { databases, type TestPlace } from '../support/places/places.ts'
import { plainBox } from '../support/plain-box.ts'
import { within } from '../support/within.ts'

const nowMs = Date.UTC(2026, 0, 1)

let next: Awaited<ReturnType<typeof makeNextRelease>>
before(async () => {
  next = await makeNextRelease(nextMigrations)
})
after(() => next.remove())

for (const { name, create } of databases) {
  const openOn = (database: TestPlace) =>
    openDatabase({ dataDir: database.env.DAILIES_DATA!, databaseUrl: database.env.DAILIES_DATABASE_URL ?? null })

  describe(`migrations on ${name}`, () => {
    test('applied already are not applied again', async () => {
      const fresh = await create()
      const db = await openOn(fresh)
      assert.notDeepEqual(await migrate(db, nowMs), [])
      assert.deepEqual(await migrate(db, nowMs), [])
      await db.close()
      await fresh.stop()
    })

    test('from several processes at once are each applied once', async () => {
      const fresh = await create()
      const dbs = await Promise.all(Array.from({ length: 3 }, () => openOn(fresh)))
      const applied = await Promise.all(dbs.map((one) => migrate(one, nowMs)))
      const names = applied.flat()
      assert.ok(names.length > 0)
      assert.equal(new Set(names).size, names.length)
      assert.equal(applied.filter((list) => list.length > 0).length, 1)
      for (const one of dbs) await one.close()
      await fresh.stop()
    })

    test('of a newer program are refused with a clear message', async () => {
      const fresh = await create()
      const one = await openOn(fresh)
      await migrate(one, nowMs)
      await one.insert('schema_migrations', [
        { version: 9999, name: '9999_future', digest: 'another', applied_at: nowMs, runs_from: 9999 },
      ])
      await assert.rejects(migrate(one, nowMs), (error: Error) => {
        assert.ok(error instanceof OperatorError)
        assert.match(error.message, /has schema 9999, this program knows up to \d+; run a newer version/)
        return true
      })
      await one.close()
      await fresh.stop()
    })

    test('of a newer program that declares this one compatible are accepted and noticed', async () => {
      const fresh = await create()
      const one = await openOn(fresh)
      await migrate(one, nowMs)
      const { version } = await schemaState(one)
      const logged: [string, object][] = []
      const log = (level: string) => (fields: object) => void logged.push([level, fields])
      const watch = watchSchema({ db: one, log: { ...silentLogger, info: log('info'), error: log('error') } })
      await watch.runOnce()
      assert.deepEqual(logged, [])

      const newer = (at: number, runs_from: number) => ({
        ...{ version: at, name: 'future', digest: 'another', applied_at: nowMs, runs_from },
      })
      await one.insert('schema_migrations', [newer(9998, version)])
      assert.deepEqual(await migrate(one, nowMs), [])
      await watch.runOnce()
      await watch.runOnce()
      assert.deepEqual(logged, [['info', { schema: 9998 }]])

      await one.insert('schema_migrations', [newer(9999, version + 1)])
      await watch.runOnce()
      assert.deepEqual(logged.at(-1), ['error', { schema: 9999 }])
      assert.match(await watch.outdated, /^the database has schema 9999, which this version/)
      await one.close()
      await fresh.stop()
    })

    test('of a next release are applied one by one by whichever process is first', async () => {
      const fresh = await create()
      const dbs = await Promise.all(Array.from({ length: 3 }, () => openOn(fresh)))
      const one = dbs[0]!
      await migrate(one, nowMs)
      const applied = await Promise.all(dbs.map((each) => next.migrate(each, nowMs)))
      const files = name === 'SQLite' ? ['0002_column'] : ['0002_column', '0003_index.postgres']
      assert.deepEqual(applied.flat().sort(), files)
      assert.deepEqual(await one.all('select of_the_next_release from tasks'), [])
      // This program continues beside it.
      const { newer } = await schemaState(one)
      assert.deepEqual(newer, { version: files.length + 1, isCompatible: true })
      for (const each of dbs) await each.close()
      await fresh.stop()
    })

    test('of a database in use build indexes beside processes that start', { skip: name === 'SQLite' }, async () => {
      const fresh = await create()
      const [one, other] = [await openOn(fresh), await openOn(fresh)]
      await migrate(one, nowMs)
      const start = { apiKey: null, credits: 0, secretBox: plainBox, makeKey: false, by: serviceActor, nowMs }
      let isMigrated = false
      const starts = (async () => {
        while (!isMigrated) await ensureFirstAccount(other, start)
      })()
      const migrated = next.migrate(one, nowMs).finally(() => {
        isMigrated = true
      })
      assert.deepEqual(await within(20_000, 'the migration', migrated), ['0002_column', '0003_index.postgres'])
      await starts
      const index = `select indisvalid as valid from pg_index join pg_class on oid = indexrelid where relname = ?`
      assert.deepEqual(await one.all(index, ['tasks_of_the_next_release']), [{ valid: true }])
      await other.close()
      await one.close()
      await fresh.stop()
    })

    test('leave a database of a development version as it is, and say what to do', async () => {
      const fresh = await create()
      const one = await openOn(fresh)
      // Its first migration was another file.
      await one.run(
        'create table schema_migrations (version bigint primary key, name text not null, applied_at bigint)',
      )
      await one.run(`insert into schema_migrations values (1, '0001_accounts', 0), (66, '0066_session_details', 0)`)
      const rows = () => one.all('select * from schema_migrations order by version')
      const before = await rows()
      assert.match((await schemaState(one)).unusable!.message, /made by a development version/)
      await assert.rejects(migrate(one, nowMs), (error: Error) => {
        assert.ok(error instanceof OperatorError)
        assert.match(
          error.message,
          /made by a development version .* nothing was changed: export its accounts with .*--out/,
        )
        return true
      })
      assert.deepEqual(await rows(), before)
      await assert.rejects(one.all('select id from tasks'))
      await one.close()
      await fresh.stop()
    })

    test('leave a database whose first file was another one as it is', async () => {
      const fresh = await create()
      const one = await openOn(fresh)
      await migrate(one, nowMs)
      await one.run(`update schema_migrations set digest = 'of other statements'`)
      assert.match((await schemaState(one)).unusable!.message, /made by a development version/)
      await assert.rejects(migrate(one, nowMs), /made by a development version .* nothing was changed/)
      await one.close()
      await fresh.stop()
    })

    const foreignTables = {
      'a table of the same name': 'create table tasks (id integer)',
      'migrations of its own': 'create table schema_migrations (id text)',
      'migrations with versions': 'create table schema_migrations (version bigint, name text)',
    }
    for (const [what, statement] of Object.entries(foreignTables)) {
      test(`leave the database of another program as it is: ${what}`, async () => {
        const fresh = await create()
        const one = await openOn(fresh)
        await one.run(statement)
        const table = statement.split(' ')[2]!
        assert.match((await schemaState(one)).unusable!.message, new RegExp(`not one of Dailies: .* table ${table}$`))
        await assert.rejects(migrate(one, nowMs), /not one of Dailies: .* nothing was changed: use another database/)
        await assert.rejects(one.all('select id from accounts'))
        await one.close()
        await fresh.stop()
      })
    }

    test('may add columns while statements that read them are prepared', async () => {
      const fresh = await create()
      const [one, other] = [await openOn(fresh), await openOn(fresh)]
      await migrate(one, nowMs)
      const read = (sql: Sql) => sql.one<{ id: number }>('select * from write_probe where id = 1')
      // More reads at once than the pool has connections, so that every connection has the old plan.
      const readOften = () => Promise.all(Array.from({ length: 20 }, () => read(one)))
      await readOften()
      await one.transaction(read)
      await other.transaction((tx) => tx.run('alter table write_probe add column added text'))
      assert.deepEqual(new Set((await readOften()).map((row) => Object.keys(row!).includes('added'))), new Set([true]))
      await other.transaction((tx) => tx.run('alter table write_probe add column added_later text'))
      assert.ok('added_later' in (await one.transaction(read))!)
      await other.close()
      await one.close()
      await fresh.stop()
    })
  })
}
