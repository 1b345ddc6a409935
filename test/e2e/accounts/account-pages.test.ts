// The operator's list of accounts comes in pages, so that very many accounts are no response of any size.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Param } from '../../../src/db/db.ts'
import { newId } from '../../../src/platform/ids.ts'
import { describeService } from '../../support/service/suite.ts'

const pageMax = 1000
const path = '/api/v1/operator/accounts'

describeService('the list of accounts', {}, (service) => {
  test('a page has at most 1000 accounts, and the pages have every account once, oldest first', async () => {
    const { db } = service().app
    const row = await db.one<Record<string, Param>>('select * from accounts limit 1')
    const copies = Array.from({ length: pageMax }, (_, i) => ({ ...row, id: newId(Date.now()), name: `customer ${i}` }))
    await db.insert('accounts', copies)
    const ids = (await db.all<{ id: string }>('select id from accounts order by id')).map(({ id }) => id)
    const first = (await service().api.get(path)).body.data
    assert.equal(first.items.length, pageMax)
    const rest = (await service().api.get(`${path}?cursor=${first.nextCursor}`)).body.data
    assert.equal(rest.nextCursor, null)
    assert.deepEqual(
      [...first.items, ...rest.items].map(({ id }) => id),
      ids,
    )
    assert.equal((await service().api.get(`${path}?limit=2`)).body.data.items.length, 2)
    for (const query of ['limit=0', 'limit=1001', 'cursor=x']) {
      assert.equal((await service().api.get(`${path}?${query}`)).status, 422, query)
    }
  })
})
