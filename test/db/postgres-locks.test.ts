// A process that stands still in the middle of a transaction loses it, and its locks, before anybody's lease ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { createTestDatabase } from '../support/places/postgres.ts'
import { within } from '../support/within.ts'

test('a lock is free again within 15 s of its holder standing still', async () => {
  const database = await createTestDatabase()
  const open = () => openDatabase({ dataDir: '', databaseUrl: database.url })
  const [still, other] = [await open(), await open()]
  try {
    await migrate(other, 0)
    await other.insert('switches', [{ name: 'locked', changed_at: 1 }])
    const goOn = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    let rounds = 0
    const change = still.transaction(async (tx) => {
      await tx.run(`update switches set changed_at = changed_at + 1 where name = 'locked'`)
      locked.resolve()
      if (++rounds === 1) await goOn.promise
    })
    await locked.promise
    await within(15_000, 'the lock', other.run(`update switches set changed_at = 10 where name = 'locked'`))
    goOn.resolve()
    // It finds out, and does its work again from the start.
    await change
    const row = await other.one<{ changed_at: number }>(`select changed_at from switches where name = 'locked'`)
    assert.deepEqual([row!.changed_at, rounds], [11, 2])
  } finally {
    await still.close()
    await other.close()
    await database.stop()
  }
})
