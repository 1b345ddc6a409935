// No callback is sent before the response that announced it has been sent, whatever happens to the response.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { systemClock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { createSqlQueue, type SqlQueue } from '../../src/queue/sql-queue.ts'
import { type AfterResponse, createAfterResponse } from '../../src/webhooks/after-response.ts'
import { beginDeliveries } from '../../src/webhooks/deliveries.ts'
import { type Receiver, startReceiver } from '../support/network/receiver.ts'
import { startService, type TestService } from '../support/service/service.ts'
import { untilTrue } from '../support/until.ts'

describe('callbacks after responses', () => {
  let service: TestService
  let receiver: Receiver
  let queue: SqlQueue
  /** Of the process that sends the responses, and of one that ends tasks. The service delivers the callbacks. */
  let responding: AfterResponse
  let ending: AfterResponse
  let owner: { accountId: string; keyId: string }
  let server: Server
  let url: string
  /** What the server does with the response once the work is stored. */
  let respond: (response: ServerResponse, subject: string) => void
  let beforeStoring: (response: ServerResponse) => Promise<unknown> = async () => {}

  before(async () => {
    service = await startService()
    receiver = await startReceiver()
    const { db } = service.app
    queue = createSqlQueue({ db, clock: systemClock, log: silentLogger, about: null })
    const deps = { db, queue, clock: systemClock, log: silentLogger }
    responding = createAfterResponse(deps)
    ending = createAfterResponse(deps)
    const key = await db.one<{ id: string; account_id: string }>('select id, account_id from keys limit 1')
    owner = { accountId: key!.account_id, keyId: key!.id }
    server = createServer(async (_request, response) => {
      const announced = responding.begin(response)
      const subject = newId(Date.now())
      await beforeStoring(response)
      announced.announces(subject)
      respond(response, subject)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  after(async () => {
    responding?.close()
    ending?.close()
    await queue?.stop(0)
    server?.closeAllConnections()
    server?.close()
    await service?.stop()
    await receiver?.close()
  })

  /** Ends the work on `subject` in this process: its callback is stored. */
  function end(by: AfterResponse, subject: string, createdAt = Date.now()): Promise<unknown> {
    const callback = { ...owner, kind: 'task', subject, url: `${receiver.origin}/${subject}` } as const
    return service.app.db.transaction((tx) => {
      const delayMs = by.delayMs(tx, { subject, createdAt })
      return beginDeliveries(tx, queue, [{ ...callback, body: '{}', delayMs }], Date.now())
    })
  }

  const hasArrived = (subject: string) => receiver.received.some(({ path }) => path === `/${subject}`)

  async function arrivalAfter(sinceMs: number, subject: string): Promise<number> {
    await untilTrue('the callback arrives', async () => hasArrived(subject))
    return performance.now() - sinceMs
  }

  for (const [name, by] of [
    ['the same process', () => responding],
    ['another process', () => ending],
  ] as const) {
    test(`work that ${name} ended before the response was sent`, async () => {
      let sentAtMs = 0
      respond = async (response, subject) => {
        await end(by(), subject)
        // Longer than the queue looks for due work by itself.
        setTimeout(() => {
          assert.ok(!hasArrived(subject))
          sentAtMs = performance.now()
          response.end(subject)
        }, 1500)
      }
      const subject = await (await fetch(url)).text()
      const waitedMs = await arrivalAfter(sentAtMs, subject)
      assert.ok(waitedMs < 1000, `${waitedMs} ms after the response`)
    })

    test(`work that ${name} ended after the response was sent`, async () => {
      respond = (response, subject) => response.end(subject)
      const subject = await (await fetch(url)).text()
      const endedAtMs = performance.now()
      await end(by(), subject)
      const waitedMs = await arrivalAfter(endedAtMs, subject)
      assert.ok(waitedMs < 1000, `${waitedMs} ms after the end`)
    })
  }

  test('a broken connection', async () => {
    let brokenAtMs = 0
    const ended = Promise.withResolvers<string>()
    respond = async (response, id) => {
      await end(ending, id)
      brokenAtMs = performance.now()
      response.destroy()
      ended.resolve(id)
    }
    await assert.rejects(fetch(url))
    assert.ok((await arrivalAfter(brokenAtMs, await ended.promise)) < 1000)
  })

  test('a connection that broke before the work was stored', async () => {
    const stored = Promise.withResolvers<string>()
    respond = (_response, subject) => stored.resolve(subject)
    const leaving = new AbortController()
    beforeStoring = (response) => {
      leaving.abort()
      return once(response, 'close')
    }
    await assert.rejects(fetch(url, { signal: leaving.signal }))
    const endedAtMs = performance.now()
    const subject = await stored.promise
    await end(ending, subject)
    assert.ok((await arrivalAfter(endedAtMs, subject)) < 1000)
  })

  test('a process that crashed before it sent the response', async () => {
    const subject = newId(Date.now())
    const endedAtMs = performance.now()
    await end(ending, subject, Date.now() - 8500)
    const waitedMs = await arrivalAfter(endedAtMs, subject)
    assert.ok(waitedMs > 1400 && waitedMs < 4000, `${waitedMs} ms after the end`)
  })
})
