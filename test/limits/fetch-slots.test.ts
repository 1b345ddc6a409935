// The contract of slots, as fetches use them: bounds are never passed, turns are fair, and a caller that hangs holds up only itself.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createSlots } from '../../src/limits/slots.ts'

const LIMITS = { total: 8, perAccount: 4, perKey: 4, perHost: 2, perTask: 3 }

/** Work that runs until it is ended, noting when it starts. */
function heldWork(started: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = async () => {
    started.push(name)
    await promise
    return name
  }
  return { work, end: resolve }
}

/** All that could start has started once the promises that are ready have run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

const use = (account: string, host = 'h', task = 't') => ({
  account,
  host,
  task,
  key: account,
})

describe('slots for fetches', () => {
  test('hand through what the work returns or throws, and free its place either way', async () => {
    const lanes = createSlots(LIMITS)
    assert.equal(await lanes.run(use('a'), async () => 7), 7)
    await assert.rejects(
      lanes.run(use('a'), async () => {
        throw new Error('boom')
      }),
      /boom/,
    )
    assert.deepEqual([lanes.running, lanes.waiting], [0, 0])
  })

  test('one account with 200 fetches from hanging hosts does not hold up another account', async () => {
    const lanes = createSlots(LIMITS)
    const started: string[] = []
    const hanging = Array.from({ length: 200 }, (_, i) => heldWork(started, `a${i}`))
    const ends = hanging.map(({ work }, i) => lanes.run(use('a', `dead${i}`, `t${i}`), work))
    await settled()
    assert.equal(started.length, 4, 'the account has as many as it may')
    assert.equal(await lanes.run(use('b'), async () => 'at once'), 'at once')
    assert.equal(started.length, 4)
    for (const { end } of hanging) end()
    assert.equal((await Promise.all(ends)).length, 200)
    assert.deepEqual(
      started,
      hanging.map((_, i) => `a${i}`),
      'first come, first served',
    )
  })

  test('one key with hanging fetches does not hold up another key of its account', async () => {
    const lanes = createSlots({ ...LIMITS, perAccount: 6, perKey: 4 })
    const started: string[] = []
    const hanging = Array.from({ length: 72 }, (_, i) => heldWork(started, `a${i}`))
    const ends = hanging.map(({ work }, i) =>
      lanes.run({ account: 'a', key: 'slow', host: `h${i}`, task: `t${i}` }, work),
    )
    await settled()
    assert.equal(started.length, 4, 'the key has as many as it may')
    const other = { account: 'a', key: 'quick', host: 'h0', task: 't' }
    assert.equal(await lanes.run(other, async () => 'at once'), 'at once')
    for (const { end } of hanging) end()
    await Promise.all(ends)
  })

  test('a hanging host takes its share of an account, and the others of its hosts go on', async () => {
    const lanes = createSlots(LIMITS)
    const started: string[] = []
    const hanging = Array.from({ length: 10 }, (_, i) => heldWork(started, `dead${i}`))
    const ends = hanging.map(({ work }, i) => lanes.run(use('a', 'dead', `t${i}`), work))
    assert.equal(await lanes.run(use('a', 'alive', 't0'), async () => 'passed them'), 'passed them')
    assert.deepEqual(started, ['dead0', 'dead1'])
    for (const { end } of hanging) end()
    await Promise.all(ends)
  })

  test('the bound of a host is counted for each account by itself', async () => {
    const lanes = createSlots(LIMITS)
    const started: string[] = []
    const held = Array.from({ length: 3 }, (_, i) => heldWork(started, `a${i}`))
    const ends = held.map(({ work }, i) => lanes.run(use('a', 'shared', `t${i}`), work))
    assert.equal(await lanes.run(use('b', 'shared'), async () => 'b'), 'b')
    assert.deepEqual(started, ['a0', 'a1'])
    for (const { end } of held) end()
    await Promise.all(ends)
  })

  test('a task has no more than its share', async () => {
    const lanes = createSlots(LIMITS)
    const started: string[] = []
    const held = Array.from({ length: 6 }, (_, i) => heldWork(started, `f${i}`))
    const ends = held.map(({ work }, i) => lanes.run(use('a', `h${i}`, 'one'), work))
    await settled()
    assert.equal(started.length, 3)
    assert.equal(await lanes.run(use('a', 'h9', 'other'), async () => 'other'), 'other')
    for (const { end } of held) end()
    await Promise.all(ends)
  })

  test('accounts that wait for the last places get them in turn', async () => {
    const lanes = createSlots({ total: 2, perAccount: 1, perKey: 1, perHost: 1, perTask: 1 })
    const started: string[] = []
    const held = ['x', 'y'].map((name) => heldWork(started, name))
    const blockers = held.map(({ work }, i) => lanes.run(use(`blocker${i}`), work))
    const ends = ['a', 'a', 'a', 'b', 'b', 'c'].map((account, i) =>
      lanes.run(use(account), async () => void started.push(`${account}${i}`)),
    )
    assert.equal(lanes.waiting, 6)
    held[0]!.end()
    await Promise.all(ends)
    assert.deepEqual(started, ['x', 'y', 'a0', 'b3', 'c5', 'a1', 'b4', 'a2'])
    held[1]!.end()
    await Promise.all(blockers)
  })

  test('a caller that gives up while waiting is rejected with its reason, and its work never runs', async () => {
    const lanes = createSlots({ total: 2, perAccount: 1, perKey: 1, perHost: 1, perTask: 1 })
    const started: string[] = []
    const held = heldWork(started, 'first')
    const first = lanes.run(use('a'), held.work)
    const controller = new AbortController()
    const reason = new Error('canceled')
    const second = lanes.run(use('a'), async () => void started.push('second'), { signal: controller.signal })
    const third = lanes.run(use('a'), async () => void started.push('third'))
    controller.abort(reason)
    await assert.rejects(second, reason)
    await assert.rejects(
      lanes.run(use('b'), async () => {}, { signal: controller.signal }),
      reason,
    )
    held.end()
    await Promise.all([first, third])
    assert.deepEqual(started, ['first', 'third'])
    assert.deepEqual([lanes.running, lanes.waiting], [0, 0])
  })

  test('bounds that make no sense are refused', () => {
    assert.throws(() => createSlots({ ...LIMITS, perKey: 0 }), /perKey must be a whole number/)
  })

  test('whatever is asked for in whatever order, no bound is passed and everything runs once', async () => {
    const name = (prefix: string) => fc.integer({ min: 0, max: 3 }).map((n) => prefix + n)
    const wish = fc.record({
      account: name('a'),
      key: name('k'),
      host: name('h'),
      task: name('t'),
      turns: fc.nat({ max: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(wish, { maxLength: 40 }), async (wishes) => {
        const limits = { total: 5, perAccount: 3, perKey: 2, perHost: 1, perTask: 2 }
        const lanes = createSlots(limits)
        const now = new Map<string, number>()
        const count = (key: string, change: number) => now.set(key, (now.get(key) ?? 0) + change)
        let done = 0
        const runs = wishes.map(({ account, key: keyName, host, task, turns }) => {
          const own = `${account} ${keyName}`
          return lanes.run({ account, key: own, host, task }, async () => {
            const keys = ['all', account, own, `${own} ${host}`, `${own} ${task}`]
            const bounds = [limits.total, limits.perAccount, limits.perKey, limits.perHost, limits.perTask]
            for (const key of keys) count(key, 1)
            keys.forEach((key, i) => {
              assert.ok(now.get(key)! <= bounds[i]!, key)
            })
            for (let turn = 0; turn < turns; turn++) await settled()
            for (const key of keys) count(key, -1)
            done += 1
          })
        })
        await Promise.all(runs)
        assert.equal(done, wishes.length)
        assert.deepEqual([lanes.running, lanes.waiting], [0, 0])
      }),
      { numRuns: 50 },
    )
  })
})
