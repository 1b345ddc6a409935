// The database port on SQLite and PostgreSQL: transactions, values as they went in, and news between processes. What
// the schema guards is in test/db/invariants.test.ts, and how it changes in test/db/migrate.test.ts.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Param, Topic, Tx } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { databases, type TestPlace } from '../support/places/places.ts'
import { createTestDatabase } from '../support/places/postgres.ts'
import { untilTrue } from '../support/until.ts'
import { within } from '../support/within.ts'

const nowMs = Date.UTC(2026, 0, 1)

for (const { name, create } of databases) {
  const openOn = (database: TestPlace) =>
    openDatabase({ dataDir: database.env.DAILIES_DATA!, databaseUrl: database.env.DAILIES_DATABASE_URL ?? null })

  describe(`the database on ${name}`, () => {
    let database: TestPlace
    let db: Db
    /** As another process has it. */
    let other: Db
    before(async () => {
      database = await create()
      db = await openOn(database)
      await migrate(db, nowMs)
      other = await openOn(database)
    })
    after(async () => {
      await other?.close()
      await db?.close()
      await database?.stop()
    })

    const addSwitch = (sql: Pick<Tx, 'insert'>, name: string) => sql.insert('switches', [{ name, changed_at: nowMs }])
    const hasSwitch = async (sql: Db, name: string) =>
      (await sql.one('select name from switches where name = ?', [name])) !== undefined

    describe('a transaction', () => {
      test('is invisible to others before it is committed, and visible afterwards', async () => {
        await db.transaction(async (tx) => {
          await addSwitch(tx, 'seen')
          assert.ok(await tx.one('select name from switches where name = ?', ['seen']), 'by itself')
          assert.equal(await hasSwitch(db, 'seen'), false)
          assert.equal(await hasSwitch(other, 'seen'), false)
        })
        assert.equal(await hasSwitch(db, 'seen'), true)
        // Another process: on SQLite, reads of one turn of its event loop share what they see.
        await nextTurn()
        assert.equal(await hasSwitch(other, 'seen'), true)
      })

      test('leaves nothing behind when its work throws, and throws the same', async () => {
        const failure = new Error('no')
        const seen = await db
          .transaction(async (tx) => {
            await addSwitch(tx, 'rolled back')
            throw failure
          })
          .catch((error) => error)
        assert.equal(seen, failure)
        assert.equal(await hasSwitch(db, 'rolled back'), false)
      })

      test('leaves nothing behind when a statement fails', async () => {
        await assert.rejects(
          db.transaction(async (tx) => {
            await addSwitch(tx, 'before')
            await addSwitch(tx, 'before')
          }),
        )
        assert.equal(await hasSwitch(db, 'before'), false)
        await db.transaction((tx) => addSwitch(tx, 'works again'))
      })

      test('returns what its work returns', async () => {
        assert.deepEqual(await db.transaction(async () => ({ a: 1 })), { a: 1 })
      })

      test('calls its hooks after the commit, in order, and never after a rollback', async () => {
        const calls: string[] = []
        await db.transaction(async (tx) => {
          await addSwitch(tx, 'hooked')
          tx.afterCommit(() => calls.push('first'))
          tx.afterCommit(() => calls.push('second'))
          assert.deepEqual(calls, [])
        })
        assert.deepEqual(calls, ['first', 'second'])
        await db
          .transaction(async (tx) => {
            tx.afterCommit(() => calls.push('never'))
            throw new Error('no')
          })
          .catch(() => {})
        assert.deepEqual(calls, ['first', 'second'])
      })

      test('loses no update to another that runs at the same time', async () => {
        await db.run('insert into switches (name, changed_at) values (?, ?)', ['counter', 0])
        const add = (sql: Db) =>
          sql.transaction((tx) => tx.run("update switches set changed_at = changed_at + 1 where name = 'counter'"))
        await Promise.all(Array.from({ length: 40 }, (_, i) => add(i % 2 ? db : other)))
        const row = await db.one<{ changed_at: number }>("select changed_at from switches where name = 'counter'")
        assert.equal(row?.changed_at, 40)
      })
    })

    describe('values', () => {
      before(() => db.run('create table things (body text, whole bigint, fraction double precision)'))
      beforeEach(() => db.run('delete from things'))
      const plain = (rows: object[]) => rows.map((row) => ({ ...row }))

      const texts: Record<string, string> = {
        empty: '',
        quotes: `'"\`; drop table switches; -- \\ ? $1 {{}}`,
        emoji: '😀 👩‍👩‍👧 e\u0301 ﷽ \u202e',
        'controls and ends of lines': '\t\r\n\x01\x7f\u2028\ufeff',
        'every kind of script': '日本語 עברית ελληνικά हिन्दी',
        'very long': 'ab😀'.repeat(300_000),
        json: '{"a":"\\u0000"}',
      }
      for (const [what, text] of Object.entries(texts)) {
        test(`a text with ${what} comes back as it went in, by insert and by parameter`, async () => {
          await db.insert('things', [{ body: text }])
          const found = await db.all<{ body: string }>('select body from things where body = ?', [text])
          assert.ok(found.length === 1 && found[0]!.body === text)
          assert.equal(await db.run('update things set body = ? where body = ?', [`${text}·`, text]), 1)
          assert.ok((await db.one<{ body: string }>('select body from things'))?.body === `${text}·`)
        })
      }

      test('half a surrogate pair becomes U+FFFD', async () => {
        await db.insert('things', [{ body: 'half \ud83d pair' }])
        assert.deepEqual(plain(await db.all('select body from things')), [{ body: 'half \ufffd pair' }])
      })

      test('U+0000 is kept, or replaced where it cannot be; the text is never cut', async () => {
        await db.insert('things', [{ body: 'nul \0 inside' }])
        const kept = name === 'SQLite' ? 'nul \0 inside' : 'nul \ufffd inside'
        assert.deepEqual(plain(await db.all('select body from things')), [{ body: kept }])
        assert.equal(await db.run('update things set body = ? where body = ?', ['a\0', 'nul \0 inside']), 1)
      })

      for (const whole of [0, -1, nowMs, 2 ** 31, 2 ** 53 - 1, -(2 ** 53 - 1)]) {
        test(`the whole number ${whole} stays exact`, async () => {
          await db.insert('things', [{ whole }])
          assert.deepEqual(plain(await db.all('select whole from things where whole = ?', [whole])), [{ whole }])
        })
      }

      test('fractions, nulls and counts are numbers, nulls and numbers', async () => {
        const row: Record<string, Param> = { body: null, whole: null, fraction: 0.1 + 0.2 }
        await db.insert('things', [row])
        assert.deepEqual(plain(await db.all('select * from things')), [row])
        const counts = 'select count(*) as rows, sum(whole) as sum, max(fraction) as most from things'
        assert.deepEqual(plain(await db.all(counts)), [{ rows: 1, sum: null, most: 0.1 + 0.2 }])
        await db.run('update things set whole = ?, fraction = ?', [7, null])
        assert.deepEqual(plain(await db.all('select * from things')), [{ body: null, whole: 7, fraction: null }])
      })

      test('rows of one insert keep what is theirs, nulls and texts that look like syntax too', async () => {
        const bodies = ['null', null, 'NULL', '', '{}', '{a,b}', '"', '\\', '\\n', '\n', "it's", '1', ' ', 'a,"b"']
        const rows = bodies.map((body, i) => ({ body, whole: i % 3 ? i : null, fraction: null }))
        await db.insert('things', rows)
        const key = ({ body }: { body: string | null }) => JSON.stringify(body)
        const inOrder = (some: { body: string | null }[]) => some.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
        assert.deepEqual(inOrder(plain(await db.all('select * from things')) as typeof rows), inOrder(rows))
      })

      test('many rows go in at once, all or none', async () => {
        await db.run('delete from switches')
        const rows = Array.from({ length: 5000 }, (_, i) => ({ name: `row ${i}`, changed_at: i }))
        await db.insert('switches', rows)
        await db.insert('switches', [])
        const [counted] = plain(await db.all('select count(*) as rows, sum(changed_at) as sum from switches'))
        assert.deepEqual(counted, { rows: 5000, sum: (4999 * 5000) / 2 })
        await assert.rejects(
          db.insert('switches', [
            { name: 'fresh', changed_at: 1 },
            { name: 'row 7', changed_at: 1 },
          ]),
        )
        assert.equal(await hasSwitch(db, 'fresh'), false)
        assert.equal(await db.run('delete from switches where changed_at < ?', [100]), 100)
      })
    })

    describe('an announcement', () => {
      const nextNews = (sql: Db, wanted: (topic: Topic | null) => boolean) => {
        const stops: (() => void)[] = []
        const news = new Promise<void>((resolve) => stops.push(sql.onChange((topic) => wanted(topic) && resolve())))
        return within(5000, 'news', news).finally(() => stops.map((stop) => stop()))
      }

      test('reaches this process and others once committed', async () => {
        const here = nextNews(db, (topic) => topic === 'settings')
        // Another process may only learn that anything may have changed.
        const there = nextNews(other, (topic) => topic === 'settings' || topic === null)
        await db.transaction(async (tx) => {
          await addSwitch(tx, 'news')
          await tx.announce('settings')
        })
        await Promise.all([here, there])
        assert.ok(await hasSwitch(other, 'news'))
      })

      test('names its subjects, however many, and reaches the process that made it once', async () => {
        const subjects = Array.from({ length: 1000 }, (_, i) => `${i}-${'x'.repeat(40)}`)
        const [here, there] = [new Map<string, number>(), new Set<string>()]
        const stops = [
          db.onChange((_topic, about) => about?.map((subject) => here.set(subject, (here.get(subject) ?? 0) + 1))),
          other.onChange((topic, about) => (topic === null ? subjects : (about ?? [])).map((each) => there.add(each))),
        ]
        await db.transaction(async (tx) => {
          await addSwitch(tx, 'many')
          for (const subject of subjects.slice(1)) await tx.announce('tasks', subject)
        })
        db.announce('tasks', subjects[0]!)
        await untilTrue('every subject reaches the other process', () => there.size === subjects.length)
        assert.deepEqual([...here.values()], Array(subjects.length).fill(1))
        for (const stop of stops) stop()
      })

      test('in a transaction that is rolled back reaches no process', async () => {
        const heard: (Topic | null)[] = []
        const stop = db.onChange((topic) => heard.push(topic))
        await db
          .transaction(async (tx) => {
            await tx.announce('tasks')
            throw new Error('no')
          })
          .catch(() => {})
        const later = nextNews(db, (topic) => topic === 'jobs')
        await db.transaction((tx) => tx.announce('jobs'))
        await later
        stop()
        assert.ok(!heard.includes('tasks'), heard.join())
      })

      test('does not reach a listener that was removed', async () => {
        const heard: (Topic | null)[] = []
        db.onChange((topic) => heard.push(topic))()
        const later = nextNews(db, (topic) => topic === 'jobs')
        await db.transaction((tx) => tx.announce('jobs'))
        await later
        assert.deepEqual(heard, [])
      })
    })
  })
}

test('an unhurried transaction on PostgreSQL may take longer than other statements', async () => {
  const database = await createTestDatabase()
  const db = await openPostgres(database.url, { connectionsMax: 2, answerWithinMs: 200 })
  try {
    const sleep = (tx: Tx) => tx.all('select pg_sleep(0.5)')
    await assert.rejects(db.transaction(sleep), /timeout|connection broke/)
    assert.equal((await db.transaction(sleep, { unhurried: true })).length, 1)
  } finally {
    await db.close()
    await database.stop()
  }
})
