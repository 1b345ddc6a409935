// Entries of the audit log expire, on both databases, and nothing else can delete one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databases } from '../support/places/places.ts'
import { configured } from '../support/service/engine-file.ts'
import { startOneService } from '../support/service/one-service.ts'

const dayMs = 86_400_000
const path = '/api/v1/operator/audit'

// One time for both databases: ids of a process only ever grow with it.
let aheadMs = 0
const clock = { now: () => Date.now() + aheadMs }

for (const { name, create } of databases) {
  test(`the audit log on ${name} deletes what has expired, and only that`, async () => {
    const place = await create()
    const config = await configured({ audit: { retention: '30d' } })
    const service = await startOneService({ ...place.env, ...config.env }, { clock })
    try {
      const count = async () => (await service.api.get(`${path}?limit=100`)).body.data.items.length
      const act = () => service.api.post('/api/v1/operator/maintenance', { on: false })
      await act()
      assert.equal(await count(), 3)
      aheadMs += 29 * dayMs
      await act()
      await service.app.upkeep()
      assert.equal(await count(), 4)
      aheadMs += 2 * dayMs
      await service.app.upkeep()
      assert.equal(await count(), 1)
      await assert.rejects(service.app.db.run('delete from audit'), /append-only/)
    } finally {
      await service.stop()
      await place.stop()
      await config.remove()
    }
  })
}
