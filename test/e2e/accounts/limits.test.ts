// Credits and limits are exact, however many ask at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLedger } from '../../../src/account-data/check-ledger.ts'
import { updateKey } from '../../../src/accounts/keys/update.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { type Answer, type Api, taskBody } from '../../support/service/api.ts'
import { balanceOf, entriesOf, newCaller, newSubKey } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilTrue } from '../../support/until.ts'

const createPath = '/api/v1/jobs/createTask'
const create = (api: Api) => api.post(createPath, taskBody())
const atOnce = (count: number, call: (i: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, i) => call(i)))

function tally(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describeService('credits and limits', {}, (service) => {
  test('200 creations at once with credit for 50: exactly 50 are accepted', async () => {
    const caller = await newCaller(service(), 50 * 42 + 41)
    const answers = await atOnce(200, () => create(caller.api))
    assert.deepEqual(tally(answers), { 200: 50, 402: 150 })
    assert.equal(await balanceOf(caller), 41)
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.data.taskId))
    assert.equal(ids.size, 50)
    assert.deepEqual((await checkLedger(service().app.db)).problems, [])
  })

  test('a sub-key with a limit of N requests makes exactly N, whatever their responses', async () => {
    const parent = await newCaller(service(), 1_000_000)
    for (const per of ['hour', 'day', 'total'] as const) {
      const sub = await newSubKey(service(), parent, { requestLimit: { requests: 37, per } })
      const calls: (() => Promise<Answer>)[] = [
        () => create(sub.api),
        () => sub.api.get('/api/v1/account/credit'),
        () => sub.api.get('/api/v1/jobs/recordInfo?taskId=x'),
        () => sub.api.post(createPath, {}),
      ]
      const answers = await atOnce(120, (i) => calls[i % calls.length]!())
      const { 433: refused, ...others } = tally(answers)
      assert.equal(refused, 120 - 37)
      assert.equal(
        Object.values(others).reduce((a, b) => a + b),
        37,
      )
      const message = answers.find(({ status }) => status === 433)!.body.msg
      const period = { hour: 'per hour', day: 'per day', total: 'in total' }[per]
      const [said, retry] = message.split(' Try again in ')
      assert.equal(said, `This sub-key may make 37 requests ${period} and has made 37.`)
      assert.equal(retry === undefined, per === 'total')
      assert.equal((await sub.api.get('/api/v1/account/credit')).status, 433)
    }
    assert.equal((await parent.api.get('/api/v1/account/credit')).status, 200)
  })

  test('a credit limit counts what is spent, net of what is released', async () => {
    const parent = await newCaller(service(), 1_000_000)
    const sub = await newSubKey(service(), parent, { creditLimit: 42 * 10 + 5 })
    const stalled = async () => (await sub.api.post(createPath, taskBody('a boat script: stall'))) as Answer
    const answers = await atOnce(50, stalled)
    assert.deepEqual(tally(answers), { 200: 10, 433: 40 })
    const refused = answers.find(({ status }) => status === 433)!
    assert.match(refused.body.msg, /costs 42 credits; the limit of this sub-key leaves \d+ \(\d+ of \d+ are used\)\./)
    const taskIds = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.taskId as string)
    for (const taskId of taskIds.slice(0, 3)) await sub.api.post('/api/v1/jobs/cancelTask', { taskId })
    assert.deepEqual(tally(await atOnce(20, () => create(sub.api))), { 200: 3, 433: 17 })
    for (const taskId of taskIds.slice(3)) await sub.api.post('/api/v1/jobs/cancelTask', { taskId })
    // The parent is not held to its sub-key's limit.
    assert.equal((await create(parent.api)).status, 200)
    for (const taskId of taskIds) assert.deepEqual(await entriesOf(parent, taskId), ['hold', 'release'])
    assert.deepEqual((await checkLedger(service().app.db)).problems, [])
  })

  test('sub-keys made over HTTP carry their limits', async () => {
    const parent = await newCaller(service(), 1_000_000)
    const made = await parent.api.post('/api/v1/keys', {
      name: 'for the shop',
      creditLimit: 84,
      requestLimit: { requests: 5, per: 'total' },
    })
    assert.deepEqual(Object.keys(made.body.data).sort(), ['id', 'key'])
    assert.match(made.body.data.key, /^dk_\w+$/)
    const api = service().as(made.body.data.key)
    assert.deepEqual(tally([await create(api), await create(api), await create(api)]), { 200: 2, 433: 1 })
    const listed = await parent.api.get('/api/v1/keys')
    const [item] = listed.body.data.items
    assert.equal(item.id, made.body.data.id)
    assert.equal(item.creditUsed, 84)
    assert.equal(item.requestsUsed, 3)
    assert.ok(!listed.text.includes(made.body.data.key))
    const rotated = await parent.api.post(`/api/v1/keys/${item.id}/rotate`)
    assert.equal((await api.get('/api/v1/account/credit')).status, 401)
    const renewed = service().as(rotated.body.data.key)
    assert.equal((await renewed.get('/api/v1/account/credit')).status, 200)
    assert.equal((await parent.api.delete(`/api/v1/keys/${item.id}`)).status, 200)
    assert.equal((await renewed.get('/api/v1/account/credit')).status, 401)
    assert.equal((await parent.api.delete(`/api/v1/keys/${item.id}`)).status, 404)
    const stranger = await newCaller(service(), 0)
    assert.equal((await stranger.api.delete(`/api/v1/keys/${item.id}`)).status, 404)
  })

  test('bad sub-keys are 422, field by field', async () => {
    for (const [body, field] of [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'x', creditLimit: -1 }, 'creditLimit'],
      [{ name: 'x', creditLimit: 1.5 }, 'creditLimit'],
      [{ name: 'x', requestLimit: { requests: 1, per: 'week' } }, 'requestLimit.per'],
      [{ name: 'x', requestLimit: { per: 'day' } }, 'requestLimit.requests'],
      // A second after the last date that there is.
      [{ name: 'x', expiresAt: 8.64e15 + 1000 }, 'expiresAt'],
    ] as const) {
      const answer = await service().api.post('/api/v1/keys', body)
      assert.equal(answer.status, 422, JSON.stringify(body))
      assert.ok(answer.body.msg.startsWith(`${field}: `), answer.body.msg)
    }
  })
})

const clock = createManualClock(Date.UTC(2030, 0, 1, 10, 30))
const quick = { env: { DAILIES_RATE_LIMIT: '40/10s', DAILIES_OPEN_TASKS: '7' }, overrides: () => ({ clock }) }

describeService('limits by the clock', quick, (service) => {
  test('a rate is exact in every window, under concurrency, for each key on its own', async () => {
    const caller = await newCaller(service(), 1000)
    const other = await newCaller(service(), 1000, { rate: '3/1m' })
    const read = (api: Api) => () => api.get('/api/v1/account/credit')
    const first = await atOnce(60, read(caller.api))
    assert.deepEqual(tally(first), { 200: 40, 429: 20 })
    const refused = first.find(({ status }) => status === 429)!
    assert.equal(refused.headers.get('retry-after'), '10')
    assert.match(refused.headers.get('ratelimit')!, /r=0;t=10$/)
    assert.deepEqual(tally(await atOnce(5, read(other.api))), { 200: 3, 429: 2 })
    clock.advance(9999)
    assert.deepEqual(tally(await atOnce(5, read(caller.api))), { 429: 5 })
    clock.advance(1)
    assert.deepEqual(tally(await atOnce(50, read(caller.api))), { 200: 40, 429: 10 })
    // Open routes and wrong keys are not counted.
    assert.equal((await caller.api.get('/livez')).status, 200)
    assert.equal((await service().as('wrong').get('/api/v1/account/credit')).status, 401)
  })

  test("a sub-key's requests count towards its parent's rate, with or without a rate of its own", async () => {
    const parent = await newCaller(service(), 1000, { rate: '6/10s' })
    const heir = await newSubKey(service(), parent)
    const slower = await newSubKey(service(), parent, { rate: '2/10s' })
    const other = await newSubKey(service(), await newCaller(service(), 1000))
    const read = (api: Api) => () => api.get('/api/v1/account/credit')
    assert.deepEqual(tally(await atOnce(5, read(slower.api))), { 200: 2, 429: 3 })
    const last = await heir.api.get('/api/v1/account/credit')
    assert.equal(last.headers.get('ratelimit'), '"default";r=3;t=10')
    assert.equal(last.headers.get('ratelimit-policy'), '"default";q=6;w=10')
    assert.deepEqual(tally(await atOnce(5, read(heir.api))), { 200: 3, 429: 2 })
    for (const { api } of [parent, slower, heir]) assert.deepEqual(tally([await read(api)()]), { 429: 1 })
    // A key without a rate has the service's, and so have its sub-keys together.
    assert.deepEqual(tally(await atOnce(50, read(other.api))), { 200: 40, 429: 10 })
    clock.advance(10_000)
    assert.deepEqual(tally(await atOnce(8, read(heir.api))), { 200: 6, 429: 2 })
    // What the parent gets later applies at once.
    await service().app.db.transaction((tx) => updateKey(tx, parent.keyId, { rate: '20/10s' }, { nowMs: clock.now() }))
    await untilTrue('the new rate applies', async () => (await heir.api.get('/api/v1/account/credit')).status === 200)
  })

  test('a request limit starts again with the hour', async () => {
    const parent = await newCaller(service(), 1000)
    const sub = await newSubKey(service(), parent, { requestLimit: { requests: 2, per: 'hour' } })
    const read = () => sub.api.get('/api/v1/account/credit')
    assert.deepEqual(tally([await read(), await read(), await read()]), { 200: 2, 433: 1 })
    const used = async () => (await parent.api.get('/api/v1/keys')).body.data.items[0].requestsUsed
    assert.equal(await used(), 2)
    clock.advance(3_600_000)
    assert.equal(await used(), 0)
    assert.deepEqual(tally([await read(), await read(), await read()]), { 200: 2, 433: 1 })
  })

  test('an account may have so many unfinished tasks and no more', async () => {
    const caller = await newCaller(service(), 100_000)
    const answers = await atOnce(20, () => caller.api.post(createPath, taskBody('a boat script: stall')))
    assert.deepEqual(tally(answers), { 200: 7, 429: 13 })
    const refused = answers.find(({ status }) => status === 429)!
    assert.match(refused.body.msg, /7 unfinished tasks/)
    assert.ok(refused.headers.get('retry-after'))
    clock.advance(10_000)
    const taskIds = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.taskId as string)
    for (const taskId of taskIds) {
      assert.equal((await caller.api.post('/api/v1/jobs/cancelTask', { taskId })).status, 200)
    }
    assert.equal((await create(caller.api)).status, 200)
  })
})
