// What operators read across accounts: tasks, keys, and how engines did.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newCaller, newSubKey } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'

const hourMs = 3_600_000

describeService('operator', {}, (service) => {
  const read = async (path: string) => (await service().api.get(`/api/v1/operator/${path}`)).body.data

  test('finds tasks of every account by account, prompt, state and time, page by page', async () => {
    const ada = await newCaller(service(), 1000)
    const bob = await newCaller(service(), 1000)
    const accounts: { id: string; name: string }[] = (await read('accounts')).items
    const nameOf = (id: string) => accounts.find((account) => account.id === id)!.name
    const harbour = await ada.api.createTask('a Harbour at dawn')
    const failed = await bob.api.createTask('the harbour script: fail on purpose')
    const street = await bob.api.createTask('a street')
    await ada.api.until(harbour, ['success'])
    await bob.api.until(failed, ['fail'])
    await bob.api.until(street, ['success'])
    const found = (items: { taskId: string }[]) => items.map(({ taskId }) => taskId)

    const both = await read('tasks?q=harbour')
    assert.deepEqual(found(both.items), [failed, harbour])
    assert.deepEqual(
      both.items.map(({ account, keyId }: Record<string, string>) => [account, keyId]),
      [
        [nameOf(bob.accountId), bob.keyId],
        [nameOf(ada.accountId), ada.keyId],
      ],
    )
    assert.deepEqual(found((await read('tasks?q=harbour&state=fail')).items), [failed])
    const ofBob = `tasks?account=${encodeURIComponent(nameOf(bob.accountId))}`
    assert.deepEqual(found((await read(ofBob)).items), [street, failed])
    const first = await read(`${ofBob}&limit=1`)
    assert.deepEqual(found(first.items), [street])
    const second = await read(`${ofBob}&limit=1&cursor=${first.nextCursor}`)
    assert.deepEqual([found(second.items), second.nextCursor], [[failed], null])
    assert.deepEqual(found((await read(`tasks?since=${Date.now() + hourMs}`)).items), [])
    assert.deepEqual(await read('tasks?account=nobody'), { items: [], nextCursor: null })
    assert.equal((await ada.api.get('/api/v1/operator/tasks')).status, 404)
  })

  test('cannot grant more credits than can be counted', async () => {
    const rich = await newCaller(service(), Number.MAX_SAFE_INTEGER - 10)
    const { items } = await read('accounts')
    const { name } = items.find(({ id }: { id: string }) => id === rich.accountId)
    const grant = (credits: number) =>
      service().api.post(`/api/v1/operator/accounts/${encodeURIComponent(name)}/credit`, { credits })
    assert.equal((await grant(10)).body.data.balance, Number.MAX_SAFE_INTEGER)
    const refused = await grant(1)
    assert.equal(refused.status, 422)
    assert.equal(refused.body.msg, 'credits: the account would have more than can be counted')
  })

  test('lists the keys of an account and revokes one with its sub-keys', async () => {
    const ada = await newCaller(service(), 1000)
    const { name } = (await read('accounts')).items.find(({ id }: { id: string }) => id === ada.accountId)
    const subKey = await newSubKey(service(), ada, { name: 'one customer' })
    const path = `accounts/${encodeURIComponent(name)}/keys`
    const keys = (await read(path)).items
    assert.deepEqual(
      keys.map((key: Record<string, unknown>) => [key.id, key.name, key.parentId, key.operator]),
      [
        [ada.keyId, 'a key', null, false],
        [subKey.keyId, 'one customer', ada.keyId, false],
      ],
    )
    assert.doesNotMatch(JSON.stringify(keys), new RegExp(ada.key))
    const stranger = await newCaller(service(), 0)
    const revoke = (id: string) => service().api.delete(`/api/v1/operator/${path}/${id}`)
    assert.equal((await revoke(stranger.keyId)).status, 404)
    assert.equal((await revoke(ada.keyId)).status, 200)
    assert.deepEqual(
      [(await ada.api.get('/api/v1/account/credit')).status, (await subKey.api.get('/api/v1/account/credit')).status],
      [401, 401],
    )
    assert.equal((await revoke(ada.keyId)).status, 404)
    assert.equal((await service().api.get('/api/v1/operator/accounts/nobody/keys')).status, 404)
    const [act] = (await read(`audit?action=key.revoke&limit=1`)).items
    assert.equal(act.target, ada.keyId)
  })

  test('reports by the hour how many attempts of an engine succeeded, and how long they took', async () => {
    const ada = await newCaller(service(), 1000)
    const before = Date.now()
    const good = await ada.api.createTask('script: wait 30ms')
    const bad = await ada.api.createTask('script: fail on purpose')
    const canceled = await ada.api.createTask('script: stall')
    await ada.api.until(good, ['success'])
    await ada.api.until(bad, ['fail'])
    await ada.api.until(canceled, ['generating'])
    await ada.api.post('/api/v1/jobs/cancelTask', { taskId: canceled })
    const attemptsOf = async () => {
      const { hours } = (await read('engines/history?hours=2')).items[0]
      return hours.reduce((total: number, hour: { attempts: number }) => total + hour.attempts, 0)
    }
    const counted = await attemptsOf()
    const refused = await ada.api.createTask('script: refuse')
    await ada.api.until(refused, ['fail'])
    assert.equal(await attemptsOf(), counted)
    const { items } = await read('engines/history?hours=2')
    assert.equal(items.length, 1)
    const hours: { hour: number; attempts: number; succeeded: number; p50Ms: number }[] = items[0].hours
    assert.ok(hours.every(({ hour }) => hour % hourMs === 0 && hour > before - 2 * hourMs))
    const sum = (name: 'attempts' | 'succeeded') => hours.reduce((total, hour) => total + hour[name], 0)
    // Those of the test above are among them; the canceled one and the refused one are not.
    assert.ok(sum('succeeded') >= 1)
    assert.ok(sum('attempts') > sum('succeeded'))
    assert.ok(hours.at(-1)!.p50Ms > 0)
    assert.equal((await service().api.get('/api/v1/operator/engines/history?hours=169')).status, 422)
  })
})
