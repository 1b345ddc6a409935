// Followers of events that stop reading: the route on a server of its own, so that the test decides how often the task
// changes; a real task in a real database behind it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import type { Db } from '../../../src/db/db.ts'
import { taskEventsRoute } from '../../../src/http/routes/tasks/task-events.ts'
import { createServer } from '../../../src/http/server/server.ts'
import { silentLogger } from '../../../src/platform/logger.ts'
import { createTaskEvents } from '../../../src/tasks/events.ts'
import { notQueueing } from '../../../src/tasks/record/queue-place.ts'
import { newCaller } from '../../support/service/callers.ts'
import type { TestService } from '../../support/service/service.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilTrue } from '../../support/until.ts'

async function serveEvents(
  service: TestService,
  caller: { accountId: string; keyId: string; isSubKey?: boolean },
  db: Db = service.app.db,
) {
  const events = createTaskEvents(service.app.db)
  const stopping = new AbortController()
  const principal = {
    isSubKey: false,
    ...caller,
    accountName: 'a caller',
    scopes: new Set(['tasks:read'] as const),
    networks: [],
    hasOldSecret: false,
    rates: [],
    requestLimit: null,
    expiresAt: null,
  }
  const deps = { db, clock: { now: Date.now }, publicUrl: () => 'http://127.0.0.1' }
  const server = createServer(
    {
      guard: {
        count: async (caller) => caller,
        enter: async () => principal,
        mayContinue: async () => true,
      },
      keyStreams: { add() {} },
      switches: { maintenance: () => false, featureEnabled: () => true, queuePaused: () => false, close() {} },
      metrics: { request() {} },
      log: silentLogger,
      corsOrigins: [],
      connectionLimits: { total: 1000, perAddress: 1000 },
      trustProxy: false,
      publicUrl: null,
      isTraced: false,
      onUntrustedProxy() {},
    },
    [
      taskEventsRoute({
        ...deps,
        events,
        findQueuePlace: async () => notQueueing,
        log: silentLogger,
        stopping: stopping.signal,
      }),
    ],
  )
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket) => sockets.add(socket))
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    changed: events.changed,
    /** Connections that are open here. */
    open: () => [...sockets].filter((socket) => !socket.destroyed).length,
    /** Bytes that wait in our own memory to be read by followers. */
    unsentBytes: () => [...sockets].reduce((total, socket) => total + socket.writableLength, 0),
    async stop() {
      stopping.abort()
      for (const socket of sockets) socket.destroy()
      await server.close()
    },
  }
}

async function openFollower(url: string, taskId: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    // The records are large and all alike: only the end of the stream is looked at.
    received = (received + chunk).slice(-2_000_000)
  })
  socket.pause()
  socket.write(`GET /api/v1/jobs/events?taskId=${taskId} HTTP/1.1\r\nhost: a\r\n\r\n`)
  return { socket, received: () => received }
}

describeService('followers that stop reading', {}, (service) => {
  test('hold little in memory, delay no other client, and get the end when they read again', async () => {
    const caller = await newCaller(service(), 1000)
    const recordBytes = 500_000
    const taskId = await caller.api.createTask('a boat script: stall')
    await caller.api.until(taskId, ['generating'])
    // Larger than any request is stored today; records of older versions may be.
    await service().app.db.run('update tasks set param = ? where id = ?', ['y'.repeat(recordBytes), taskId])
    const server = await serveEvents(service(), caller)
    try {
      const stuck = await Promise.all(Array.from({ length: 10 }, () => openFollower(server.url, taskId)))
      const reader = await openFollower(server.url, taskId)
      reader.socket.resume()
      for (let percent = 1; percent <= 60; percent++) {
        await service().app.db.run('update tasks set progress = ? where id = ?', [percent, taskId])
        server.changed(taskId)
        await untilTrue('the reader hears of it', () => reader.received().includes(`"progress":${percent},`))
      }
      // Kept for everyone, this would be 300 MB. The system's own buffers take some; we keep about a record each.
      assert.ok(server.unsentBytes() < 10 * 3 * recordBytes, `${server.unsentBytes()} bytes are kept`)
      await caller.api.post('/api/v1/jobs/cancelTask', { taskId })
      server.changed(taskId)
      await untilTrue('the reader hears the end', () => reader.received().includes('event: end'))
      stuck[0]!.socket.resume()
      await untilTrue('a slow one hears the end', () => stuck[0]!.received().includes('event: end'))
      for (const { socket } of [...stuck, reader]) socket.destroy()
    } finally {
      await server.stop()
    }
  })

  test('that have left before their stream begins do not count as open streams', async () => {
    const caller = await newCaller(service(), 1000)
    const taskId = await caller.api.createTask('a boat script: stall')
    const { db } = service().app
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let reads = 0
    const slow: Db = {
      ...db,
      async one(text, params) {
        reads++
        await released
        return db.one(text, params)
      },
    }
    // As many as a sub-key may have.
    const streamsMax = 100
    const server = await serveEvents(service(), { ...caller, isSubKey: true }, slow)
    try {
      const followers = await Promise.all(Array.from({ length: streamsMax }, () => openFollower(server.url, taskId)))
      await untilTrue('every request waits for the database', () => reads === streamsMax)
      for (const { socket } of followers) socket.destroy()
      await untilTrue('the server has noticed', () => server.open() === 0)
      release()
      const next = await openFollower(server.url, taskId)
      next.socket.resume()
      await untilTrue('a response', () => next.received().includes('\r\n'))
      assert.match(next.received(), /^HTTP\/1.1 200 /)
    } finally {
      await server.stop()
      await caller.api.post('/api/v1/jobs/cancelTask', { taskId })
    }
  })
})
