// What operators see and change of every account: keys, secrets, ledger entries and callbacks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../support/network/receiver.ts'
import { taskBody } from '../../support/service/api.ts'
import { newCaller, newSubKey } from '../../support/service/callers.ts'
import { untilDelivery } from '../../support/service/deliveries.ts'
import { describeService } from '../../support/service/suite.ts'

const base = '/api/v1/operator'

describeService('every account for operators', {}, (service) => {
  const nameOf = async (accountId: string) =>
    (await service().app.db.one<{ name: string }>('select name from accounts where id = ?', [accountId]))!.name

  test('a key of an account and a sub-key of a key are made, listed, changed, rotated and revoked', async () => {
    const { api } = service()
    const ada = await newCaller(service(), 100)
    const account = await nameOf(ada.accountId)
    const made = (await api.post(`${base}/keys`, { account, name: 'backend', operator: true })).body.data
    assert.equal((await service().as(made.key).get(`${base}/status`)).status, 200)
    const sub = (await api.post(`${base}/keys`, { parentId: made.id, name: 'one customer', creditLimit: 5 })).body.data
    assert.equal((await service().as(sub.key).get('/api/v1/account/credit')).body.data, 5)
    const listed = (await api.get(`${base}/keys`)).body.data.items.filter(
      (key: { account: string }) => key.account === account,
    )
    assert.deepEqual(
      listed.map((key: Record<string, unknown>) => [key.id, key.parentId, key.operator]),
      [
        [ada.keyId, null, false],
        [made.id, null, true],
        [sub.id, made.id, false],
      ],
    )
    const changed = await api.patch(`${base}/keys/${made.id}`, { name: 'renamed', rate: '100/1s' })
    assert.deepEqual(
      [changed.body.data.name, changed.body.data.rate, changed.body.data.account],
      ['renamed', '100/1s', account],
    )
    const rotated = (await api.post(`${base}/keys/${made.id}/rotate`, {})).body.data
    assert.equal((await service().as(made.key).get('/api/v1/account/credit')).status, 401)
    assert.equal((await service().as(rotated.key).get('/api/v1/account/credit')).status, 200)
    assert.deepEqual((await api.delete(`${base}/keys/${made.id}`)).body.data, { id: made.id, subKeys: 1 })
    assert.equal((await service().as(sub.key).get('/api/v1/account/credit')).status, 401)
    const acts = (await api.get(`${base}/audit?action=key&limit=5`)).body.data.items
    assert.deepEqual(
      acts.map(({ action, target }: Record<string, unknown>) => [action, target]),
      [
        ['key.revoke', made.id],
        ['key.rotate', made.id],
        ['key.update', made.id],
        ['key.create', sub.id],
        ['key.create', made.id],
      ],
    )
    const again = await api.delete(`${base}/keys/${made.id}`)
    assert.deepEqual([again.status, again.body.msg], [422, `id: the key ${made.id} is revoked`])
  })

  test('a key is made of an account or of a main key, one of both', async () => {
    const { api } = service()
    const ada = await newCaller(service(), 0)
    const sub = await newSubKey(service(), ada)
    for (const [body, status, msg] of [
      [{ name: 'a' }, 422, /must have either account or parentId/],
      [{ name: 'a', account: 'x', parentId: 'y' }, 422, /must have either account or parentId/],
      [{ name: 'a', parentId: ada.keyId, operator: true }, 422, /must not have operator with parentId/],
      [{ name: 'a', parentId: sub.keyId }, 422, /is a sub-key itself/],
      [{ name: 'a', parentId: 'nothing' }, 404, /no key/],
      [{ name: 'a', account: 'nobody' }, 404, /no account/],
    ] as const) {
      const answer = await api.post(`${base}/keys`, body)
      assert.equal(answer.status, status, JSON.stringify(body))
      assert.match(answer.body.msg, msg)
    }
  })

  test('a key with scopes, addresses or an expiry of its own cannot give itself more by the keys of others', async () => {
    const ada = await newCaller(service(), 0)
    const account = await nameOf(ada.accountId)
    for (const narrowed of [
      { scopes: ['operator', 'keys'] as const },
      { addresses: ['127.0.0.0/8'] },
      { expiresAt: Date.now() + 3_600_000 },
    ]) {
      const { api } = await newCaller(service(), 0, { operator: true, ...narrowed } as object)
      const calls = [
        api.post(`${base}/keys`, { account, name: 'mine' }),
        api.patch(`${base}/keys/${ada.keyId}`, { name: 'mine' }),
        api.post(`${base}/keys/${ada.keyId}/rotate`, {}),
        api.get(`${base}/webhooks/secret?account=${encodeURIComponent(account)}`),
        api.post(`${base}/webhooks/secret/rotate`, { account }),
      ]
      for (const { status, body } of await Promise.all(calls)) {
        assert.equal(status, 404)
        assert.match(body.msg, /without scopes, addresses and expiry of its own/)
      }
      assert.equal((await api.get(`${base}/keys`)).status, 200)
    }
  })

  test('the secrets of an account and of its keys are read and replaced', async () => {
    const { api } = service()
    const ada = await newCaller(service(), 0)
    const account = await nameOf(ada.accountId)
    const read = async (query: string) => (await api.get(`${base}/webhooks/secret?${query}`)).body.data
    const own = await read(`account=${encodeURIComponent(account)}`)
    assert.deepEqual([own.account, own.keyId], [account, null])
    assert.equal((await ada.api.get('/api/v1/webhooks/secret')).body.data.secret, own.secret)
    const sub = await newSubKey(service(), ada)
    const ofSub = await read(`keyId=${sub.keyId}`)
    assert.deepEqual([ofSub.account, ofSub.keyId], [account, sub.keyId])
    const renewed = (await api.post(`${base}/webhooks/secret/rotate`, { keyId: sub.keyId })).body.data
    assert.notEqual(renewed.secret, ofSub.secret)
    assert.ok(renewed.previousUntil > Date.now())
    assert.equal((await read(`keyId=${sub.keyId}`)).secret, renewed.secret)
    for (const query of ['', `account=a&keyId=b`])
      assert.equal((await api.get(`${base}/webhooks/secret?${query}`)).status, 422)
    assert.equal((await api.get(`${base}/webhooks/secret?account=nobody`)).status, 404)
  })

  test('credits are withdrawn by a negative grant, down to nothing', async () => {
    const { api } = service()
    const ada = await newCaller(service(), 100)
    const account = await nameOf(ada.accountId)
    const grant = (credits: number) => api.post(`${base}/accounts/${encodeURIComponent(account)}/credit`, { credits })
    assert.deepEqual((await grant(-60)).body.data, { name: account, balance: 40 })
    const refused = await grant(-41)
    assert.equal(refused.status, 422)
    assert.match(refused.body.msg, /has 40 credits; 41 cannot be withdrawn/)
    assert.equal((await grant(0)).status, 422)
  })

  test('ledger entries and callbacks of every account are listed, and a callback is sent again', async () => {
    const { api } = service()
    const receiver = await startReceiver()
    try {
      const ada = await newCaller(service(), 1000)
      const account = encodeURIComponent(await nameOf(ada.accountId))
      const body = { ...taskBody(), callBackUrl: `${receiver.origin}/ok` }
      const { taskId } = (await ada.api.post('/api/v1/jobs/createTask', body)).body.data
      const { id } = await untilDelivery(ada.api, taskId, ['delivered'])
      const entries = (await api.get(`${base}/ledger?taskId=${taskId.slice(-8)}`)).body.data.items
      assert.deepEqual(
        entries.map((entry: Record<string, unknown>) => [entry.kind, entry.account, entry.taskId]),
        ['settle', 'hold'].map((kind) => [kind, decodeURIComponent(account), taskId]),
      )
      for (const query of [`account=${account}`, `account=${account}&id=${id.slice(-8)}`, `id=${id}`]) {
        const { items } = (await api.get(`${base}/webhooks/deliveries?${query}`)).body.data
        assert.deepEqual(
          items.map((each: { id: string }) => each.id),
          [id],
          query,
        )
      }
      assert.deepEqual((await api.get(`${base}/webhooks/deliveries?id=nothing`)).body.data.items, [])
      const resent = await api.post(`${base}/webhooks/deliveries/${id}/resend`, {})
      assert.deepEqual(resent.body.data, { id, state: 'pending' })
      await receiver.until((received) => received.length === 2)
      assert.equal((await api.get(`${base}/ledger?account=nobody`)).status, 404)
    } finally {
      await receiver.close()
    }
  })

  test('nothing of it is there for other keys', async () => {
    const { api } = await newCaller(service(), 0)
    for (const path of ['keys', 'ledger', 'webhooks/deliveries', 'webhooks/secret?account=default'])
      assert.equal((await api.get(`${base}/${path}`)).status, 404, path)
    for (const path of ['keys', 'keys/x/rotate', 'webhooks/secret/rotate', 'webhooks/deliveries/x/resend'])
      assert.equal((await api.post(`${base}/${path}`, {})).status, 404, path)
  })
})
