// Which secret signs the callbacks of a key, and how often a callback is sent again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { windows } from '../../src/limits/table.ts'
import { type Received, type Receiver, startReceiver } from '../support/network/receiver.ts'
import { taskBody } from '../support/service/api.ts'
import { type Caller, newCaller, newSubKey } from '../support/service/callers.ts'
import { describeService } from '../support/service/suite.ts'

type Signed = Pick<Received, 'raw' | 'headers'>

const env = { DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32' }

describeService('callbacks of keys', { env }, (service) => {
  let receiver: Receiver
  let count = 0
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver?.close())

  async function callbackOf(caller: Caller): Promise<Received> {
    const path = `/ok?${++count}`
    const body = { ...taskBody(), callBackUrl: receiver.origin + path }
    assert.equal((await caller.api.post('/api/v1/jobs/createTask', body)).status, 200)
    await receiver.until(() => receiver.at(path).length > 0)
    return receiver.at(path)[0]!
  }
  const signs = (secret: string, { raw, headers }: Signed) => {
    try {
      new Webhook(secret).verify(raw, headers)
      return true
    } catch {
      return false
    }
  }
  const accountSecret = async (caller: Caller) =>
    (await caller.api.get('/api/v1/webhooks/secret')).body.data.secret as string
  const secretOf = async (caller: Caller, id: string) =>
    (await caller.api.get(`/api/v1/keys/${id}/webhook-secret`)).body.data.secret as string
  const rotate = async (caller: Caller, id: string) =>
    (await caller.api.post(`/api/v1/keys/${id}/webhook-secret/rotate`)).body.data

  test('those of a sub-key are signed with its own secret and never with that of the account', async () => {
    const parent = await newCaller(service(), 1000)
    const [one, other] = [await newSubKey(service(), parent), await newSubKey(service(), parent)]
    const secrets = [
      await accountSecret(parent),
      await secretOf(parent, one.keyId),
      await secretOf(parent, other.keyId),
    ] as const
    assert.equal(new Set(secrets).size, 3)
    const callback = await callbackOf(one)
    assert.deepEqual(
      secrets.map((secret) => signs(secret, callback)),
      [false, true, false],
    )
    assert.deepEqual(await callbackOf(parent).then((callback) => secrets.map((secret) => signs(secret, callback))), [
      true,
      false,
      false,
    ])
    // So it is for what its owner listens to.
    const listening = await fetch(`${service().url}/api/v1/webhooks/listen`, {
      headers: { authorization: `Bearer ${parent.key}` },
    })
    const first = await firstDelivery(listening, () => callbackOf(one))
    assert.deepEqual(
      secrets.map((secret) => signs(secret, first)),
      [false, true, false],
    )
  })

  test('both secrets sign after a rotation, of the key or of the account', async () => {
    const parent = await newCaller(service(), 1000)
    const sub = await newSubKey(service(), parent)
    const derived = await secretOf(parent, sub.keyId)
    await parent.api.post('/api/v1/webhooks/secret/rotate')
    const renewed = await secretOf(parent, sub.keyId)
    assert.notEqual(renewed, derived)
    let callback = await callbackOf(sub)
    assert.deepEqual([signs(derived, callback), signs(renewed, callback)], [true, true])

    const { secret: own, previousUntil } = await rotate(parent, sub.keyId)
    assert.ok(previousUntil > Date.now() + 23 * 3_600_000)
    assert.equal(await secretOf(parent, sub.keyId), own)
    callback = await callbackOf(sub)
    assert.deepEqual(
      [derived, renewed, own, await accountSecret(parent)].map((each) => signs(each, callback)),
      [false, true, true, false],
    )
    // A secret of its own stays when the account's changes.
    await parent.api.post('/api/v1/webhooks/secret/rotate')
    assert.equal(await secretOf(parent, sub.keyId), own)
  })

  test('of rotations at the same time, the last two secrets sign', async () => {
    const parent = await newCaller(service(), 10_000)
    for (let round = 0; round < 5; round++) {
      const sub = await newSubKey(service(), parent)
      const rotated = await Promise.all(Array.from({ length: 4 }, () => rotate(parent, sub.keyId)))
      const callback = await callbackOf(sub)
      assert.equal(rotated.filter(({ secret }) => signs(secret, callback)).length, 2)
    }
  })

  test('a main key may have a secret of its own', async () => {
    const caller = await newCaller(service(), 1000)
    const before = await accountSecret(caller)
    assert.equal(await secretOf(caller, 'self'), before)
    const { secret } = await rotate(caller, 'self')
    assert.equal(await secretOf(caller, caller.keyId), secret)
    assert.equal(await accountSecret(caller), before)
    const callback = await callbackOf(caller)
    assert.deepEqual([signs(before, callback), signs(secret, callback)], [true, true])
  })

  test('the secret of a key is for its parent alone', async () => {
    const parent = await newCaller(service(), 1000)
    const sub = await newSubKey(service(), parent)
    const stranger = await newCaller(service(), 1000)
    for (const caller of [sub, stranger]) {
      assert.equal((await caller.api.get(`/api/v1/keys/${sub.keyId}/webhook-secret`)).status, 404)
      assert.equal((await caller.api.post(`/api/v1/keys/${sub.keyId}/webhook-secret/rotate`)).status, 404)
    }
  })

  test('one callback is resent a limited number of times, and those of one account at a limited rate', async () => {
    const caller = await newCaller(service(), 1000)
    await callbackOf(caller)
    const { id } = (await caller.api.get('/api/v1/webhooks/deliveries')).body.data.items[0]
    const resend = () => caller.api.post(`/api/v1/webhooks/deliveries/${id}/resend`)
    for (let i = 0; i < windows.resendsOfOne.of; i++) assert.equal((await resend()).status, 200)
    const used = await resend()
    assert.equal(used.status, 422)
    assert.equal(used.body.msg, `This callback was resent ${windows.resendsOfOne.of} times, which is the limit.`)
    for (let i = windows.resendsOfOne.of + 1; i < 60; i++) await resend()
    const fast = await resend()
    assert.equal(fast.status, 429)
    assert.ok(Number(fast.headers.get('retry-after')) >= 1)
    const other = await newCaller(service(), 1000)
    assert.equal((await other.api.post(`/api/v1/webhooks/deliveries/${id}/resend`)).status, 404)
  })
})

/** The first delivery of the stream, as a receiver would have got it. */
async function firstDelivery(response: Response, provoke: () => Promise<unknown>): Promise<Signed> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    if (text === '') await provoke()
    text += chunk
    const data = /^data: (.*)\n\n/m.exec(text)?.[1]
    if (!data) continue
    const { headers, body } = JSON.parse(data)
    return { headers, raw: body }
  }
  throw new Error('the stream ended')
}
