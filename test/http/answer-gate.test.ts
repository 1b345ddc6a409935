// No work with a callback begins before the response that announced it has been sent, whatever happens to the response.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { FastifyReply } from 'fastify'
import { answerWithinMs, createAnswerGate } from '../../src/http/server/responses/answer-gate.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { createSqlQueue, type SqlQueue } from '../../src/queue/sql-queue.ts'
import { startService, type TestService } from '../support/service/service.ts'

describe('the answer gate', () => {
  let service: TestService
  let queue: SqlQueue
  let server: Server
  let url: string
  /** What the server does with the response once the work is stored. */
  let answer: (response: ServerResponse, subject: string) => void
  let beforeStoring: (response: ServerResponse) => Promise<unknown> = async () => {}
  const begun = new Map<string, { atMs: number; resolve(): void; promise: Promise<void> }>()

  before(async () => {
    service = await startService()
    const { db } = service.app
    queue = createSqlQueue({ db, clock: systemClock, log: silentLogger })
    const gate = createAnswerGate({ db, queue, log: silentLogger })
    queue.work('held', { slots: 10, retryDelayMs: 10 }, async (job) => {
      const entry = begun.get(job.subject)!
      entry.atMs = performance.now()
      entry.resolve()
      return 'done'
    })
    server = createServer(async (_request, response) => {
      const announced = gate.begin({ raw: response } as FastifyReply)
      const subject = newId(Date.now())
      begun.set(subject, { atMs: 0, ...Promise.withResolvers<void>() })
      const job = { queue: 'held', subject, group: 'a', order: 0, delayMs: answerWithinMs }
      await beforeStoring(response)
      await db.transaction((tx) => queue.enqueue(tx, [job]))
      announced.releases(subject)
      answer(response, subject)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  after(async () => {
    await queue?.stop(0)
    server?.closeAllConnections()
    server?.close()
    await service?.stop()
  })

  test('holds the work until the response was sent, and not longer', async () => {
    let sentAtMs = 0
    answer = (response, subject) => {
      // Longer than the queue looks for due work by itself.
      setTimeout(() => {
        sentAtMs = performance.now()
        response.end(subject)
      }, 1500)
    }
    const subject = await (await fetch(url)).text()
    const { promise } = begun.get(subject)!
    await promise
    const waitedMs = begun.get(subject)!.atMs - sentAtMs
    assert.ok(waitedMs >= 0 && waitedMs < 1000, `${waitedMs} ms after the answer`)
  })

  test('lets it begin when the connection breaks', async () => {
    let brokenAtMs = 0
    let subject = ''
    answer = (response, id) => {
      subject = id
      brokenAtMs = performance.now()
      response.destroy()
    }
    await assert.rejects(fetch(url))
    await begun.get(subject)!.promise
    assert.ok(begun.get(subject)!.atMs >= brokenAtMs)
  })

  test('lets it begin when the connection broke before the work was stored', async () => {
    const stored = Promise.withResolvers<string>()
    answer = (_response, subject) => stored.resolve(subject)
    const leaving = new AbortController()
    beforeStoring = (response) => {
      leaving.abort()
      return once(response, 'close')
    }
    await assert.rejects(fetch(url, { signal: leaving.signal }))
    const storedAtMs = performance.now()
    const entry = begun.get(await stored.promise)!
    await entry.promise
    assert.ok(entry.atMs - storedAtMs < answerWithinMs / 2, `${entry.atMs - storedAtMs} ms later`)
  })

  test('a start takes up what a crash left held back', async () => {
    const { db } = service.app
    const subject = newId(Date.now())
    begun.set(subject, { atMs: 0, ...Promise.withResolvers<void>() })
    const job = { queue: 'held', subject, group: 'a', order: 0, delayMs: answerWithinMs }
    await db.transaction((tx) => queue.enqueue(tx, [job]))
    assert.equal(await queue.releaseAll(['held']), 1)
    await begun.get(subject)!.promise
  })
})
