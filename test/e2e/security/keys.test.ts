// What happens to a key that ends: its streams end with it, its sub-keys too, and no setting brings it back.
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { revokeKey, rotateKey } from '../../../src/accounts/keys/keys.ts'
import { updateKey } from '../../../src/accounts/keys/update.ts'
import { sendRaw } from '../../support/network/raw-http.ts'
import { startReceiver } from '../../support/network/receiver.ts'
import { places } from '../../support/places/places.ts'
import { taskBody } from '../../support/service/api.ts'
import { type Caller, newCaller, newSubKey } from '../../support/service/callers.ts'
import { startProcess } from '../../support/service/process.ts'
import { startService, testKey } from '../../support/service/service.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilTrue } from '../../support/until.ts'
import { within } from '../../support/within.ts'

const creditPath = '/api/v1/account/credit'

describeService('keys that end', {}, (service) => {
  /** `ended` is the text that was received until the stream ended. */
  async function openStream(key: string, path: string): Promise<{ ended: Promise<string> }> {
    const response = await fetch(service().url + path, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(response.status, 200)
    let text = ''
    const readAll = async () => {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk
    }
    return {
      ended: readAll().then(
        () => text,
        () => text,
      ),
    }
  }

  // First: tasks of the other tests stall, and occupy the engine.
  test('deleting a task deletes its stored callback', async () => {
    const receiver = await startReceiver()
    const caller = await newCaller(service(), 1000)
    const body = { ...taskBody('a prompt to forget'), callBackUrl: `${receiver.origin}/ok` }
    const { taskId } = (await caller.api.post('/api/v1/jobs/createTask', body)).body.data
    await receiver.until((received) => received.length === 1)
    const deliveries = async () => (await caller.api.get('/api/v1/webhooks/deliveries')).body.data.items
    await untilTrue('the delivery has ended', async () => (await deliveries())[0]?.state === 'delivered')
    const [{ id }] = await deliveries()
    assert.equal((await caller.api.delete(`/api/v1/jobs/${taskId}`)).status, 200)
    assert.deepEqual(await deliveries(), [])
    assert.equal((await caller.api.post(`/api/v1/webhooks/deliveries/${id}/resend`)).status, 404)
    assert.equal(receiver.received.length, 1)
    await receiver.close()
  })

  for (const [how, end] of [
    ['revoked', (tx, id) => revokeKey(tx, id, Date.now())],
    ['rotated', (tx, id) => rotateKey(tx, id, Date.now())],
    [
      'expired',
      (tx, id) => tx.run('update keys set expires_at = 1 where id = ?', [id]).then(() => tx.announce('settings')),
    ],
  ] as [string, (tx: Parameters<typeof revokeKey>[0], id: string) => Promise<unknown>][]) {
    test(`streams end within a second when their key is ${how}`, async () => {
      const caller = await newCaller(service(), 1000)
      const taskId = await caller.api.createTask('a boat script: stall')
      const streams = [
        await openStream(caller.key, '/api/v1/webhooks/listen'),
        await openStream(caller.key, `/api/v1/jobs/events?taskId=${taskId}`),
      ]
      await service().app.db.transaction((tx) => end(tx, caller.keyId))
      await within(3000, 'the streams to end', Promise.all(streams.map(({ ended }) => ended)))
    })
  }

  for (const [how, end] of [
    ['loses its scope', (parent, id) => parent.api.patch(`/api/v1/keys/${id}`, { scopes: ['tasks:write'] })],
    [
      'may not be used from there any more',
      (parent, id) => parent.api.patch(`/api/v1/keys/${id}`, { addresses: ['::2'] }),
    ],
    ['comes to its expiry', (parent, id) => parent.api.patch(`/api/v1/keys/${id}`, { expiresAt: Date.now() + 1000 })],
    ['is revoked', (parent, id) => parent.api.delete(`/api/v1/keys/${id}`)],
    [
      'has a parent that is revoked',
      (parent) => service().app.db.transaction((tx) => revokeKey(tx, parent.keyId, Date.now())),
    ],
    [
      'has a parent that loses a scope',
      (parent) =>
        service().app.db.transaction((tx) => updateKey(tx, parent.keyId, { scopes: ['keys'] }, { nowMs: Date.now() })),
    ],
  ] as [string, (parent: Caller, id: string) => Promise<unknown>][]) {
    test(`the stream of a sub-key ends within a second when it ${how}`, async () => {
      const parent = await newCaller(service(), 1000)
      const sub = await newSubKey(service(), parent)
      const taskId = await sub.api.createTask('a boat script: stall')
      const stream = await openStream(sub.key, `/api/v1/jobs/events?taskId=${taskId}`)
      await end(parent, sub.keyId)
      await within(3000, 'the stream to end', stream.ended)
    })
  }

  test('a change that leaves the right leaves the stream', async () => {
    const parent = await newCaller(service(), 1000)
    const sub = await newSubKey(service(), parent)
    const taskId = await sub.api.createTask('a boat script: stall')
    const stream = await openStream(sub.key, `/api/v1/jobs/events?taskId=${taskId}`)
    const changes = { scopes: ['tasks:read', 'tasks:write'], addresses: ['127.0.0.0/8'], name: 'another' }
    assert.equal((await parent.api.patch(`/api/v1/keys/${sub.keyId}`, changes)).status, 200)
    // Streams are checked in the order in which they were opened: once this one has ended, the other was checked.
    const other = await newSubKey(service(), parent)
    const otherStream = await openStream(
      other.key,
      `/api/v1/jobs/events?taskId=${await other.api.createTask('a sea script: stall')}`,
    )
    await parent.api.delete(`/api/v1/keys/${other.keyId}`)
    await within(3000, 'the other stream to end', otherStream.ended)
    await sub.api.post('/api/v1/jobs/cancelTask', { taskId })
    const text = await within(3000, 'the stream to end', stream.ended)
    assert.match(text, /event: end\n/)
  })

  test('sub-keys leave streams to the main key and to each other', async () => {
    const parent = await newCaller(service(), 1000)
    const greedy = await newSubKey(service(), parent)
    const modest = await newSubKey(service(), parent)
    const follow = async (caller: Caller, taskId: string) => {
      const path = `${service().url}/api/v1/jobs/events?taskId=${taskId}`
      const response = await fetch(path, { headers: { authorization: `Bearer ${caller.key}` } })
      if (response.status !== 200) await response.text()
      return { status: response.status, close: () => response.body?.cancel() }
    }
    const taskId = await greedy.api.createTask('a boat script: stall')
    const opened = await Promise.all(Array.from({ length: 110 }, () => follow(greedy, taskId)))
    const statuses = opened.map(({ status }) => status)
    assert.deepEqual([statuses.filter((s) => s === 200).length, statuses.filter((s) => s === 429).length], [100, 10])
    const others = [
      await follow(parent, taskId),
      await follow(modest, await modest.api.createTask('a sea script: stall')),
    ]
    for (const { status } of others) assert.equal(status, 200)
    await Promise.all([...opened, ...others].map(({ status, close }) => status === 200 && close()))
    await untilTrue('a closed stream makes room', async () => {
      const { status, close } = await follow(greedy, taskId)
      if (status === 200) await close()
      return status === 200
    })
  })

  test('sub-keys expire with their parent', async () => {
    const parent = await newCaller(service(), 1000, { expiresAt: Date.now() + 60_000 })
    const sub = await newSubKey(service(), parent)
    assert.equal((await sub.api.get(creditPath)).status, 200)
    await service().app.db.transaction(async (tx) => {
      await tx.run('update keys set expires_at = 1 where id = ?', [parent.keyId])
      await tx.announce('settings')
    })
    assert.equal((await sub.api.get(creditPath)).status, 401)
  })

  test('each request on a connection counts for the key that it names', async () => {
    const [one, other] = [await newCaller(service(), 100), await newCaller(service(), 200)]
    const headers = [one.key, other.key, 'no-key-of-anybody', one.key].map((key) => `authorization: Bearer ${key}\r\n`)
    const requests = [...headers, 'authorization: Basic abc\r\n', '', headers[1]].map(
      (header) => `GET ${creditPath} HTTP/1.1\r\nhost: x\r\n${header}\r\n`,
    )
    const last = `GET ${creditPath} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`
    const answers = await sendRaw(service().url, [...requests, last].join(''))
    assert.deepEqual(
      answers.map(({ text }) => JSON.parse(text).data),
      [100, 200, null, 100, null, null, 200, null],
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 401, 200, 401, 401, 200, 401],
    )
  })

  test("a sub-key sees its own allowance and not the account's balance", async () => {
    const parent = await newCaller(service(), 1000)
    const sub = await newSubKey(service(), parent, { creditLimit: 100 })
    assert.equal((await sub.api.get(creditPath)).body.data, 100)
    await sub.api.createTask('a boat script: stall')
    assert.equal((await sub.api.get(creditPath)).body.data, 58)
    assert.equal((await parent.api.get(creditPath)).body.data, 958)
  })
})

describe('the key of the settings', () => {
  for (const kind of places.slice(0, 2)) {
    test(`stays invalid once it was rotated or revoked (${kind.name})`, async () => {
      for (const end of ['rotate', 'revoke'] as const) {
        const place = await kind.create()
        try {
          const first = await startService(place.env)
          await first.app.db.transaction(async (tx) => {
            const key = (await tx.one<{ id: string }>('select id from keys limit 1'))!
            if (end === 'rotate') await rotateKey(tx, key.id, Date.now())
            else await revokeKey(tx, key.id, Date.now())
          })
          await first.stop()
          const again = await startService(place.env)
          assert.equal((await again.as(testKey).get(creditPath)).status, 401)
          await again.stop()
        } finally {
          await place.stop()
        }
      }
    })

    test(`is made where there is none, and works (${kind.name})`, async () => {
      const place = await kind.create()
      const service = await startService({ ...place.env, DAILIES_API_KEY: '' })
      try {
        assert.match(service.app.firstKey ?? '', /^dk_/)
        assert.equal((await service.as(service.app.firstKey).get('/api/v1/operator/status')).status, 200)
      } finally {
        await service.stop()
        await place.stop()
      }
    })
  }
})

describe('files at rest', () => {
  test('are for the user of the service alone', async () => {
    const place = await places[0].create()
    const service = await startProcess(place.env)
    const dataDir = place.env.DAILIES_DATA!
    try {
      assert.equal((await stat(dataDir)).mode & 0o777, 0o700)
      assert.equal((await stat(`${dataDir}/dailies.sqlite`)).mode & 0o777, 0o600)
    } finally {
      await service.kill('SIGTERM')
      await place.stop()
    }
  })
})
