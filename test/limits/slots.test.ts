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
