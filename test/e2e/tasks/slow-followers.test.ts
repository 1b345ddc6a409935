// Followers of events that stop reading: the route on a server of its own, so that the test decides how often the task
// changes; a real task in a real database behind it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { taskEventsRoute } from '../../../src/http/routes/tasks/task-events.ts'
import { createServer } from '../../../src/http/server/server.ts'
import { silentLogger } from '../../../src/platform/logger.ts'
import { createTaskEvents } from '../../../src/tasks/store/events.ts'
import { notQueueing } from '../../../src/tasks/store/queue-place.ts'
import { newCaller } from '../../support/service/callers.ts'
import type { TestService } from '../../support/service/service.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilTrue } from '../../support/until.ts'

async function serveEvents(service: TestService, caller: { accountId: string; keyId: string }) {
  const events = createTaskEvents(service.app.db)
  const stopping = new AbortController()
  const principal = {
    ...caller,
    accountName: 'a caller',
    isSubKey: false,
    scopes: new Set(['tasks:read'] as const),
    networks: [],
    rate: null,
    hasCreditLimit: false,
    requestLimit: null,
    expiresAt: null,
  }
  const deps = { db: service.app.db, clock: { now: Date.now }, publicUrl: () => 'http://127.0.0.1' }
  const server = createServer(
    {
      guard: { enter: async () => principal, mayContinue: async () => true },
      keyStreams: { add() {} },
      switches: { maintenance: () => false, featureEnabled: () => true, close() {} },
      metrics: { request() {} },
      log: silentLogger,
      corsOrigins: [],
      connectionLimits: { total: 1000, perAddress: 1000 },
      trustProxy: false,
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
  test('hold little in memory, hold up nobody, and hear the end when they read again', async () => {
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
})
