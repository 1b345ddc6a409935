// One statement updates many rows, each with values of its own, on both databases.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { loadConfig } from '../../src/config.ts'
import type { Db, Param, Tx } from '../../src/db/db.ts'
import { openDatabase } from '../../src/db/open.ts'
import { updateEach } from '../../src/db/update-each.ts'
import { databases, type TestPlace } from '../support/places/places.ts'

interface Thing {
  id: string
  name: string
  size: number
  share: number | null
}

for (const database of databases) {
  describe(`updates of many rows (${database.name})`, () => {
    let place: TestPlace
    let db: Db

    before(async () => {
      place = await database.create()
      db = await openDatabase(loadConfig(place.env))
      await db.run('create table things (id text primary key, name text, size bigint, share double precision)')
    })

    after(async () => {
      await db.close()
      await place.stop()
    })

    const growing = (
      tx: Tx,
      areLocked: boolean,
      rows: { id: string; name: string | null; by: number; share: number | null }[],
    ) =>
      updateEach<Thing, 'name' | 'by' | 'share'>(
        tx,
        {
          table: 'things',
          columns: { name: 'text', by: 'bigint', share: 'double precision' },
          set: ({ name, by, share }) => `name = coalesce(${name}, name), size = size + ${by}, share = ${share}`,
          where: ({ by }) => `size < ${by} * 100`,
          returning: ['id', 'name', 'size', 'share'],
          areLocked,
        },
        rows,
      )

    for (const areLocked of [true, false]) {
      test(`each row gets its own values where its condition holds (locked before: ${areLocked})`, async () => {
        const stored = await db.transaction(async (tx) => {
          await tx.run('delete from things')
          await tx.insert(
            'things',
            ['a', 'b', 'c', "d'e"].map((id) => ({ id, name: 'old', size: 500, share: null })),
          )
          const updated = await growing(tx, areLocked, [
            { id: 'a', name: 'new "a"\u0000', by: 9_007_199_254_740_000, share: 0.1 },
            { id: 'b', name: null, by: 6, share: null },
            { id: 'c', name: 'too large', by: 5, share: 1 },
            { id: "d'e", name: '1', by: 7, share: 1e21 },
            { id: 'nobody', name: 'nothing', by: 8, share: 1 },
          ])
          assert.deepEqual(updated.map(({ id }) => id).sort(), ['a', 'b', "d'e"])
          return tx.all<Thing>('select * from things order by id')
        })
        assert.deepEqual(
          stored.map((row) => ({ ...row })),
          [
            { id: 'a', name: 'new "a"\ufffd', size: 9_007_199_254_740_500, share: 0.1 },
            { id: 'b', name: 'old', size: 506, share: null },
            { id: 'c', name: 'old', size: 500, share: null },
            { id: "d'e", name: '1', size: 507, share: 1e21 },
          ],
        )
      })
    }

    test('no row is compared with the values of all others', async () => {
      const plan = await db.transaction(async (tx) => {
        const explain = tx.dialect === 'sqlite' ? 'explain query plan' : 'explain'
        const explaining = { ...tx, all: (text: string, params: Param[]) => tx.all(`${explain} ${text}`, params) }
        return growing(explaining as Tx, true, [{ id: 'a', name: null, by: 1, share: null }])
      })
      const lines = plan.map((line) => Object.values(line).at(-1)).join('\n')
      if (db.dialect === 'sqlite') assert.match(lines, /^SCAN json_each.*\nSEARCH things USING INDEX/)
      else assert.match(lines, /Nested Loop .*\n.+Function Scan on given .*\n.+Index Scan using things_pkey/)
    })
  })
}
