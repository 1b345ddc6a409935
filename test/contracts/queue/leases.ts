// What a worker may still do with a job after another could have claimed it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashesMax, type Job, lockIfClaimed } from '../../../src/queue/queue.ts'
import { within } from '../../support/within.ts'
import { aborted, complete, type QueueTests, retryDelayMs, send, untilDepth, work } from './harness.ts'

export function queueLeases({ bench, open }: QueueTests): void {
  test('a heartbeat keeps the lease of a job that takes long', async () => {
    const one = await open()
    const worker = work(one)
    await send(one, { subject: 'long' })
    const handled = await worker.next()
    const rival = work(await open())
    for (let beats = 0; beats < 4; beats++) {
      await bench().pass(bench().leaseMs / 2)
      await new Promise((resolve) => setTimeout(resolve, bench().leaseMs / 2))
    }
    assert.equal(handled.signal.aborted, false)
    assert.ok(rival.idle(), 'another took it')
    assert.equal(await complete(one, handled.job), true)
  })

  test('a hung worker loses its job, cannot complete it, and hears of it', async () => {
    const hung = await open()
    const worker = work(hung)
    await send(hung, { subject: 'a' })
    const stale = await worker.next()
    hung.hang(true)
    const heir = await open()
    const lost: string[][] = []
    for (const one of [hung, heir]) one.queue.onLost('q', async (_tx, subjects) => void lost.push(subjects))
    const heirWorker = work(heir)
    await bench().pass(bench().leaseMs + 1)
    const taken = await heirWorker.next()
    assert.deepEqual([taken.job.subject, taken.job.attempt, taken.job.failures, taken.job.crashes], ['a', 2, 0, 1])
    assert.deepEqual(lost, [['a']])
    const holds = (job: Job) => heir.db.transaction((tx) => lockIfClaimed(heir.queue, tx, job))
    assert.deepEqual([await holds(stale.job), await holds(taken.job)], [false, true])
    assert.equal(await complete(heir, stale.job), false)
    hung.hang(false)
    await aborted(stale)
    assert.equal(await complete(heir, taken.job), true)
    assert.equal(await holds(taken.job), false)
  })

  test('a worker whose claim the database forgot in a crash cannot settle the next one', async () => {
    const one = await open()
    await send(one, { subject: 'a' })
    const forgotten = await work(one).next()
    await one.db.run('update jobs set worker = null, claim = null, attempt = 0')
    const next = await work(await open()).next()
    assert.equal(next.job.attempt, forgotten.job.attempt)
    assert.equal(await one.db.transaction((tx) => lockIfClaimed(one.queue, tx, forgotten.job)), false)
    assert.equal(await complete(one, forgotten.job), false)
    await aborted(forgotten)
    assert.equal(await complete(one, next.job), true)
  })

  test('workers that all could not reach the database keep their jobs', async () => {
    const workers = [await open(), await open()]
    const handled = []
    for (const [i, one] of workers.entries()) {
      const worker = work(one)
      await send(one, { subject: `of ${i}` })
      handled.push(await worker.next())
    }
    for (const one of workers) one.hang(true)
    await bench().pass(2 * bench().leaseMs)
    await new Promise((resolve) => setTimeout(resolve, 2 * bench().leaseMs))
    for (const one of workers) one.hang(false)
    for (const one of workers) await one.queue.beat()
    for (const [i, { job, signal }] of handled.entries()) {
      assert.equal(signal.aborted, false)
      assert.equal(await complete(workers[i]!, job), true)
    }
  })

  test('a job whose claim got no response is taken back by its own worker', async () => {
    const one = await open()
    const worker = work(one, 2)
    await send(one, { subject: 'known' })
    const { signal } = await worker.next()
    await send(one, { subject: 'unknown', delayMs: 60_000 })
    await one.db.run(
      `update jobs set run_at = 0, claim = 'of a lost response', worker = (select worker from jobs where subject = 'known')
       where subject = 'unknown'`,
    )
    const { job } = await worker.next()
    assert.deepEqual([job.subject, job.crashes, signal.aborted], ['unknown', 1, false])
  })

  test('heartbeats that come close together do not give up a job whose claim is under way', async () => {
    const one = await open()
    const inTheWay = Promise.withResolvers<void>()
    await one.queue.beat()
    await send(one, { subject: 'a' })
    // SQLite's claim waits behind this, and so do the heartbeats.
    const holding = one.db.transaction(() => inTheWay.promise)
    const worker = work(one)
    const beats = Array.from({ length: 3 }, () => one.queue.beat())
    inTheWay.resolve()
    await Promise.all([holding, ...beats])
    const { job, signal } = await worker.next()
    await Promise.all([one.queue.beat(), one.queue.beat()])
    assert.deepEqual([job.attempt, signal.aborted], [1, false])
    assert.equal(await complete(one, job), true)
  })

  test('crashes are counted apart from failures, and anew after any other end', async () => {
    const one = await open()
    const crash = async () => {
      await one.queue.recover()
      // After several crashes in a row it waits.
      await one.db.run('update jobs set run_at = 0')
    }
    await send(one, { subject: 'a' })
    const worker = work(one, 8)
    const counts = async () => {
      const { job, end } = await worker.next()
      return { counted: [job.failures, job.crashes], end }
    }
    assert.deepEqual((await counts()).counted, [0, 0])
    await crash()
    const second = await counts()
    await crash()
    const third = await counts()
    assert.deepEqual(
      [second.counted, third.counted],
      [
        [0, 1],
        [0, 2],
      ],
    )
    third.end({ againInMs: 0 })
    const putBack = await counts()
    assert.deepEqual(putBack.counted, [0, 2])
    putBack.end(new Error('bad luck'))
    await untilDepth(one, { waiting: 1, running: 0 })
    await bench().pass(retryDelayMs)
    const failed = await counts()
    assert.deepEqual(failed.counted, [1, 0])
    await crash()
    const again = await counts()
    assert.deepEqual(again.counted, [1, 1])
    again.end('stopped')
    assert.deepEqual((await counts()).counted, [1, 0])
  })

  test('jobs that crash together more than once start apart', async () => {
    const one = await open()
    await send(one, ...Array.from({ length: 8 }, (_, i) => ({ subject: `job ${i}` })))
    const dueTimes: number[] = []
    for (let crashes = 1; crashes <= crashesMax; crashes++) {
      await one.db.run(`update jobs set run_at = 0, worker = 'crashed', claim = 'a'`)
      assert.equal(await one.queue.recover(), 8)
      const rows = await one.db.all<{ run_at: number; crashes: number }>('select run_at, crashes from jobs')
      assert.ok(rows.every((row) => row.crashes === crashes))
      dueTimes.push(new Set(rows.map(({ run_at: at }) => at)).size)
    }
    // One that has crashed too often is ended at once.
    const isApart = dueTimes.map((different) => different > 1)
    assert.deepEqual(isApart, [false, true, true, true, false])
  })

  test('a hung worker that throws when it comes back counts as one crash and no failure', async () => {
    const hung = await open()
    const worker = work(hung)
    await send(hung, { subject: 'a' })
    const stale = await worker.next()
    hung.hang(true)
    const other = await open()
    await bench().pass(bench().leaseMs + 1)
    await untilDepth(other, { waiting: 1, running: 0 })
    stale.end(new Error('late'))
    hung.hang(false)
    const { failures, crashes } = (await worker.next()).job
    assert.deepEqual([failures, crashes], [0, 1])
  })

  test('two processes never run one job at the same time, and between them run all', async () => {
    const processes = [await open(), await open(), await open()]
    const running = new Set<string>()
    const done = new Map<string, number>()
    const total = 150
    await within(
      30_000,
      'all jobs to be done',
      new Promise<void>((resolve, reject) => {
        for (const { queue } of processes) {
          queue.work('q', { slots: 4, retryDelayMs: 0 }, async ({ subject }) => {
            if (running.has(subject)) reject(new Error(`${subject} ran twice at once`))
            running.add(subject)
            await new Promise((wait) => setTimeout(wait, 3))
            running.delete(subject)
            done.set(subject, (done.get(subject) ?? 0) + 1)
            if (done.size === total) resolve()
            return 'done'
          })
        }
        send(processes[0]!, ...Array.from({ length: total }, (_, i) => ({ subject: `s${i}`, order: i % 7 }))).catch(
          reject,
        )
      }),
    )
    assert.ok([...done.values()].every((times) => times === 1))
  })
}
