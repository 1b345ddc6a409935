// How a job ends: with the handler's own work, by a failure, by its removal or by the stop of its worker.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilTrue } from '../../support/until.ts'
import { aborted, complete, depth, passOver, type QueueTests, retryDelayMs, send, untilDepth, work } from './harness.ts'

export function queueSettling({ bench, open }: QueueTests): void {
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

  test('a handler settles its job with its own work, in one transaction', async () => {
    const one = await open()
    const worker = work(one)
    await send(one, { subject: 'a' })
    const { job, end } = await worker.next()
    await assert.rejects(
      one.db.transaction(async (tx) => {
        assert.ok((await one.queue.complete(tx, [job])).has(job))
        throw new Error('rolled back')
      }),
    )
    assert.equal((await depth(one))?.running, 1)
    assert.equal(await complete(one, job), true)
    assert.equal(await complete(one, job), false)
    end('settled')
    await untilDepth(one, undefined)
  })

  test('a failure is counted and retried after a while', async () => {
    const one = await open()
    const worker = work(one)
    await send(one, { subject: 'a' })
    for (const failures of [0, 1, 2]) {
      const handled = await worker.next()
      assert.equal(handled.job.failures, failures)
      assert.equal(handled.job.attempt, failures + 1)
      handled.end(new Error('bad luck'))
      await untilDepth(one, { waiting: 1, running: 0 })
      await bench().pass(retryDelayMs - 1)
      await passOver(one, worker)
      await bench().pass(1)
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
    assert.equal(await complete(one, gone.job), false)
    assert.equal((await worker.next()).job.subject, 'kept')
  })

  test('a held job becomes another one, which only its new holder settles', async () => {
    const one = await open()
    const worker = work(one)
    await send(one, { subject: 'a', attempt: 3, order: 9 }, { subject: 'b', order: 10 })
    const held = await worker.next()
    const by = { queue: 'q', subject: 'a', group: 'other', owner: 'account', order: 1, attempt: 7 }
    await one.db.transaction((tx) => one.queue.replace(tx, [{ job: held.job, by }]))
    held.end('settled')
    const next = await worker.next()
    const { subject, group, owner, attempt, failures } = next.job
    assert.deepEqual([subject, group, owner, attempt, failures], ['a', 'other', 'account', 8, 0])
    assert.equal(await complete(one, held.job), false)
    // A worker that has lost its lease replaces nothing.
    await one.db.transaction((tx) => one.queue.replace(tx, [{ job: held.job, by: { ...by, order: 0 } }]))
    assert.equal(await complete(one, next.job), true)
    next.end('settled')
    assert.equal((await worker.next()).job.subject, 'b')
  })

  test('what is stored at a claim is stored with it, or neither is', async () => {
    const one = await open()
    const claims: string[][] = []
    const worker = work(one, 2, {
      async onClaim(tx, jobs) {
        claims.push(jobs.map(({ subject }) => subject).sort())
        const begun = jobs.map(({ subject, group, attempt }) => ({ subject: `${subject} ${attempt}`, group, order: 0 }))
        await one.queue.enqueue(
          tx,
          begun.map((job) => ({ queue: 'begun', ...job })),
        )
        if (claims.length === 1) throw new Error('the first claim fails')
      },
    })
    await send(one, { subject: 'a', order: 1 })
    await untilTrue('the first claim', () => claims.length > 0)
    await send(one, { subject: 'b', order: 2 })
    const handled = [await worker.next(), await worker.next()]
    assert.deepEqual(handled.map(({ job }) => job.subject).sort(), ['a', 'b'])
    const begun = await one.queue.oldest({ prefix: 'begun', after: '', before: '~', limit: 10 })
    assert.deepEqual(begun, ['a 1', 'b 1'])
    for (const each of handled) each.end('done')
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

  test('stopping releases what does not finish, and it counts as no failure', async () => {
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
}
