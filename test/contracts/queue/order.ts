// Which job comes next: by its number, when it is due, within the shares of groups and owners.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { countedJobsMax as countedMax } from '../../../src/contract/operator.ts'
import { untilTrue } from '../../support/until.ts'
import { passOver, type QueueTests, send, untilDepth, work } from './harness.ts'

export function queueOrder({ bench, open }: QueueTests): void {
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
        crashes: 0,
      },
    )
  })

  test('finds waiting jobs of queues that nobody serves, and the oldest jobs', async () => {
    const one = await open()
    await send(one, { queue: 'make:b', subject: 'b2' }, { queue: 'make:b', subject: 'b1' })
    await send(
      one,
      { queue: 'make:a', subject: 'a1' },
      { queue: 'make:c', subject: 'c1' },
      { queue: 'made', subject: 'd' },
    )
    await send(one, { queue: 'make:c', subject: 'c2', delayMs: 60_000 })
    const nowMs = Number.MAX_SAFE_INTEGER
    const unserved = (served: string[], limit = 10, dueBeforeMs = nowMs) =>
      one.queue.unserved({ prefix: 'make:', served, dueBeforeMs, limit })
    assert.deepEqual((await unserved(['make:c', 'other'])).sort(), ['a1', 'b1', 'b2'])
    assert.equal((await unserved([], 2)).length, 2)
    assert.deepEqual(await unserved(['make:a', 'make:b', 'make:c']), [])
    assert.deepEqual(await unserved([], 10, -1), [])
    const oldest = (range: { after: string; before: string; limit: number }) =>
      one.queue.oldest({ prefix: 'make:', ...range })
    assert.deepEqual(await oldest({ after: '', before: 'c2', limit: 10 }), ['a1', 'b1', 'b2', 'c1'])
    assert.deepEqual(await oldest({ after: 'a1', before: 'z', limit: 2 }), ['b1', 'b2'])
  })

  test('counts the waiting jobs that come before another one', async () => {
    const one = await open()
    await send(one, { subject: 'a', order: 1 }, { subject: 'b', order: 2 }, { subject: 'c', order: 2 })
    await send(one, { subject: 'd', order: 0, queue: 'other' })
    const ahead = (subject: string, order: number, max = 10) => one.queue.countAhead('q', { subject, order }, max)
    assert.deepEqual([await ahead('a', 1), await ahead('b', 2), await ahead('c', 2)], [0, 1, 2])
    assert.equal(await ahead('z', 9, 2), 2)
    const worker = work(one, 1)
    await worker.next()
    assert.equal(await ahead('c', 2), 1, 'a runs')
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

  test('counts no more waiting jobs of a queue than it says, and those that run besides', async () => {
    const one = await open()
    const jobs = Array.from({ length: countedMax }, (_, index) => ({ subject: `job ${index}`, order: index }))
    await send(one, ...jobs, { subject: 'last', order: jobs.length }, { subject: 'other', queue: 'other' })
    const found = async () => (await one.queue.depths()).map(({ queue, waiting, running }) => [queue, waiting, running])
    assert.deepEqual(await found(), [
      ['other', 1, 0],
      ['q', countedMax, 0],
    ])
    const worker = work(one, 2)
    await worker.next()
    await worker.next()
    assert.deepEqual(await found(), [
      ['other', 1, 0],
      ['q', countedMax - 1, 2],
    ])
  })

  test('a delayed job waits for its time, and holds up no other', async () => {
    const one = await open()
    const worker = work(one)
    await send(one, { subject: 'later', order: 0, delayMs: 60_000 }, { subject: 'now', order: 9 })
    const now = await worker.next()
    assert.equal(now.job.subject, 'now')
    now.end('done')
    await untilDepth(one, { waiting: 1, running: 0 })
    await bench().pass(59_999)
    await passOver(one, worker)
    await bench().pass(1)
    assert.equal((await worker.next()).job.subject, 'later')
  })

  test('a job that is put back frees its slot, comes again in time and counts the claim only as an attempt', async () => {
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
    await bench().pass(60_000)
    const again = await worker.next()
    assert.deepEqual([again.job.subject, again.job.attempt, again.job.failures], ['no room', 1, 0])
    again.end({ againInMs: 60_000, isAttempt: true })
    await untilDepth(one, { waiting: 1, running: 0 })
    await bench().pass(60_000)
    const { job } = await worker.next()
    assert.deepEqual([job.subject, job.attempt, job.failures], ['no room', 2, 0])
  })

  test('a job that is put back with an order waits in that place from then on', async () => {
    const one = await open()
    const worker = work(one)
    await send(one, { subject: 'moved', order: 0 }, { subject: 'b', order: 1 })
    const first = await worker.next()
    assert.equal(first.job.subject, 'moved')
    first.end({ againInMs: 0, order: 5 })
    for (const expected of ['b', 'moved']) {
      const { job, end } = await worker.next()
      assert.equal(job.subject, expected)
      end('done')
    }
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

  test('a job that frees its slot lets another of its group start, and still settles itself', async () => {
    const one = await open()
    const worker = work(one, 4, { groupSlots: 1 })
    await send(one, { subject: 'a', order: 1 }, { subject: 'b', order: 2 })
    const first = await worker.next()
    first.freeSlot()
    const second = await worker.next()
    assert.deepEqual([first.job.subject, second.job.subject], ['a', 'b'])
    first.end('done')
    await untilDepth(one, { waiting: 0, running: 1 })
  })

  test('no more jobs finish without a slot than there are slots', async () => {
    const one = await open()
    const worker = work(one, 2)
    await send(one, ...Array.from({ length: 6 }, (_, i) => ({ subject: String(i), order: i })))
    const begun = []
    for (let i = 0; i < 4; i++) {
      const handled = await worker.next()
      handled.freeSlot()
      begun.push(handled)
    }
    await untilDepth(one, { waiting: 2, running: 4 })
    assert.ok(worker.idle())
    begun[0]!.end('done')
    assert.equal((await worker.next()).job.subject, '4')
    await untilDepth(one, { waiting: 1, running: 4 })
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

  test('a group has its own share again when all its jobs have ended, not that of unknown groups', async () => {
    const one = await open()
    await send(one, ...Array.from({ length: 26 }, (_, i) => ({ subject: `g${i}`, group: 'g', order: i })))
    let running = 0
    let runningMost = 0
    let ended = 0
    const groupSlots = { of: () => 8, ofOthers: 2 }
    one.queue.work('q', { slots: 32, groupSlots, retryDelayMs: 0 }, async () => {
      runningMost = Math.max(runningMost, ++running)
      await nextTurn()
      running--
      ended++
      return 'settled'
    })
    await untilTrue('all jobs have ended', () => ended === 26)
    assert.equal(runningMost, 8)
  })

  test('serves other groups before and behind hundreds of jobs of groups with their full share', async () => {
    const one = await open()
    const worker = work(one, 8, { groupSlots: 1 })
    await send(one, ...Array.from({ length: 300 }, (_, i) => ({ subject: `f${i}`, group: `full ${i % 2}`, order: i })))
    const holders = [await worker.next(), await worker.next()]
    await send(one, { subject: 'before', group: 'a', order: -1 }, { subject: 'behind', group: 'b', order: 1000 })
    const others = [await worker.next(), await worker.next()].map(({ job }) => job.subject)
    assert.deepEqual(others.sort(), ['before', 'behind'])
    await send(one, { subject: 'behind too', group: 'c', order: 1001 })
    assert.equal((await worker.next()).job.subject, 'behind too')
    holders.find(({ job }) => job.group === 'full 1')!.end('done')
    assert.equal((await worker.next()).job.subject, 'f3')
    assert.equal(worker.running.size, 5)
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
}
