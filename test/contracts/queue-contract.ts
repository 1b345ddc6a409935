// What every queue must do, whatever is behind it. Call `queueContract` with a way to make one; what is under test is
// the port (queue/queue.ts) and nothing of how it is kept.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Job } from '../../src/queue/queue.ts'
import { untilTrue } from '../support/until.ts'
import { within } from '../support/within.ts'
import {
  aborted,
  depth,
  type HeldWorker,
  type QueueBench,
  type QueueUnderTest,
  retryDelayMs,
  send,
  untilDepth,
  work,
} from './queue-harness.ts'

export function queueContract(name: string, create: () => Promise<QueueBench>, options: { processes: boolean }): void {
  describe(`the queue on ${name}`, () => {
    let bench: QueueBench
    let opened: QueueUnderTest[]
    before(async () => {
      bench = await create()
    })
    after(() => bench?.stop())
    beforeEach(async () => {
      await bench.reset()
      opened = []
    })
    afterEach(async () => {
      for (const one of opened) {
        one.hang(false)
        await one.queue.stop(0)
        await one.close()
      }
    })

    const open = async () => {
      const one = await bench.open()
      opened.push(one)
      return one
    }

    /** A job of the last place is served: whatever else is there is not due. */
    async function passOver(one: QueueUnderTest, worker: HeldWorker) {
      await send(one, { subject: 'last', order: Number.MAX_SAFE_INTEGER })
      const last = await worker.next()
      assert.equal(last.job.subject, 'last')
      last.end('done')
    }

    test('serves by number, not by age', async () => {
      const one = await open()
      await send(one, { subject: 'c', order: 3 }, { subject: 'a', order: 1.5 }, { subject: 'd', order: 1e15 })
      await send(one, { subject: 'b', order: 2 }, { subject: 'z', order: -1 })
      const worker = work(one)
      const served: string[] = []
      for (let i = 0; i < 5; i++) {
        const handled = await worker.next()
        served.push(handled.job.subject)
        handled.end('done')
      }
      assert.deepEqual(served, ['z', 'a', 'b', 'c', 'd'])
      await untilDepth(one, undefined)
    })

    test('a smaller number overtakes those that wait', async () => {
      const one = await open()
      const worker = work(one)
      await send(one, { subject: 'first', order: 10 }, { subject: 'second', order: 11 })
      const first = await worker.next()
      assert.equal(first.job.subject, 'first')
      await send(one, { subject: 'late', order: 1 })
      first.end('done')
      assert.equal((await worker.next()).job.subject, 'late')
    })

    test('hands over all that a job carries', async () => {
      const one = await open()
      const worker = work(one)
      await send(one, { subject: 'task "7" 😀', group: 'receiver', owner: 'account', attempt: 4 })
      const { job } = await worker.next()
      assert.deepEqual(
        { ...job, id: 'some', claim: 'some' },
        {
          id: 'some',
          claim: 'some',
          queue: 'q',
          subject: 'task "7" 😀',
          group: 'receiver',
          owner: 'account',
          attempt: 5,
          failures: 0,
        },
      )
    })

    test('keeps queues apart', async () => {
      const one = await open()
      const worker = work(one)
      await send(one, { queue: 'other', subject: 'not mine', order: -5 }, { subject: 'mine' })
      const handled = await worker.next()
      assert.equal(handled.job.subject, 'mine')
      handled.end('done')
      await untilDepth(one, undefined)
      assert.ok(worker.idle())
      assert.deepEqual(
        (await one.queue.depths()).map(({ queue, waiting }) => ({ queue, waiting })),
        [{ queue: 'other', waiting: 1 }],
      )
    })

    test('a delayed job waits for its time, and holds up nobody', async () => {
      const one = await open()
      const worker = work(one)
      await send(one, { subject: 'later', order: 0, delayMs: 60_000 }, { subject: 'now', order: 9 })
      const now = await worker.next()
      assert.equal(now.job.subject, 'now')
      now.end('done')
      await untilDepth(one, { waiting: 1, running: 0 })
      await bench.pass(59_999)
      await passOver(one, worker)
      await bench.pass(1)
      assert.equal((await worker.next()).job.subject, 'later')
    })

    test('a job that is put back frees its slot, counts no claim and comes again in time', async () => {
      const one = await open()
      const worker = work(one)
      await send(one, { subject: 'no room', order: 0 }, { subject: 'next', order: 1 })
      const first = await worker.next()
      assert.equal(first.job.subject, 'no room')
      first.end({ againInMs: 60_000 })
      const next = await worker.next()
      assert.equal(next.job.subject, 'next')
      next.end('done')
      await untilDepth(one, { waiting: 1, running: 0 })
      await bench.pass(60_000)
      const { job } = await worker.next()
      assert.deepEqual([job.subject, job.attempt, job.failures], ['no room', 1, 0])
    })

    test('claims nothing while it is asked to pause', async () => {
      const one = await open()
      let pauseMs = 10
      let asked = 0
      const worker = work(one, 1, {
        async pauseMs() {
          asked++
          return pauseMs
        },
      })
      await send(one, { subject: 'waits' })
      await untilTrue('it was asked several times', async () => asked > 3)
      assert.ok(worker.idle())
      await untilDepth(one, { waiting: 1, running: 0 })
      pauseMs = 0
      assert.equal((await worker.next()).job.subject, 'waits')
    })

    test('runs no more at once than it has slots', async () => {
      const one = await open()
      const worker = work(one, 3)
      await send(one, ...Array.from({ length: 20 }, (_, i) => ({ subject: `s${i}`, order: i })))
      for (let i = 0; i < 20; i++) {
        const handled = await worker.next()
        assert.ok(worker.running.size <= 3, `${worker.running.size} ran at once`)
        handled.end('done')
      }
      await untilDepth(one, undefined)
    })

    test('fills its slots, and no group gets more than its share', async () => {
      const one = await open()
      await send(one, ...Array.from({ length: 10 }, (_, i) => ({ subject: `a${i}`, group: 'a', order: i })))
      await send(one, ...Array.from({ length: 3 }, (_, i) => ({ subject: `b${i}`, group: 'b', order: 100 + i })))
      const worker = work(one, 4, { groupSlots: 2 })
      const first = await Promise.all(Array.from({ length: 4 }, () => worker.next()))
      assert.deepEqual(first.map(({ job }) => job.subject).sort(), ['a0', 'a1', 'b0', 'b1'])
      first.find(({ job }) => job.subject === 'b0')!.end('done')
      const freed = await worker.next()
      assert.equal(freed.job.subject, 'b2')
      first.find(({ job }) => job.subject === 'a1')!.end('done')
      assert.equal((await worker.next()).job.subject, 'a2')
      assert.equal(worker.running.size, 4)
    })

    test('no owner gets more than its share over all its groups', async () => {
      const one = await open()
      const jobOf = (owner: string, i: number) => ({ subject: `${owner}${i}`, owner, group: `${owner} group ${i}` })
      await send(one, ...Array.from({ length: 5 }, (_, i) => ({ ...jobOf('a', i), order: i })))
      await send(one, ...Array.from({ length: 3 }, (_, i) => ({ ...jobOf('b', i), order: 100 + i })))
      const worker = work(one, 4, { groupSlots: 1, ownerSlots: 2 })
      const first = await Promise.all(Array.from({ length: 4 }, () => worker.next()))
      assert.deepEqual(first.map(({ job }) => job.subject).sort(), ['a0', 'a1', 'b0', 'b1'])
      first.find(({ job }) => job.subject === 'a0')!.end('done')
      assert.equal((await worker.next()).job.subject, 'a2')
    })

    test('a transaction that is rolled back sends nothing and takes nothing away', async () => {
      const one = await open()
      await send(one, { subject: 'stays' })
      await assert.rejects(
        one.db.transaction(async (tx) => {
          await one.queue.enqueue(tx, [{ queue: 'q', subject: 'never', group: 'g', order: -1 }])
          await one.queue.remove(tx, ['stays'])
          throw new Error('no')
        }),
        /^Error: no$/,
      )
      const worker = work(one)
      assert.equal((await worker.next()).job.subject, 'stays')
      assert.equal((await depth(one))?.waiting, 0)
    })

    test('a worker is woken by the commit, before a moment has passed', async () => {
      const one = await open()
      const worker = work(one)
      await untilDepth(one, undefined)
      // Each round trip would last as long as the queue's own polling, if it were found by that.
      const started = performance.now()
      for (let i = 0; i < 20; i++) {
        await send(one, { subject: `s${i}` })
        const handled = await worker.next()
        assert.equal(handled.job.subject, `s${i}`)
        handled.end('done')
      }
      assert.ok(performance.now() - started < 10_000, '20 jobs were waited for one by one')
    })

    test('a handler settles its job with its own work, in one transaction', async () => {
      const one = await open()
      const worker = work(one)
      await send(one, { subject: 'a' })
      const { job, end } = await worker.next()
      await assert.rejects(
        one.db.transaction(async (tx) => {
          assert.equal(await one.queue.complete(tx, job), true)
          throw new Error('rolled back')
        }),
      )
      assert.equal((await depth(one))?.running, 1)
      assert.equal(await one.db.transaction((tx) => one.queue.complete(tx, job)), true)
      assert.equal(await one.db.transaction((tx) => one.queue.complete(tx, job)), false)
      end('settled')
      await untilDepth(one, undefined)
    })

    test('a failure is counted and tried again after a while', async () => {
      const one = await open()
      const worker = work(one)
      await send(one, { subject: 'a' })
      for (const failures of [0, 1, 2]) {
        const handled = await worker.next()
        assert.equal(handled.job.failures, failures)
        assert.equal(handled.job.attempt, failures + 1)
        handled.end(new Error('bad luck'))
        await untilDepth(one, { waiting: 1, running: 0 })
        await bench.pass(retryDelayMs - 1)
        await passOver(one, worker)
        await bench.pass(1)
      }
      assert.equal((await worker.next()).job.failures, 3)
    })

    test('removing a job aborts its worker, which then settles nothing', async () => {
      const one = await open()
      const worker = work(one)
      await send(one, { subject: 'gone', order: 1 }, { subject: 'kept', order: 2 })
      const gone = await worker.next()
      await one.db.transaction((tx) => one.queue.remove(tx, ['gone']))
      await aborted(gone)
      assert.equal(await one.db.transaction((tx) => one.queue.complete(tx, gone.job)), false)
      assert.equal((await worker.next()).job.subject, 'kept')
    })

    test('a heartbeat keeps the lease of a job that takes long', async () => {
      const one = await open()
      const worker = work(one)
      await send(one, { subject: 'long' })
      const handled = await worker.next()
      const rival = options.processes ? work(await open()) : null
      for (let beats = 0; beats < 4; beats++) {
        await bench.pass(bench.leaseMs / 2)
        await new Promise((resolve) => setTimeout(resolve, bench.leaseMs / 2))
      }
      assert.equal(handled.signal.aborted, false)
      assert.ok(rival === null || rival.idle(), 'another took it')
      assert.equal(await one.db.transaction((tx) => one.queue.complete(tx, handled.job)), true)
    })

    test('stopping lets work finish', async () => {
      const one = await open()
      const worker = work(one)
      await send(one, { subject: 'a', order: 1 }, { subject: 'b', order: 2 })
      const handled = await worker.next()
      const stopped = one.queue.stop(5000)
      handled.end('done')
      await stopped
      assert.deepEqual(await depth(one).then((found) => [found?.waiting, found?.running]), [1, 0])
      assert.ok(worker.idle())
    })

    test('stopping gives back what does not finish, and it counts as no failure', async () => {
      const one = await open()
      const worker = work(one)
      await send(one, { subject: 'a' })
      const handled = await worker.next()
      await one.queue.stop(10)
      assert.equal(handled.signal.aborted, true)
      const next = await open()
      const { job } = await work(next).next()
      assert.deepEqual([job.subject, job.failures], ['a', 0])
    })

    test('stopping while a job is being claimed leaves none behind', async () => {
      for (let round = 0; round < 10; round++) {
        const one = await open()
        const sent = send(one, { subject: `round ${round}`, order: -round })
        const worker = work(one)
        await sent
        await one.queue.stop(0)
        assert.equal(worker.running.size, 0, 'a job ran on after the stop')
        assert.equal((await depth(one))?.running, 0, 'a job was left leased')
      }
    })

    if (options.processes) {
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
        await bench.pass(bench.leaseMs + 1)
        const taken = await heirWorker.next()
        assert.deepEqual([taken.job.subject, taken.job.attempt, taken.job.failures], ['a', 2, 1])
        assert.deepEqual(lost, [['a']])
        const holds = (job: Job) => heir.db.transaction((tx) => heir.queue.holds(tx, job))
        assert.deepEqual([await holds(stale.job), await holds(taken.job)], [false, true])
        assert.equal(await heir.db.transaction((tx) => heir.queue.complete(tx, stale.job)), false)
        hung.hang(false)
        await aborted(stale)
        assert.equal(await heir.db.transaction((tx) => heir.queue.complete(tx, taken.job)), true)
        assert.equal(await holds(taken.job), false)
      })

      test('a worker whose claim the database forgot in a crash cannot settle the next one', async () => {
        const one = await open()
        await send(one, { subject: 'a' })
        const forgotten = await work(one).next()
        await one.db.run('update jobs set lease_until = null, attempt = 0, claim = null')
        const next = await work(await open()).next()
        assert.equal(next.job.attempt, forgotten.job.attempt)
        assert.equal(await one.db.transaction((tx) => one.queue.holds(tx, forgotten.job)), false)
        assert.equal(await one.db.transaction((tx) => one.queue.complete(tx, forgotten.job)), false)
        await aborted(forgotten)
        assert.equal(await one.db.transaction((tx) => one.queue.complete(tx, next.job)), true)
      })

      test('a hung worker that throws when it comes back does not count as two failures', async () => {
        const hung = await open()
        const worker = work(hung)
        await send(hung, { subject: 'a' })
        const stale = await worker.next()
        hung.hang(true)
        const other = await open()
        await bench.pass(bench.leaseMs + 1)
        await untilDepth(other, { waiting: 1, running: 0 })
        stale.end(new Error('late'))
        hung.hang(false)
        assert.equal((await worker.next()).job.failures, 1)
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
  })
}
