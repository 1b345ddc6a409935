// The database port on SQLite and PostgreSQL: transactions, values as they went in, news between processes, the CHECKs
// that guard the invariants, and migrations.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createAccount } from '../../src/accounts/accounts.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { ledgerRow, postEntry } from '../../src/accounts/ledger.ts'
import type { Db, Param, Topic, Tx } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { OperatorError } from '../../src/platform/errors.ts'
import { newId } from '../../src/platform/ids.ts'
import { databases, type TestDatabase } from '../support/databases.ts'
import { within } from '../support/within.ts'

const nowMs = Date.UTC(2026, 0, 1)

for (const { name, create } of databases) {
  const openOn = (database: TestDatabase) =>
    openDatabase({ dataDir: database.env.DAILIES_DATA!, databaseUrl: database.env.DAILIES_DATABASE_URL ?? null })

  describe(`the store on ${name}`, () => {
    let database: TestDatabase
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
      test('is seen by nobody before it is committed, and by all afterwards', async () => {
        await db.transaction(async (tx) => {
          await addSwitch(tx, 'seen')
          assert.ok(await tx.one('select name from switches where name = ?', ['seen']), 'by itself')
          assert.equal(await hasSwitch(db, 'seen'), false)
          assert.equal(await hasSwitch(other, 'seen'), false)
        })
        assert.equal(await hasSwitch(db, 'seen'), true)
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

      test('answers with what its work answers', async () => {
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

      test('U+0000 is refused whole or kept whole, never cut', async () => {
        const stored = await db.insert('things', [{ body: 'nul \0 inside' }]).then(
          () => true,
          () => false,
        )
        assert.equal(stored, name === 'SQLite')
        assert.deepEqual(plain(await db.all('select body from things')), stored ? [{ body: 'nul \0 inside' }] : [])
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

    describe('news', () => {
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

      test('of a transaction that is rolled back reaches nobody', async () => {
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

      test('is not heard any more by those who stopped listening', async () => {
        const heard: (Topic | null)[] = []
        db.onChange((topic) => heard.push(topic))()
        const later = nextNews(db, (topic) => topic === 'jobs')
        await db.transaction((tx) => tx.announce('jobs'))
        await later
        assert.deepEqual(heard, [])
      })
    })

    describe('the invariants', () => {
      let accountId: string
      let keyId: string
      before(async () => {
        const account = await db.transaction((tx) => createAccount(tx, 'guarded', 100, nowMs))
        accountId = account.id
        keyId = (
          await db.transaction((tx) =>
            createKey(
              tx,
              { accountId, name: 'key', creditLimit: 50, requestLimit: { requests: 2, per: 'total' } },
              nowMs,
            ),
          )
        ).id
      })

      const entry = (
        kind: 'grant' | 'hold' | 'settle' | 'release' | 'charge',
        amount: number,
        taskId: string | null = newId(nowMs),
      ) => db.transaction((tx) => postEntry(tx, { accountId, keyId, taskId, kind, amount }, nowMs))
      const balance = async () =>
        (await db.one<{ balance: number }>('select balance from accounts where id = ?', [accountId]))!.balance

      test('no balance below zero, and nothing of the try remains', async () => {
        const entries = await db.all('select id from ledger where account_id = ?', [accountId])
        await assert.rejects(entry('hold', -101))
        await assert.rejects(db.run('update accounts set balance = -1 where id = ?', [accountId]))
        assert.equal(await balance(), 100)
        assert.equal((await db.all('select id from ledger where account_id = ?', [accountId])).length, entries.length)
      })

      test('the ledger is only ever added to', async () => {
        await assert.rejects(db.run('update ledger set amount = 5'), /append-only/)
        await assert.rejects(db.run('delete from ledger'), /append-only/)
      })

      test('one entry of a kind a task, and a hold ends once', async () => {
        const taskId = newId(nowMs)
        await entry('hold', -10, taskId)
        await assert.rejects(entry('hold', -10, taskId))
        await entry('release', 10, taskId)
        await assert.rejects(entry('release', 10, taskId))
        await assert.rejects(entry('settle', 0, taskId))
        const settled = newId(nowMs)
        await entry('hold', -10, settled)
        await entry('settle', 0, settled)
        await assert.rejects(entry('release', 10, settled))
        assert.equal(await balance(), 90)
      })

      test('the sign of an entry is that of its kind', async () => {
        const wrong = [
          ['hold', 1],
          ['settle', 1],
          ['settle', -1],
          ['release', -1],
          ['charge', 1],
        ] as const
        for (const [kind, amount] of wrong) await assert.rejects(entry(kind, amount), `${kind} ${amount}`)
        const row = {
          ...ledgerRow({ accountId, keyId, taskId: null, kind: 'grant', amount: 1 }, 1, nowMs),
          kind: 'gift',
        }
        await assert.rejects(db.insert('ledger', [row]))
        await assert.rejects(db.insert('ledger', [{ ...row, kind: 'grant', account_id: 'nobody' }]))
      })

      test('a key spends and asks no more than it may', async () => {
        await db.run('update keys set credit_used = 50, request_used = 2 where id = ?', [keyId])
        const wrong = [
          'credit_used = 51',
          'credit_used = -1',
          'request_used = 3',
          "request_per = 'week'",
          'request_per = null',
          'operator = 2',
        ]
        for (const change of wrong)
          await assert.rejects(db.run(`update keys set ${change} where id = ?`, [keyId]), change)
        await assert.rejects(
          db.transaction((tx) => createKey(tx, { accountId, parentId: keyId, operator: true, name: 'x' }, nowMs)),
        )
      })

      const task = (changes: Record<string, Param> = {}): Record<string, Param> => ({
        ...{
          id: newId(nowMs),
          account_id: accountId,
          key_id: keyId,
          model: 'm',
          engine: 'e',
          state: 'wait',
          param: '{}',
          video_order: '{}',
        },
        ...{ ignored_fields: '[]', price: 1, virtual_start: 0, virtual_finish: 1, progress: 0, attempt: 0 },
        ...{ created_at: nowMs, updated_at: nowMs, state_at: nowMs },
        ...changes,
      })
      const tasks: { what: string; row: Record<string, Param>; ok: boolean }[] = [
        { what: 'in wait', row: {}, ok: true },
        { what: 'in success with its video', row: { state: 'success', video: '{}', completed_at: nowMs }, ok: true },
        { what: 'in fail with its code', row: { state: 'fail', fail_code: '501', completed_at: nowMs }, ok: true },
        { what: 'in an unknown state', row: { state: 'paused' }, ok: false },
        { what: 'in success without a video', row: { state: 'success', completed_at: nowMs }, ok: false },
        {
          what: 'in success with a fail code',
          row: { state: 'success', video: '{}', fail_code: '501', completed_at: nowMs },
          ok: false,
        },
        { what: 'in generating with a video', row: { state: 'generating', video: '{}' }, ok: false },
        { what: 'in fail without a code', row: { state: 'fail', completed_at: nowMs }, ok: false },
        { what: 'in fail without an end', row: { state: 'fail', fail_code: '501' }, ok: false },
        { what: 'in queueing with an end', row: { state: 'queueing', completed_at: nowMs }, ok: false },
        { what: 'with too much progress', row: { progress: 101 }, ok: false },
        { what: 'with a price below zero', row: { price: -1 }, ok: false },
        { what: 'of no account', row: { account_id: 'nobody' }, ok: false },
      ]
      for (const { what, row, ok } of tasks) {
        test(`a task ${what} is ${ok ? 'stored' : 'refused'}`, async () => {
          const stored = await db.insert('tasks', [task(row)]).then(
            () => true,
            () => false,
          )
          assert.equal(stored, ok)
        })
      }

      test('the timeline goes with its task', async () => {
        const row = task()
        await db.insert('tasks', [row])
        await db.insert('task_moves', [
          { id: newId(nowMs), task_id: row.id!, at: nowMs, state: 'fail', attempt: 0, note: null },
        ])
        await db.run('delete from tasks where id = ?', [row.id!])
        assert.equal(await db.one('select id from task_moves where task_id = ?', [row.id!]), undefined)
      })
    })

    describe('migrations', () => {
      test('applied already are not applied again', async () => {
        assert.deepEqual(await migrate(db, nowMs), [])
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

      test('of a newer program are refused in words', async () => {
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
    })
  })
}
