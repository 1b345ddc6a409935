// Switches as a process knows them, while it reads them again after changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSwitches } from '../../src/accounts/switches.ts'
import type { ChangeListener, Db } from '../../src/db/db.ts'

/** A database whose reads end when the test lets them. */
function slowDatabase() {
  const reads: PromiseWithResolvers<{ name: string }[]>[] = []
  let listener: ChangeListener = () => {}
  const db = {
    all() {
      const read = Promise.withResolvers<{ name: string }[]>()
      reads.push(read)
      return read.promise
    },
    onChange(added: ChangeListener) {
      listener = added
      return () => {}
    },
  } as unknown as Db
  return { db, reads, change: () => listener('settings') }
}

test('a read that ends after a later one does not bring old switches back', async () => {
  const { db, reads, change } = slowDatabase()
  const opening = createSwitches(db)
  reads[0]!.resolve([])
  const switches = await opening
  change()
  change()
  const [, whileOn, afterwards] = reads
  afterwards!.resolve([])
  await nextTurn()
  whileOn!.resolve([{ name: 'maintenance' }])
  await nextTurn()
  assert.equal(switches.maintenance(), false)
})

test('a read takes effect while a later one has not ended, or has failed', async () => {
  const { db, reads, change } = slowDatabase()
  const opening = createSwitches(db)
  reads[0]!.resolve([])
  const switches = await opening
  change()
  change()
  reads[1]!.resolve([{ name: 'maintenance' }])
  reads[2]!.reject(new Error('unreachable'))
  await nextTurn()
  assert.equal(switches.maintenance(), true)
})
