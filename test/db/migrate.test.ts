// Migrations on both databases: applied once, beside running programs, and noticed by those that are older.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ensureFirstAccount } from '../../src/accounts/first-account.ts'
import { serviceActor } from '../../src/audit/audit.ts'
import { inList, type Sql } from '../../src/db/db.ts'
import { migrate, schemaState } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { watchSchema } from '../../src/db/schema-watch.ts'
import { OperatorError } from '../../src/platform/errors.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { databases, type TestPlace } from '../support/places/places.ts'
import { plainBox } from '../support/plain-box.ts'
import { within } from '../support/within.ts'

const nowMs = Date.UTC(2026, 0, 1)

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
      assert.ok(names.length >= 4)
      assert.equal(new Set(names).size, names.length)
      assert.equal(applied.filter((list) => list.length > 0).length, 1)
      for (const one of dbs) await one.close()
      await fresh.stop()
    })

    test('of a newer program are refused with a clear message', async () => {
      const fresh = await create()
      const one = await openOn(fresh)
      await migrate(one, nowMs)
      await one.insert('schema_migrations', [{ version: 9999, name: '9999_future', applied_at: nowMs }])
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

      const newer = (at: number, runs_from: number) => ({ version: at, name: 'future', applied_at: nowMs, runs_from })
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

    test('of a database in use build indexes outside of a transaction', { skip: name === 'SQLite' }, async () => {
      const fresh = await create()
      const dbs = await Promise.all(Array.from({ length: 3 }, () => openOn(fresh)))
      const one = dbs[0]!
      await migrate(one, nowMs)
      await one.run('delete from schema_migrations where version in (59, 60)')
      await one.run('alter table tasks drop column search_text')
      const applied = await Promise.all(dbs.map((each) => migrate(each, nowMs)))
      assert.deepEqual(applied.flat().sort(), ['0059_search_text.postgres', '0060_indexes.postgres'])
      const built = await one.all<{ name: string }>(
        `select relname as name from pg_index join pg_class on oid = indexrelid
         where indisvalid and ${inList(one, 'relname')} order by 1`,
        [JSON.stringify(['task_attempts_by_start', 'tasks_by_account', 'tasks_open', 'tasks_searched'])],
      )
      assert.deepEqual(
        built.map((index) => index.name),
        ['task_attempts_by_start', 'tasks_open', 'tasks_searched'],
      )
      for (const each of dbs) await each.close()
      await fresh.stop()
    })

    test('of a database in use are not held up by processes that start', { skip: name === 'SQLite' }, async () => {
      const fresh = await create()
      const [one, other] = [await openOn(fresh), await openOn(fresh)]
      await migrate(one, nowMs)
      await one.run('delete from schema_migrations where version = 60')
      const start = { apiKey: null, credits: 0, secretBox: plainBox, makeKey: false, by: serviceActor, nowMs }
      let isMigrated = false
      const starts = (async () => {
        while (!isMigrated) await ensureFirstAccount(other, start)
      })()
      const migrated = migrate(one, nowMs).finally(() => {
        isMigrated = true
      })
      assert.deepEqual(await within(20_000, 'the migration', migrated), ['0060_indexes.postgres'])
      await starts
      await other.close()
      await one.close()
      await fresh.stop()
    })

    test('may add columns while statements that read them are prepared', async () => {
      const fresh = await create()
      const [one, other] = [await openOn(fresh), await openOn(fresh)]
      await migrate(one, nowMs)
      const read = (sql: Sql) => sql.one<{ at: number }>('select * from write_probe where id = 1')
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
