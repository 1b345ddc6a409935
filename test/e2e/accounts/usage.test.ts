// What an account used: tasks and credits by day, state and model, for the account and for one sub-key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Param } from '../../../src/db/db.ts'
import { newId } from '../../../src/platform/ids.ts'
import { createEngineCredits } from '../../../src/tasks/reports/engine-credits.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { variantA } from '../../support/service/api.ts'
import { type Caller, newCaller, newSubKey } from '../../support/service/callers.ts'
import { describeService } from '../../support/service/suite.ts'
import { waitingTask } from '../../support/task-row.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const clock = createManualClock(Date.UTC(2030, 4, 1, 12))

describeService('usage', { overrides: () => ({ clock }) }, (service) => {
  const usageOf = async (caller: Caller, days?: number) =>
    (await caller.api.get(`/api/v1/account/usage${days === undefined ? '' : `?days=${days}`}`)).body.data

  async function finished(caller: Caller, prompt?: string): Promise<void> {
    const taskId = await caller.api.createTask(prompt)
    await caller.api.until(taskId, ['success', 'fail'])
  }

  test('counts by day, state and model, and failed tasks as free', async () => {
    const caller = await newCaller(service(), 1000)
    const first = new Date(clock.now()).toISOString().slice(0, 10)
    await finished(caller)
    await finished(caller, 'script: fail on purpose')
    clock.advance(2 * dayMs)
    const third = new Date(clock.now()).toISOString().slice(0, 10)
    await finished(caller)
    const { times, ...counts } = await usageOf(caller)
    assert.deepEqual(
      times.map(({ state }: { state: string }) => state),
      ['wait', 'queueing', 'generating'],
    )
    assert.ok(times.every(({ p50Ms, p95Ms }: Record<string, number>) => p50Ms! >= 0 && p95Ms! >= p50Ms!))
    assert.deepEqual(counts, {
      days: [
        { day: first, tasks: 2, credits: 42 },
        { day: third, tasks: 1, credits: 42 },
      ],
      states: [
        { state: 'fail', tasks: 1, credits: 0 },
        { state: 'success', tasks: 2, credits: 84 },
      ],
      outcomes: { succeeded: 2, failed: 1, canceled: 0, refused: 0 },
      models: [{ model: variantA, tasks: 3, credits: 84 }],
      keys: [{ keyId: caller.keyId, name: 'a key', tasks: 3, credits: 84 }],
    })
    assert.deepEqual((await usageOf(caller, 2)).days, [{ day: third, tasks: 1, credits: 42 }])
    assert.equal((await usageOf(caller, 3)).days.length, 2)
  })

  test('counts canceled tasks and refused input apart from failures', async () => {
    const caller = await newCaller(service(), 1000)
    await finished(caller)
    await finished(caller, 'script: fail on purpose')
    await finished(caller, 'script: refuse')
    const underWay = await caller.api.createTask('script: stall')
    await caller.api.until(underWay, ['generating'])
    await caller.api.post('/api/v1/jobs/cancelTask', { taskId: underWay })
    assert.deepEqual((await usageOf(caller)).outcomes, { succeeded: 1, failed: 1, canceled: 1, refused: 1 })
  })

  test('counts every task once, however many there are', async () => {
    const caller = await newCaller(service(), 1000)
    const { db } = service().app
    await finished(caller, 'script: fail on purpose')
    const row = await db.one<Record<string, Param>>('select * from tasks where account_id = ?', [caller.accountId])
    const copies = Array.from({ length: 2500 }, () => ({ ...row, id: newId(clock.now()) }))
    await db.insert('tasks', copies)
    assert.deepEqual((await usageOf(caller)).states, [{ state: 'fail', tasks: 2501, credits: 0 }])
  })

  test('lists the 1000 keys that used the most', async () => {
    const caller = await newCaller(service(), 1000)
    const owner = { accountId: caller.accountId, keyId: '' }
    const keyIds = Array.from({ length: 1001 }, (_, i) => `key ${i}`)
    const rows = keyIds.map((key_id, i) =>
      waitingTask(owner, clock.now(), {
        key_id,
        state: 'success',
        video: '{}',
        price: i + 1,
        completed_at: clock.now(),
        expires_at: clock.now(),
      }),
    )
    await service().app.db.insert('tasks', rows)
    const { keys } = await usageOf(caller)
    assert.deepEqual(
      keys.map(({ keyId }: { keyId: string }) => keyId),
      keyIds.slice(1).toReversed(),
    )
  })

  test('a sub-key sees its own, and no key that of another account', async () => {
    const caller = await newCaller(service(), 1000)
    const subKey = await newSubKey(service(), caller)
    const other = await newCaller(service(), 1000)
    await finished(caller)
    await finished(subKey)
    assert.equal((await usageOf(subKey)).states[0].tasks, 1)
    assert.equal((await usageOf(caller)).states[0].tasks, 2)
    assert.deepEqual((await usageOf(subKey)).keys, [{ keyId: subKey.keyId, name: 'a sub-key', tasks: 1, credits: 42 }])
    assert.deepEqual(await usageOf(other), {
      days: [],
      states: [],
      outcomes: { succeeded: 0, failed: 0, canceled: 0, refused: 0 },
      models: [],
      keys: [],
      times: [],
    })
  })

  test('a task counts on the day it was created, also after the clock was set back', async () => {
    const caller = await newCaller(service(), 1000)
    await finished(caller)
    clock.advance(-36 * hourMs)
    await finished(caller)
    const setBack = new Date(clock.now()).toISOString().slice(0, 10)
    assert.deepEqual((await usageOf(caller)).days[0], { day: setBack, tasks: 1, credits: 42 })
    clock.advance(36 * hourMs)
    assert.deepEqual(
      (await usageOf(caller)).days.map(({ tasks }: { tasks: number }) => tasks),
      [1, 1],
    )
  })

  test('an engine has used the credits of what it makes and made since then', async () => {
    const caller = await newCaller(service(), 1000)
    clock.advance(dayMs)
    await finished(caller)
    const { db } = service().app
    const task = await db.one<{ engine: string }>('select engine from tasks order by id desc limit 1')
    const credits = createEngineCredits({ db, clock })
    const given = (sinceMs: number) => credits(task!.engine, sinceMs)
    clock.advance(hourMs)
    const sinceMs = clock.now()
    assert.equal(await given(sinceMs), 0)
    await finished(caller)
    await finished(caller, 'script: fail on purpose')
    const underWay = await caller.api.createTask('script: stall')
    await caller.api.until(underWay, ['generating'])
    assert.equal(await given(sinceMs), 84)
    assert.equal(await given(sinceMs - hourMs), 126)
    await caller.api.post('/api/v1/jobs/cancelTask', { taskId: underWay })
    assert.equal(await given(sinceMs), 42)
  })
})
