// What a key may do, from where and until when, set and changed over HTTP.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyScopes } from '../../../src/contract/keys.ts'
import { taskBody } from '../../support/service/api.ts'
import { type Caller, newCaller } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilTrue } from '../../support/until.ts'

const creditPath = '/api/v1/account/credit'
const createPath = '/api/v1/jobs/createTask'

describeService('the rights of keys', { env: { DAILIES_TRUST_PROXY: '127.0.0.1' } }, (service) => {
  async function subKeyOf(parent: Caller, wanted: object): Promise<Caller> {
    const made = await parent.api.post('/api/v1/keys', { name: 'a sub-key', ...wanted })
    assert.equal(made.status, 200, made.text)
    const { id, key } = made.body.data
    return { ...parent, keyId: id, key, api: service().as(key) }
  }
  const listed = async (parent: Caller, id: string) =>
    (await parent.api.get('/api/v1/keys')).body.data.items.find((key: { id: string }) => key.id === id)
  const change = (parent: Caller, id: string, changes: object) => parent.api.patch(`/api/v1/keys/${id}`, changes)

  test('every route that needs a key names a scope, and a key without it is refused there', async () => {
    const caller = await newCaller(service(), 1000, { scopes: ['keys'], operator: true })
    const guarded = service().app.routes.filter(({ access }) => access !== 'open')
    assert.ok(guarded.length > 35)
    for (const { method, path, scope } of guarded) {
      assert.ok(scope === 'any' || (keyScopes as readonly string[]).includes(scope!), `${method} ${path}`)
      if (scope === 'any' || scope === 'keys') continue
      const answer = await fetch(service().url + path.replaceAll(/:\w+/g, 'x'), {
        method,
        headers: { authorization: `Bearer ${caller.key}` },
      })
      const { msg, error } = (await answer.json()) as { msg?: string; error?: { message: string } }
      assert.equal(answer.status, 404, `${method} ${path}`)
      const expected = scope === 'operator' ? /^Not found\.$/ : new RegExp(`does not have the scope ${scope},`)
      assert.match(msg ?? error!.message, expected, `${method} ${path}`)
    }
    assert.equal((await caller.api.get(creditPath)).status, 200)
  })

  test('a scope allows what it names and nothing else', async () => {
    const parent = await newCaller(service(), 1000)
    const reader = await subKeyOf(parent, { scopes: ['tasks:read'] })
    assert.equal((await reader.api.get('/api/v1/jobs/list')).status, 200)
    assert.equal((await reader.api.post(createPath, taskBody())).status, 404)
    const writer = await subKeyOf(parent, { scopes: ['tasks:write'] })
    assert.equal((await writer.api.post(createPath, taskBody())).status, 200)
    assert.equal((await writer.api.get('/api/v1/jobs/list')).status, 404)
    const all = await subKeyOf(parent, {})
    assert.equal((await all.api.post(createPath, taskBody())).status, 200)
    assert.equal((await all.api.get('/api/v1/jobs/list')).status, 200)
    assert.equal((await all.api.get('/api/v1/keys')).status, 404)
  })

  test('a sub-key never has more than its parent', async () => {
    const expiresAt = Date.now() + 3_600_000
    const parent = await newCaller(service(), 1000, {
      scopes: ['keys', 'tasks:read'],
      addresses: ['127.0.0.0/8', '2001:db8::/32'],
      expiresAt,
      rate: '100/1s',
    })
    for (const [wanted, problem] of [
      [{ scopes: ['tasks:write'] }, /^scopes: tasks:write cannot be given/],
      [{ scopes: ['keys'] }, /^scopes: keys cannot be given/],
      [{ scopes: ['sleep'] }, /^scopes/],
      [{ scopes: [] }, /^scopes: must have 1 to 6 scopes/],
      [{ addresses: ['10.0.0.0/8'] }, /^addresses: 10\.0\.0\.0\/8 is not within/],
      [{ addresses: ['127.0.0.0/7'] }, /^addresses/],
      [{ addresses: ['here'] }, /must be an address or a network/],
      [{ expiresAt: expiresAt + 1 }, /^expiresAt: must not be later/],
      [{ expiresAt: Date.now() - 1 }, /^expiresAt: must be in the future/],
      [{ rate: '101/1s' }, /^rate: must not exceed/],
      [{ rate: 'fast' }, /^rate: must be requests\/duration/],
    ] as [object, RegExp][]) {
      const refused = await parent.api.post('/api/v1/keys', { name: 'too much', ...wanted })
      assert.equal(refused.status, 422, JSON.stringify(wanted))
      assert.match(refused.body.msg, problem)
    }
    const wrong = { name: '', creditLimit: -1, expiresAt: Date.now() - 1 }
    const allAtOnce = await parent.api.post('/api/v1/keys', wrong)
    assert.equal(allAtOnce.status, 422)
    assert.match(allAtOnce.body.msg, /^name: .*; creditLimit: .*; expiresAt: must be in the future$/)
    const notATime = await parent.api.post('/api/v1/keys', { ...wrong, expiresAt: 'yesterday' })
    assert.match(notATime.body.msg, /^name: .*; creditLimit: .*; expiresAt: must be a number$/)
    const sub = await subKeyOf(parent, { addresses: ['127.0.0.1', '2001:db8:1::/48'], scopes: ['tasks:read'] })
    assert.equal((await sub.api.get('/api/v1/jobs/list')).status, 200)
    // Without rights of its own, it has those of its parent.
    const heir = await subKeyOf(parent, {})
    assert.equal((await heir.api.get('/api/v1/jobs/list')).status, 200)
    assert.equal((await heir.api.post(createPath, taskBody())).status, 404)
    const elsewhere = { headers: { 'x-forwarded-for': '203.0.113.7' } }
    assert.equal((await heir.api.get(creditPath, elsewhere)).status, 401)
  })

  test("an allow-list goes by the client's address, which a trusted proxy names", async () => {
    const parent = await newCaller(service(), 1000)
    const sub = await subKeyOf(parent, { addresses: ['203.0.113.0/24'] })
    const from = async (address: string) =>
      (await sub.api.get(creditPath, { headers: { 'x-forwarded-for': address } })).status
    assert.equal(await from('203.0.113.7'), 200)
    assert.equal(await from('203.0.114.7'), 401)
    // What a client adds itself comes before what the proxy adds.
    assert.equal(await from('203.0.113.7, 198.51.100.1'), 401)
    const refused = await sub.api.get(creditPath)
    assert.equal(refused.body.msg, 'The API key may not be used from this address.')
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer')
  })

  test('rights and limits can be changed and removed', async () => {
    const parent = await newCaller(service(), 1000)
    const sub = await subKeyOf(parent, { creditLimit: 100, requestLimit: { requests: 3, per: 'day' } })
    const wrong = await parent.api.patch(`/api/v1/keys/${sub.keyId}`, { creditLimit: -1, expiresAt: 1 })
    assert.match(wrong.body.msg, /^creditLimit: .*; expiresAt: must be in the future$/)
    await sub.api.createTask('a boat script: stall')
    for (let i = 0; i < 2; i++) await sub.api.get(creditPath)
    assert.equal((await sub.api.get(creditPath)).status, 433)

    const expiresAt = Date.now() + 60_000
    const changes = { name: 'another', scopes: ['tasks:read'], addresses: ['127.0.0.1'], rate: '50/1s', expiresAt }
    const changed = await change(parent, sub.keyId, { ...changes, requestLimit: { requests: 4, per: 'day' } })
    assert.equal(changed.status, 200, changed.text)
    const shown = await listed(parent, sub.keyId)
    // The last use is written in the background, perhaps between the two.
    assert.deepEqual({ ...shown, lastUsedAt: null }, { ...changed.body.data, lastUsedAt: null })
    assert.deepEqual({ ...shown, ...changes }, shown)
    assert.deepEqual([shown.creditLimit, shown.creditUsed, shown.requestsUsed], [100, 42, 3])
    assert.equal((await sub.api.get('/api/v1/jobs/list')).status, 200)
    assert.equal((await sub.api.get('/api/v1/jobs/list')).status, 433)

    const removed = {
      requestLimit: null,
      scopes: null,
      addresses: null,
      rate: null,
      expiresAt: null,
      creditLimit: null,
    }
    assert.deepEqual((await change(parent, sub.keyId, removed)).status, 200)
    assert.equal((await sub.api.post(createPath, taskBody())).status, 200)
    const low = await change(parent, sub.keyId, { creditLimit: 50 })
    assert.equal(low.body.msg, 'creditLimit: must be at least 84, which the key has spent')
    assert.equal((await change(parent, sub.keyId, { scopes: ['operator'] })).status, 422)
    assert.equal((await change(parent, sub.keyId, { name: '' })).status, 200)
    assert.equal((await listed(parent, sub.keyId)).name, 'another')
  })

  test('only the parent changes a key', async () => {
    const parent = await newCaller(service(), 1000)
    const sub = await subKeyOf(parent, {})
    const stranger = await newCaller(service(), 1000)
    for (const [caller, id] of [
      [stranger, sub.keyId],
      [sub, sub.keyId],
      [parent, parent.keyId],
    ] as [Caller, string][]) {
      assert.equal((await change(caller, id, { name: 'mine' })).status, 404)
    }
  })

  test('a key ends at its expiry', async () => {
    const parent = await newCaller(service(), 1000)
    const sub = await subKeyOf(parent, { expiresAt: Date.now() + 1500 })
    assert.equal((await sub.api.get(creditPath)).status, 200)
    await untilTrue('the key has expired', async () => (await sub.api.get(creditPath)).status === 401)
    // A parent can revive it.
    await change(parent, sub.keyId, { expiresAt: Date.now() + 60_000 })
    assert.equal((await sub.api.get(creditPath)).status, 200)
  })

  test('the last use of a key is known soon, and written at most once a minute', async () => {
    const parent = await newCaller(service(), 1000)
    const sub = await subKeyOf(parent, {})
    const lastUse = async () => (await listed(parent, sub.keyId)).lastUsedAt
    assert.equal(await lastUse(), null)
    const beforeMs = Date.now()
    await sub.api.get(creditPath)
    await untilTrue('the use is written', async () => (await lastUse()) !== null)
    const first = await lastUse()
    assert.ok(Math.abs(first - beforeMs) < 10_000)
    await sub.api.get(creditPath)
    await service().app.upkeep()
    assert.equal(await lastUse(), first)
  })

  test('a key rotates itself, and the old secret lives on for the overlap', async () => {
    const caller = await newCaller(service(), 1000)
    const sub = await subKeyOf(caller, {})
    const rotated = await caller.api.post('/api/v1/keys/self/rotate', { overlap: '2s' })
    assert.equal(rotated.status, 200, rotated.text)
    const { id, key } = rotated.body.data
    assert.equal(id, caller.keyId)
    const next = { ...caller, key, api: service().as(key) }
    for (const each of [caller, next, sub]) assert.equal((await each.api.get(creditPath)).status, 200)
    await untilTrue('the old secret is invalid', async () => (await caller.api.get(creditPath)).status === 401)
    for (const each of [next, sub]) assert.equal((await each.api.get(creditPath)).status, 200)

    // Without an overlap it ends at once, and so does one that was in its overlap.
    const again = (await next.api.post(`/api/v1/keys/${id}/rotate`, { overlap: '1h' })).body.data.key
    const last = (await service().as(again).post('/api/v1/keys/self/rotate')).body.data.key
    assert.equal((await next.api.get(creditPath)).status, 401)
    assert.equal((await service().as(again).get(creditPath)).status, 401)
    assert.equal((await service().as(last).get(creditPath)).status, 200)
    for (const overlap of ['8d', 'long', 5]) {
      assert.equal((await service().as(last).post('/api/v1/keys/self/rotate', { overlap })).status, 422)
    }
    assert.equal((await sub.api.post('/api/v1/keys/self/rotate')).status, 404)
    const renewed = (await service().as(last).post(`/api/v1/keys/${sub.keyId}/rotate`, { overlap: '1h' })).body.data.key
    for (const secret of [sub.key, renewed]) assert.equal((await service().as(secret).get(creditPath)).status, 200)
    // Revoking a key ends all of its secrets.
    await service().as(last).delete(`/api/v1/keys/${sub.keyId}`)
    for (const secret of [sub.key, renewed]) assert.equal((await service().as(secret).get(creditPath)).status, 401)
  })

  test('an old secret cannot act on keys during its overlap', async () => {
    const old = await newCaller(service(), 1000, { operator: true })
    const sub = await subKeyOf(old, {})
    const account = `made by ${old.accountId}`
    const { key } = (await old.api.post('/api/v1/keys/self/rotate', { overlap: '1h' })).body.data
    const renewed = service().as(key)
    for (const refused of [
      await old.api.post('/api/v1/keys/self/rotate'),
      await old.api.post(`/api/v1/keys/${old.keyId}/rotate`, { overlap: '1h' }),
      await old.api.post(`/api/v1/keys/${sub.keyId}/rotate`),
      await old.api.post('/api/v1/keys', { name: 'another' }),
      await old.api.get('/api/v1/keys'),
      await old.api.patch(`/api/v1/keys/${sub.keyId}`, { name: 'another' }),
      await old.api.delete(`/api/v1/keys/${sub.keyId}`),
      await old.api.post('/api/v1/webhooks/secret/rotate'),
      await old.api.post('/api/v1/keys/self/webhook-secret/rotate'),
      await old.api.post(`/api/v1/keys/${sub.keyId}/webhook-secret/rotate`),
    ]) {
      assert.equal(refused.status, 404)
      assert.match(refused.body.msg, /does not have the scope keys,/)
    }
    // Nor as an operator.
    for (const refused of [
      await old.api.get('/api/v1/operator/status'),
      await old.api.post('/api/v1/operator/accounts', { name: account }),
      await old.api.post('/api/v1/operator/accounts/default/credit', { credits: 1 }),
      await old.api.delete(`/api/v1/operator/accounts/default/keys/${old.keyId}`),
    ]) {
      assert.equal(refused.status, 404)
    }
    // Everything else goes on, and the key itself may do what it could.
    for (const api of [old.api, renewed]) {
      assert.equal((await api.get(creditPath)).status, 200)
      assert.equal((await api.post(createPath, taskBody())).status, 200)
      assert.equal((await api.get('/api/v1/webhooks/secret')).status, 200)
    }
    assert.equal((await renewed.get('/api/v1/operator/status')).status, 200)
    assert.equal((await renewed.post('/api/v1/operator/accounts', { name: account })).status, 200)
    assert.equal((await renewed.delete(`/api/v1/keys/${sub.keyId}`)).status, 200)
  })

  test('of rotations at the same time, the last one counts', async () => {
    const caller = await newCaller(service(), 1000)
    const sub = await subKeyOf(caller, {})
    const rotations = await Promise.all(
      Array.from({ length: 6 }, () => caller.api.post(`/api/v1/keys/${sub.keyId}/rotate`)),
    )
    for (const { status, text } of rotations) assert.equal(status, 200, text)
    const secrets = [sub.key, ...rotations.map(({ body }) => body.data.key as string)]
    const statuses = await Promise.all(
      secrets.map(async (secret) => (await service().as(secret).get(creditPath)).status),
    )
    assert.deepEqual(statuses.toSorted(), [200, ...Array(6).fill(401)])
  })
})
