// Requests that each write in a transaction of their own: those of one account do not queue before those of another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Param } from '../../../src/db/db.ts'
import { newId } from '../../../src/platform/ids.ts'
import type { Api } from '../../support/service/api.ts'
import { type Caller, newCaller, newSubKey } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'

const flood = 150
/** Those that were under way, and what an account may use before it waits for others. */
const aheadMax = flood / 2

const writes: [what: string, write: (api: Api, subKeyId: string, key: string) => Promise<{ status: number }>][] = [
  ['new keys', (api) => api.post('/api/v1/keys', { name: 'one of many' })],
  ['changes of a key', (api, id) => api.patch(`/api/v1/keys/${id}`, { name: 'changed' })],
  ['rotations of a key', (api, id) => api.post(`/api/v1/keys/${id}/rotate`, {})],
  ['rotations of the signing secret', (api) => api.post('/api/v1/webhooks/secret/rotate', {})],
  ['rotations of the secret of a key', (api, id) => api.post(`/api/v1/keys/${id}/webhook-secret/rotate`, {})],
  [
    'logins to the console',
    (api, _id, key) => api.post('/console/session', { key }, { headers: { 'x-dailies-console': '1' } }),
  ],
]

describeService('a flood of', {}, (service) => {
  /** Asks for a task of another account once the flood is under way; returns how many were served before it. */
  async function servedBefore(victim: Caller, write: (index: number) => Promise<{ status: number }>): Promise<number> {
    let done = 0
    const served = async (index: number) => {
      assert.equal((await write(index)).status, 200)
      if (++done === 5) return victim.api.createTask().then(() => done)
    }
    const ends = await Promise.all(Array.from({ length: flood }, (_, index) => served(index)))
    return ends.find((end) => end !== undefined)!
  }

  for (const [what, write] of writes) {
    test(`${what} does not delay another account`, async () => {
      const attacker = await newCaller(service(), 0)
      const { keyId } = await newSubKey(service(), attacker)
      const victim = await newCaller(service(), 1000)
      const ahead = await servedBefore(victim, () => write(attacker.api, keyId, attacker.key))
      assert.ok(ahead < aheadMax, `${ahead} of ${flood} were served first`)
    })
  }

  test('deletions of tasks does not delay another account', async () => {
    const attacker = await newCaller(service(), 1000)
    const victim = await newCaller(service(), 1000)
    await attacker.api.until(await attacker.api.createTask('script: fail on purpose'), ['fail'])
    const { db } = service().app
    const row = await db.one<Record<string, Param>>('select * from tasks where account_id = ?', [attacker.accountId])
    const copies = Array.from({ length: flood }, () => ({ ...row, id: newId(Date.now()) }))
    await db.insert('tasks', copies)
    const ahead = await servedBefore(victim, (index) => attacker.api.delete(`/api/v1/jobs/${copies[index]!.id}`))
    assert.ok(ahead < aheadMax, `${ahead} of ${flood} were served first`)
  })
})
