// wait(): through restarts of the service, broken and missing streams, and the caller's abort.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Dailies, type TaskProgress, type TaskRecord, turboModel } from '../../client/src/public.ts'
import { createPace } from '../../client/src/tasks/pace.ts'
import { createEventParser } from '../../client/src/transport/event-stream.ts'
import { startProcess } from '../support/service/process.ts'
import { testKey } from '../support/service/service.ts'
import { type Asked, startStandIn } from './support/stand-in.ts'

test('survives a service that is killed and started again on the same port and data', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-test-'))
  let service = await startProcess({ DAILIES_DATA: dataDir })
  try {
    const client = new Dailies({ baseUrl: service.url, apiKey: testKey })
    const taskId = await client.createTask({
      model: turboModel,
      input: { prompt: 'a boat script: progress 40, wait 3s', image_url: 'http://127.0.0.1:9/a.png' },
    })
    const seen: TaskProgress[] = []
    let isHalfDone = () => {}
    const halfDone = new Promise<void>((resolve) => {
      isHalfDone = resolve
    })
    const waiting = client.wait(taskId, {
      onProgress(progress) {
        seen.push(progress)
        if (progress.progress === 40) isHalfDone()
      },
    })
    await halfDone
    await service.kill('SIGKILL')
    service = await startProcess({ DAILIES_DATA: dataDir, DAILIES_PORT: new URL(service.url).port })
    const record = await waiting
    assert.equal(record.state, 'success')
    assert.equal(seen.at(-1)!.state, 'success')
    const states = (await client.timeline(taskId)).items.map((move) => move.state)
    assert.equal(states.filter((state) => state === 'generating').length, 2)
  } finally {
    await service.kill('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  }
})

const record = (fields: Partial<TaskRecord>): Partial<TaskRecord> => ({
  taskId: 't1',
  progress: 0,
  queuePosition: null,
  resultJson: '',
  ...fields,
})
const isStream = ({ path }: Asked) => path.startsWith('/api/v1/jobs/events')

function beginStream(response: ServerResponse, ...records: Partial<TaskRecord>[]) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const one of records) response.write(`event: state\ndata: ${JSON.stringify(one)}\n\n`)
}

function sendRecord(response: ServerResponse, fields: Partial<TaskRecord>) {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ code: 200, msg: 'success', data: record(fields) }))
}

test('reopens a stream that breaks, and reports each change once', async () => {
  let streams = 0
  await using there = await startStandIn((response, asked) => {
    if (!isStream(asked)) return sendRecord(response, { state: 'generating', progress: 10 })
    streams++
    if (streams === 3) beginStream(response, record({ state: 'success', progress: 100 }))
    else {
      beginStream(response, record({ state: 'generating', progress: 10 }))
      response.socket!.end()
    }
  })
  const seen: string[] = []
  const onProgress = ({ state, progress }: TaskProgress) => seen.push(`${state} ${progress}`)
  const end = await there.client().wait('t1', { onProgress })
  assert.equal(end.progress, 100)
  assert.equal(streams, 3)
  assert.deepEqual(seen, ['generating 10', 'success 100'])
})

test('polls where streams do not get through', async () => {
  let reads = 0
  await using there = await startStandIn((response, asked) => {
    if (isStream(asked)) return response.writeHead(200, { 'content-type': 'text/html' }).end('no streams here')
    reads++
    return sendRecord(response, { state: reads === 5 ? 'success' : 'queueing', queuePosition: 9 - reads })
  })
  const places: (number | null)[] = []
  await there.client().wait('t1', { onProgress: ({ queuePosition }) => places.push(queuePosition) })
  assert.deepEqual(places, [8, 7, 6, 5, 4])
  assert.equal(there.asked.filter(isStream).length, 3)
})

test('waits as long as the service asks for before it tries again', async () => {
  const times: number[] = []
  await using there = await startStandIn((response, asked) => {
    times.push(performance.now())
    if (times.length > 2) return sendRecord(response, { state: 'success', progress: 100 })
    const refusal = { code: 429, msg: isStream(asked) ? 'too many streams' : 'too many requests', data: null }
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(refusal))
  })
  await there.client().wait('t1')
  assert.ok(times[2]! - times[1]! >= 1000, `${times[2]! - times[1]!} ms`)
})

test('gives up when the service is out of reach for too long, and at once when the task is not there', async () => {
  await using there = await startStandIn('cut')
  await assert.rejects(there.client().wait('t1', { unreachableMs: 1000 }), { name: 'NoAnswer' })
  assert.ok(there.asked.length > 2, `asked ${there.asked.length} times`)
  await using gone = await startStandIn({ status: 404 })
  await assert.rejects(gone.client().wait('t1'), { name: 'NotFound' })
  assert.equal(gone.asked.length, 1)
})

test('a task that stays as it is for long does not count as a service out of reach', async () => {
  const unreachableMs = 300
  await using there = await startStandIn((response, asked) => {
    if (isStream(asked)) {
      beginStream(response, record({ state: 'generating', progress: 10 }))
      setTimeout(() => response.socket!.destroy(), 2 * unreachableMs)
    } else sendRecord(response, { state: 'success', progress: 100 })
  })
  const end = await there.client().wait('t1', { unreachableMs })
  assert.equal(end.state, 'success')
})

test('an error of the caller’s own function ends waiting with that error', async () => {
  await using there = await startStandIn((response, asked) => {
    if (isStream(asked)) beginStream(response, record({ state: 'generating', progress: 10 }))
    else sendRecord(response, { state: 'success', progress: 100 })
  })
  const mistake = new TypeError('a mistake of the program')
  const onProgress = () => {
    throw mistake
  }
  await assert.rejects(there.client().wait('t1', { onProgress }), mistake)
})

test('abort ends waiting and the connection', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  let isClosed = () => {}
  const closed = new Promise<void>((resolve) => {
    isClosed = resolve
  })
  await using there = await startStandIn((response) => {
    response.on('close', isClosed)
    beginStream(response, record({ state: 'generating' }))
  })
  const waiting = there.client().wait('t1', { signal: controller.signal, onProgress: () => controller.abort(reason) })
  await assert.rejects(waiting, reason)
  await closed
})

test('events are read whatever pieces they come in', () => {
  const text =
    ': hello\r\n\r\nevent: state\r\ndata: {"a":\r\ndata: 1}\r\n\r\ndata:x\n\nevent: none\n\nid: 7\rdata: y\r\rdata: cut'
  const expected = [
    { event: 'state', data: '{"a":\n1}' },
    { event: 'message', data: 'x' },
    { event: 'message', data: 'y' },
  ]
  for (let size = 1; size <= text.length; size++) {
    const parse = createEventParser()
    const events = []
    for (let at = 0; at < text.length; at += size) events.push(...parse(text.slice(at, at + size)))
    assert.deepEqual(events, expected, `pieces of ${size}`)
  }
})

test('time left follows the pace and forgets it when a task starts again', () => {
  const pace = createPace()
  const at = (state: TaskRecord['state'], progress: number, ms: number) =>
    pace(record({ state, progress }) as TaskRecord, ms)
  assert.equal(at('queueing', 0, 0), null)
  assert.equal(at('generating', 0, 1000), null)
  assert.equal(at('generating', 10, 5000), null)
  assert.equal(at('generating', 14, 5500), null)
  assert.equal(at('generating', 30, 7000), 7000)
  assert.equal(at('generating', 60, 10_000), 4000)
  assert.equal(at('queueing', 0, 11_000), null)
  assert.equal(pace(record({ state: 'queueing', timeLeftMs: 9000 }) as TaskRecord, 11_500), 9000)
  assert.equal(at('generating', 1, 12_000), null)
  assert.equal(at('generating', 51, 13_000), 980)
  assert.equal(at('success', 100, 9000), 0)
})
