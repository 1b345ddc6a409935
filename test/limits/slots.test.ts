// Slots are shared between accounts and their keys; one that has them to itself may use more of them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createContention, createSlots } from '../../src/limits/slots.ts'

test('an account has company while another was active within the last second', () => {
  let nowMs = 0
  const contention = createContention(() => nowMs)
  contention.note('a')
  assert.equal(contention.hasOthers('a'), false)
  assert.equal(contention.hasOthers('b'), true)
  nowMs = 500
  contention.note('b')
  contention.note('a')
  assert.equal(contention.hasOthers('a'), true)
  nowMs = 1400
  contention.note('a')
  assert.equal(contention.hasOthers('a'), true)
  nowMs = 1501
  assert.equal(contention.hasOthers('a'), false)
})

describe('turns', () => {
  const limits = { total: 4, perAccount: 3, perAccountShared: 1, perKey: 3 }
  const settled = () => new Promise(setImmediate)

  test('an account alone uses its slots, and beside another only its share', async () => {
    const turns = createSlots(limits)
    const leaves: (() => void)[] = []
    const enter = (account: string) => void turns.enter({ account, key: account }).then((leave) => leaves.push(leave))
    for (let i = 0; i < 5; i++) enter('a')
    await settled()
    assert.equal(turns.running, 3)
    enter('b')
    await settled()
    assert.equal(turns.running, 4)
    // Three slots of the first account become free, and it may only have one of them again.
    for (const leave of leaves.splice(0, 3)) leave()
    await settled()
    assert.equal(turns.running, 2)
    assert.equal(turns.waiting, 1)
  })
})

describe('slots without waiting', () => {
  const limits = { perAccount: 5, allSubKeys: 4, perSubKey: 1 }
  type Step = [account: string, key: string, isSubKey: boolean, hasRoom: boolean]
  const cases: [name: string, steps: Step[]][] = [
    ['an account has its maximum', [...Array(5).fill(['a', 'main', false, true]), ['a', 'main', false, false]]],
    [
      'a sub-key has its part',
      [
        ['a', 's1', true, true],
        ['a', 's1', true, false],
        ['a', 's2', true, true],
      ],
    ],
    [
      'all sub-keys leave some to the account',
      [
        ...[1, 2, 3, 4].map((i): Step => ['a', `s${i}`, true, true]),
        ['a', 's5', true, false],
        ['a', 'main', false, true],
      ],
    ],
    ['accounts do not share', [...Array(5).fill(['a', 'main', false, true]), ['b', 'main', false, true]]],
  ]
  for (const [name, steps] of cases) {
    test(name, () => {
      const slots = createSlots(limits)
      for (const [account, key, isSubKey, hasRoom] of steps) {
        assert.equal(slots.tryEnter({ account, key, isSubKey }) !== null, hasRoom)
      }
    })
  }

  test('a slot that is released is free again', () => {
    const slots = createSlots({ perAccount: 1 })
    const enter = () => slots.tryEnter({ account: 'a', key: 'k' })
    const leave = enter()
    assert.equal(enter(), null)
    leave!()
    assert.notEqual(enter(), null)
  })
})

test('of work that waits and has room, the highest rank starts first', async () => {
  const slots = createSlots({ total: 1 }, 3)
  const leave = await slots.enter({ account: 'a', key: 'a' })
  const started: number[] = []
  const runs = [0, 2, 1, 2].map((rank, i) =>
    slots.run({ account: `${i}`, key: `${i}` }, async () => void started.push(rank), { rank: () => rank }),
  )
  leave()
  await Promise.all(runs)
  assert.deepEqual(started, [2, 2, 1, 0])
})
