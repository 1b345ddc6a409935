// Coalescing: calls that arrive while a batch runs form the next one, and each gets its own result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatcher } from '../../src/platform/batcher.ts'
import { within } from '../support/within.ts'

/** A batcher whose work waits for the test. */
function heldBatcher(batchMax: number) {
  const batches: { items: number[]; answer(values?: (string | Error)[]): void; fail(error: Error): void }[] = []
  const waiting: (() => void)[] = []
  const batcher = createBatcher<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, answer: (values) => resolve(values ?? items.map(String)), fail: reject })
        waiting.shift()?.()
      }),
    { batchMax },
  )
  let taken = 0
  return {
    batcher,
    async next() {
      if (batches.length <= taken) await within(5000, 'a batch', new Promise<void>((resolve) => waiting.push(resolve)))
      return batches[taken++]!
    },
  }
}

test('calls of one turn go together, later ones form the next batch', async () => {
  const { batcher, next } = heldBatcher(100)
  const first = [batcher.add(1), batcher.add(2)]
  const one = await next()
  assert.deepEqual(one.items, [1, 2])
  const second = [batcher.add(3), batcher.add(4), batcher.add(5)]
  assert.equal(batcher.pending, 5)
  one.answer()
  assert.deepEqual(await Promise.all(first), ['1', '2'])
  const two = await next()
  assert.deepEqual(two.items, [3, 4, 5])
  two.answer()
  assert.deepEqual(await Promise.all(second), ['3', '4', '5'])
  assert.equal(batcher.pending, 0)
})

test('a batch is never larger than it may be, and order is kept', async () => {
  const { batcher, next } = heldBatcher(3)
  const calls = Array.from({ length: 8 }, (_, i) => batcher.add(i))
  const sizes: number[] = []
  while (sizes.reduce((a, b) => a + b, 0) < 8) {
    const batch = await next()
    sizes.push(batch.items.length)
    batch.answer()
  }
  assert.deepEqual(sizes, [3, 3, 2])
  assert.deepEqual(await Promise.all(calls), ['0', '1', '2', '3', '4', '5', '6', '7'])
})

test('an error rejects its own call alone', async () => {
  const { batcher, next } = heldBatcher(10)
  const calls = Promise.allSettled([batcher.add(1), batcher.add(2), batcher.add(3)])
  const batch = await next()
  batch.answer(['one', new Error('two is refused'), 'three'])
  assert.deepEqual(
    (await calls).map((call) => call.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('work that throws rejects its batch, and the next one is worked', async () => {
  const { batcher, next } = heldBatcher(10)
  const lost = Promise.allSettled([batcher.add(1), batcher.add(2)])
  const one = await next()
  const later = batcher.add(3)
  one.fail(new Error('the database is gone'))
  assert.deepEqual(
    (await lost).map((call) => call.status),
    ['rejected', 'rejected'],
  )
  const two = await next()
  assert.deepEqual(two.items, [3])
  two.answer()
  assert.equal(await later, '3')
  const again = batcher.add(4)
  const three = await next()
  three.answer()
  assert.equal(await again, '4')
})
