// Lists of keys come in pages, so that an account with very many keys gets no response of any size.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listKeys } from '../../../src/accounts/keys/read-keys.ts'
import type { Param, Sql } from '../../../src/db/db.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type Caller, newCaller, newSubKey } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'

const pageMax = 1000

describeService('lists of keys', {}, (service) => {
  interface Page {
    items: { id: string }[]
    nextCursor: string | null
  }

  /** Sub-keys beside the one that exists, oldest first. */
  async function manySubKeys(caller: Caller, count: number): Promise<string[]> {
    const { db } = service().app
    const { keyId } = await newSubKey(service(), caller)
    const row = await db.one<Record<string, Param>>('select * from keys where id = ?', [keyId])
    const copies = Array.from({ length: count - 1 }, () => {
      const id = newId(Date.now())
      return { ...row, id, hash: id }
    })
    await db.insert('keys', copies)
    return [keyId, ...copies.map(({ id }) => id)].sort()
  }

  async function pagesOf(read: (query: string) => Promise<{ body: { data: Page } }>, limit: number) {
    const pages: string[][] = []
    let cursor: string | null = null
    do {
      const { items, nextCursor }: Page = (await read(`limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`)).body.data
      pages.push(items.map(({ id }) => id))
      cursor = nextCursor
    } while (cursor !== null)
    return pages
  }

  const nameOf = async ({ accountId }: Caller) =>
    (await service().app.db.one<{ name: string }>('select name from accounts where id = ?', [accountId]))!.name

  test('a few keys are one page without a next one', async () => {
    const caller = await newCaller(service(), 0)
    const ids = await manySubKeys(caller, 3)
    const { items, nextCursor } = (await caller.api.get('/api/v1/keys')).body.data
    assert.deepEqual([items.map(({ id }: { id: string }) => id), nextCursor], [ids, null])
  })

  test('a page has at most 1000 keys, and the pages have every key once, oldest first', async () => {
    const caller = await newCaller(service(), 0)
    await manySubKeys(await newCaller(service(), 0), 3)
    const ids = await manySubKeys(caller, pageMax + 1)
    const first: Page = (await caller.api.get('/api/v1/keys')).body.data
    assert.deepEqual([first.items.length, first.nextCursor], [pageMax, ids[pageMax - 1]])
    const own = await pagesOf((query) => caller.api.get(`/api/v1/keys?${query}`), 400)
    assert.deepEqual(
      own.map((page) => page.length),
      [400, 400, 201],
    )
    assert.deepEqual(own.flat(), ids)
    const path = `/api/v1/operator/accounts/${encodeURIComponent(await nameOf(caller))}/keys`
    const all = await pagesOf((query) => service().api.get(`${path}?${query}`), pageMax)
    assert.deepEqual(all.flat(), [caller.keyId, ...ids])
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=x']) {
      assert.equal((await caller.api.get(`/api/v1/keys?${query}`)).status, 422, query)
      assert.equal((await service().api.get(`${path}?${query}`)).status, 422, query)
    }
  })

  test('a page is read from an index, however many keys there are', async () => {
    const { db } = service().app
    const { accountId, keyId } = await newCaller(service(), 0)
    for (const filter of [{ accountId }, { parentId: keyId }]) {
      const plan = await planOf(db, (sql) => listKeys(sql, 0, { ...filter, after: keyId, limit: 10 }))
      assert.match(plan, 'accountId' in filter ? /keys_of_account/ : /keys_of_parent/)
      // The ten keys of the page may be sorted, with an index above them; the rows that a page is taken from may not.
      assert.doesNotMatch(plan, /TEMP B-TREE|Seq Scan on keys/)
    }
  })

  /** How the database runs the statement of `read`. */
  async function planOf(db: Sql, read: (sql: Sql) => Promise<unknown>): Promise<string> {
    const explain = db.dialect === 'sqlite' ? 'explain query plan' : 'explain'
    let plan = ''
    const explaining = {
      dialect: db.dialect,
      async all(sql: string, params: Param[]) {
        plan = (await db.all<object>(`${explain} ${sql}`, params)).flatMap((row) => Object.values(row)).join('\n')
        return []
      },
    }
    await read(explaining as unknown as Sql)
    return plan
  }
})
