// What the schema itself refuses on both databases, whatever code writes: the last guard of credits and states.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createAccount } from '../../src/accounts/accounts.ts'
import { createKey } from '../../src/accounts/keys/keys.ts'
import { ledgerRow, postEntry } from '../../src/accounts/ledger.ts'
import type { Db, Param } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { newId } from '../../src/platform/ids.ts'
import { databases, type TestPlace } from '../support/places/places.ts'
import { plainBox } from '../support/plain-box.ts'
import { waitingTask } from '../support/task-row.ts'

const nowMs = Date.UTC(2026, 0, 1)

for (const { name, create } of databases) {
  describe(`the schema on ${name}`, () => {
    let database: TestPlace
    let db: Db
    let accountId: string
    let keyId: string
    before(async () => {
      database = await create()
      db = await openDatabase({
        dataDir: database.env.DAILIES_DATA!,
        databaseUrl: database.env.DAILIES_DATABASE_URL ?? null,
      })
      await migrate(db, nowMs)
      const account = await db.transaction((tx) => createAccount(tx, 'guarded', 100, nowMs, plainBox))
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
    after(async () => {
      await db?.close()
      await database?.stop()
    })

    const entry = (
      kind: 'grant' | 'hold' | 'settle' | 'release' | 'charge',
      amount: number,
      subject: string | null = newId(nowMs),
    ) => db.transaction((tx) => postEntry(tx, { accountId, keyId, subject, kind, amount }, nowMs))
    const balance = async () =>
      (await db.one<{ balance: number }>('select balance from accounts where id = ?', [accountId]))!.balance

    test('no balance is below zero, and nothing of the attempt remains', async () => {
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

    test('one entry per kind and task, and a hold ends once', async () => {
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
      await assert.rejects(entry('grant', 1), 'a grant to a task')
      await assert.rejects(entry('hold', -1, null), 'a hold of no task')
      const row = {
        ...ledgerRow({ accountId, keyId, subject: null, kind: 'grant', amount: 1 }, 1, nowMs),
        kind: 'gift',
      }
      await assert.rejects(db.insert('ledger', [row]))
      await assert.rejects(db.insert('ledger', [{ ...row, kind: 'grant', account_id: 'nobody' }]))
    })

    test('a key cannot exceed its credit limit or its request limit', async () => {
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

    const task = (changes: Record<string, Param> = {}) => waitingTask({ accountId, keyId }, nowMs, changes)
    const success = { state: 'success', video: '{}', completed_at: nowMs, expires_at: nowMs }
    const failed = { state: 'fail', fail_code: '501', fail_reason: 'engine_failed', completed_at: nowMs }
    const tasks: { what: string; row: Record<string, Param>; ok: boolean }[] = [
      { what: 'in wait', row: {}, ok: true },
      { what: 'in success with its video', row: success, ok: true },
      { what: 'in fail with its code', row: failed, ok: true },
      { what: 'in an unknown state', row: { state: 'paused' }, ok: false },
      { what: 'in success without a video', row: { ...success, video: null }, ok: false },
      { what: 'in success without an expiry', row: { ...success, expires_at: null }, ok: false },
      { what: 'in success with a fail code', row: { ...failed, ...success }, ok: false },
      { what: 'in generating with a video', row: { state: 'generating', video: '{}' }, ok: false },
      { what: 'in fail without a code', row: { ...failed, fail_code: null }, ok: false },
      { what: 'in fail without a reason', row: { ...failed, fail_reason: null }, ok: false },
      { what: 'in fail without an end', row: { ...failed, completed_at: null }, ok: false },
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
  })
}
