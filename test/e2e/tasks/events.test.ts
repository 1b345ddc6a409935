// GET events: what a follower hears, and that followers who stop reading or hang up cost nothing.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { type Api, readEvents, type ServerSentEvent } from '../../support/service/api.ts'
import { type TestService, testKey } from '../../support/service/service.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilTrue } from '../../support/until.ts'

const eventsPath = (taskId: string) => `/api/v1/jobs/events?taskId=${taskId}`

async function follow(service: TestService, taskId: string, withinMs = 10_000): Promise<ServerSentEvent[]> {
  const response = await fetch(service.url + eventsPath(taskId), {
    headers: { authorization: `Bearer ${testKey}` },
    signal: AbortSignal.timeout(withinMs),
  })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  const events: ServerSentEvent[] = []
  for await (const event of readEvents(response)) events.push(event)
  return events
}

/** A follower on a bare socket; returns the status line once the stream has begun. */
async function openStream(service: TestService, taskId: string): Promise<{ socket: Socket; status: string }> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`GET ${eventsPath(taskId)} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${testKey}\r\n\r\n`)
  const [chunk] = await once(socket, 'data')
  return { socket, status: String(chunk).slice(0, 12) }
}

const cancel = (api: Api, taskId: string) => api.post('/api/v1/jobs/cancelTask', { taskId })

describeService('events', {}, (service) => {
  test('state, progress and end come in order, each with the unified record', async () => {
    const { api } = service()
    const taskId = await api.createTask('a boat script: wait 100ms, progress 30, wait 200ms, progress 60, wait 700ms')
    const events = await follow(service(), taskId)
    assert.equal(events.at(-1)!.event, 'end')
    assert.deepEqual(events.at(-1)!.data, await api.record(taskId))
    const order = ['wait', 'queueing', 'generating', 'success']
    const states = events.map((event) => order.indexOf(event.data.state as string))
    assert.deepEqual(states, states.toSorted())
    const progress = events.map((event) => event.data.progress as number)
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    )
    const heard = events.filter((event) => event.event === 'progress').map((event) => event.data.progress)
    assert.ok(heard.includes(60), `heard ${heard}`)
    assert.deepEqual(
      events.filter((event) => event.event === 'end').map((event) => event.data.state),
      ['success'],
    )
    // Nothing is said twice.
    const said = events.map(({ event, data }) => `${event} ${data.state} ${data.progress}`)
    assert.equal(new Set(said).size, said.length)
  })

  test('a late follower gets the current state, and then the end', async () => {
    const { api } = service()
    const running = await api.createTask('a boat script: progress 40, wait 5s')
    await untilTrue('progress', async () => (await api.record(running)).progress === 40)
    const response = await fetch(service().url + eventsPath(running), {
      headers: { authorization: `Bearer ${testKey}` },
    })
    const stream = readEvents(response)
    const { value: first } = await stream.next()
    assert.equal(first!.event, 'state')
    assert.equal(first!.data.progress, 40)
    await cancel(api, running)
    const { value: last } = await stream.next()
    assert.equal(last!.event, 'end')
    assert.equal(last!.data.failReason, 'canceled')
    assert.equal((await stream.next()).done, true)

    const again = await follow(service(), running)
    assert.deepEqual(
      again.map((event) => event.event),
      ['state', 'end'],
    )
  })

  test('a task that is deleted while followed ends the stream', async () => {
    const taskId = await service().api.createTask('a boat script: stall')
    const following = follow(service(), taskId)
    await service().api.until(taskId, ['generating'])
    await cancel(service().api, taskId)
    await service().api.delete(`/api/v1/jobs/${taskId}`)
    assert.ok((await following).length >= 1)
  })

  test('many followers of one task all hear its end', async () => {
    const taskId = await service().api.createTask('a boat script: progress 10, wait 300ms')
    const all = await Promise.all(Array.from({ length: 50 }, () => follow(service(), taskId)))
    for (const events of all) assert.equal(events.at(-1)!.event, 'end')
  })

  test('followers that hang up are forgotten at once', async () => {
    const { api } = service()
    const taskId = await api.createTask('a boat script: stall')
    const open = (count: number) => Promise.all(Array.from({ length: count }, () => openStream(service(), taskId)))
    const streams = await open(500)
    assert.deepEqual(new Set(streams.map(({ status }) => status)), new Set(['HTTP/1.1 200']))
    const refused = await api.get(eventsPath(taskId))
    assert.equal(refused.status, 429)
    assert.ok(refused.headers.get('retry-after'))
    for (const { socket } of streams) socket.resetAndDestroy()
    await untilTrue('places are free again', async () => {
      const again = await open(100)
      for (const { socket } of again) socket.resetAndDestroy()
      return again.every(({ status }) => status === 'HTTP/1.1 200')
    })
    await cancel(api, taskId)
  })
})
