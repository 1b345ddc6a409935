// A backlog is worked off in batches, others get their turn in between, and a stop is heard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { drain } from '../../src/platform/drain.ts'

/** A backlog of which each batch takes up to `batchMax`. */
function backlog(count: number, batchMax: number) {
  let left = count
  const batches: number[] = []
  return {
    batches,
    async work() {
      await setImmediate()
      const done = Math.min(batchMax, left)
      left -= done
      batches.push(done)
      return done
    },
  }
}

const never = new AbortController().signal

test('goes on until a batch comes back short', async () => {
  const { batches, work } = backlog(25, 10)
  assert.equal(await drain(work, { batchMax: 10, signal: never }), 25)
  assert.deepEqual(batches, [10, 10, 5])
})

test('looks once more after a last full batch', async () => {
  const { batches, work } = backlog(20, 10)
  assert.equal(await drain(work, { batchMax: 10, signal: never }), 20)
  assert.deepEqual(batches, [10, 10, 0])
})

test('a signal ends it after the batch that is under way', async () => {
  const stop = new AbortController()
  const { batches, work } = backlog(1000, 10)
  const total = await drain(
    async () => {
      const done = await work()
      if (batches.length === 3) stop.abort()
      return done
    },
    { batchMax: 10, signal: stop.signal },
  )
  assert.equal(total, 30)
})

test('a signal ends a rest', { timeout: 5000 }, async () => {
  const stop = new AbortController()
  // One batch that takes 50 ms is followed by a rest of 450; it is stopped in there, and works no other batch.
  let batches = 0
  const total = await drain(
    async () => {
      batches++
      const endMs = performance.now() + 50
      while (performance.now() < endMs) await setImmediate()
      setImmediate().then(() => stop.abort())
      return 10
    },
    { batchMax: 10, signal: stop.signal },
  )
  assert.deepEqual({ total, batches }, { total: 10, batches: 1 })
})

test('a batch that fails ends it with its error', async () => {
  const broken = async () => {
    throw new Error('no database')
  }
  await assert.rejects(drain(broken, { batchMax: 10, signal: never }), /no database/)
})
