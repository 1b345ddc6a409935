// The Idempotency-Key: one key and an equal body are one task and one hold, whatever happens in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rotateKey } from '../../../src/accounts/keys/keys.ts'
import { setFeature } from '../../../src/accounts/switches.ts'
import { serviceActor } from '../../../src/audit/audit.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { type Api, taskBody, variantA } from '../../support/service/api.ts'
import { balanceOf, entriesOf, giveCredits, newCaller, newSubKey } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilStatus } from '../../support/until.ts'

const createPath = '/api/v1/jobs/createTask'
const post = (api: Api, key: string, body: unknown = taskBody()) =>
  api.post(createPath, body, { headers: { 'idempotency-key': key } })

const clock = createManualClock(Date.UTC(2030, 0, 1))

describeService('idempotent creation', { overrides: () => ({ clock }) }, (service) => {
  test('equal JSON in another order of fields is the same request', async () => {
    const caller = await newCaller(service(), 1000)
    const first = await post(caller.api, 'k', {
      model: variantA,
      input: { prompt: 'a', image_url: 'http://a.example/' },
    })
    const raw = ` {"input" : {"image_url":"http://a.example/","prompt":"\\u0061"},\n"model":"${variantA}"} `
    const again = await caller.api.post(createPath, undefined, {
      raw,
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
    })
    assert.equal(first.status, 200)
    assert.equal(again.text, first.text)
    assert.equal(await balanceOf(caller), 1000 - 42)
    assert.deepEqual(await entriesOf(caller, first.body.data.taskId).then((kinds) => kinds[0]), 'hold')
  })

  test('another body is 422 and starts nothing', async () => {
    const caller = await newCaller(service(), 1000)
    const first = await post(caller.api, 'k')
    const others = [taskBody('another boat'), { ...taskBody(), extra: null }, taskBody('a boat', { duration: '10' })]
    for (const other of others) {
      const answer = await post(caller.api, 'k', other)
      assert.equal(answer.status, 422)
      assert.match(answer.body.msg, /^Idempotency-Key: /)
    }
    assert.equal(await balanceOf(caller), 1000 - 42)
    assert.equal((await post(caller.api, 'k')).text, first.text)
  })

  test('a replay gets its response with an empty balance, a feature switched off, and after the task was deleted', async () => {
    const caller = await newCaller(service(), 42)
    const first = await post(caller.api, 'k')
    const { taskId } = first.body.data
    assert.equal((await post(caller.api, 'other')).status, 402)
    assert.equal((await post(caller.api, 'k')).text, first.text)
    await service().app.db.transaction((tx) => setFeature(tx, serviceActor, variantA, false, Date.now()))
    await untilStatus(() => post(caller.api, 'other'), 505)
    assert.equal((await post(caller.api, 'k')).text, first.text)
    await service().app.db.transaction((tx) => setFeature(tx, serviceActor, variantA, true, Date.now()))
    await caller.api.until(taskId, ['success'])
    assert.equal((await caller.api.delete(`/api/v1/jobs/${taskId}`)).status, 200)
    assert.equal((await post(caller.api, 'k')).text, first.text)
    assert.equal(await balanceOf(caller), 0)
  })

  test('refused requests are not remembered', async () => {
    const caller = await newCaller(service(), 0)
    assert.equal((await post(caller.api, 'k', { model: variantA, input: {} })).status, 422)
    assert.equal((await post(caller.api, 'k')).status, 402)
    await giveCredits(service(), caller, 84)
    const accepted = await post(caller.api, 'k', taskBody('another boat'))
    assert.equal(accepted.status, 200)
    assert.equal((await post(caller.api, 'k', taskBody('another boat'))).text, accepted.text)
  })

  test('two clients with the same idempotency key get two tasks', async () => {
    const one = await newCaller(service(), 1000)
    const sub = await newSubKey(service(), one)
    const other = await newCaller(service(), 1000)
    const answers = await Promise.all([post(one.api, 'k'), post(sub.api, 'k'), post(other.api, 'k')])
    assert.equal(new Set(answers.map((answer) => answer.body.data.taskId)).size, 3)
  })

  test('it survives the rotation of the key', async () => {
    const caller = await newCaller(service(), 1000)
    const first = await post(caller.api, 'k')
    const rotated = await service().app.db.transaction((tx) => rotateKey(tx, caller.keyId, Date.now()))
    const renewed = service().as(rotated!.key)
    assert.equal((await post(renewed, 'k')).text, first.text)
    assert.equal((await post(renewed, 'k', taskBody('another boat'))).status, 422)
  })

  test('twenty racing creations are one task and one hold', async () => {
    const caller = await newCaller(service(), 1000)
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => post(caller.api, `race ${round}`)))
      assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]))
      assert.equal(new Set(answers.map((answer) => answer.body.data.taskId)).size, 1)
      assert.equal(await balanceOf(caller), 1000 - 42 * (round + 1))
    }
    assert.equal((await caller.api.get('/api/v1/jobs/list')).body.data.items.length, 5)
  })

  test('racing creations with one key and two bodies: one body wins, the other is 422', async () => {
    const caller = await newCaller(service(), 1000)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => post(caller.api, 'k', taskBody(i % 2 ? 'odd' : 'even'))),
    )
    const statuses = answers.map((answer) => answer.status).sort()
    assert.deepEqual(statuses, [...Array(10).fill(200), ...Array(10).fill(422)])
    assert.equal(await balanceOf(caller), 1000 - 42)
  })

  test('lengths from 1 to 255 are taken', async () => {
    const caller = await newCaller(service(), 1000)
    assert.equal((await post(caller.api, 'x'.repeat(255))).status, 200)
    for (const key of ['', 'x'.repeat(256)]) {
      const answer = await post(caller.api, key)
      assert.equal(answer.status, 422)
      assert.match(answer.body.msg, /^Idempotency-Key: must have 1 to 255 characters$/)
    }
  })

  test('it is forgotten after 24 hours and not before', async () => {
    const caller = await newCaller(service(), 1000)
    const first = await post(caller.api, 'k')
    clock.advance(24 * 3_600_000)
    await service().app.upkeep()
    assert.equal((await post(caller.api, 'k')).text, first.text)
    clock.advance(1)
    await service().app.upkeep()
    const later = await post(caller.api, 'k', taskBody('another boat'))
    assert.equal(later.status, 200)
    assert.notEqual(later.body.data.taskId, first.body.data.taskId)
  })
})
