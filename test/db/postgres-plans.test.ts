// Connections keep the plans of their statements. A plan that reads all open tasks would make admission slower with every
// task that waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '../../src/accounts/accounts.ts'
import { createKey } from '../../src/accounts/keys/keys.ts'
import type { Tx } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { virtualStartOfFirstWaiting } from '../../src/tasks/store/store.ts'
import { createTestDatabase } from '../support/places/postgres.ts'
import { plainBox } from '../support/plain-box.ts'
import { waitingTask } from '../support/task-row.ts'

test('the first waiting task is read from its index, however many wait', async () => {
  const database = await createTestDatabase()
  const db = await openDatabase({ dataDir: '', databaseUrl: database.url })
  try {
    await migrate(db, 0)
    // Without statistics, as in the first minute of a database, PostgreSQL takes nearly all tasks for ended.
    await db.run('alter table tasks set (autovacuum_enabled = false)')
    const plan = await db.transaction(async (tx) => {
      const { id: accountId } = await createAccount(tx, 'busy', 0, 0, plainBox)
      const { id: keyId } = await createKey(tx, { accountId, name: 'key' }, 0)
      await tx.insert(
        'tasks',
        Array.from({ length: 2000 }, (_, i) =>
          waitingTask({ accountId, keyId }, 0, { virtual_start: i, virtual_finish: i + 1 }),
        ),
      )
      let lines: string[] = []
      const explaining = {
        async one(sql: string) {
          lines = (await tx.all<{ 'QUERY PLAN': string }>(`explain ${sql}`)).map((row) => row['QUERY PLAN'])
        },
      }
      await virtualStartOfFirstWaiting(explaining as unknown as Tx)
      return lines.join('\n')
    })
    assert.match(plan, /Index Scan using tasks_open/)
    assert.doesNotMatch(plan, /Sort/)
  } finally {
    await db.close()
    await database.stop()
  }
})
