// SIGTERM under load, once: every request that was taken is answered, streams end, work is finished or given back, and
// the process leaves with 0 in time. Callers that only came to a closed door do not count.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { checkLedger } from '../../src/account-data/check-ledger.ts'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { readEvents, taskBody, variantA } from '../support/service/api.ts'
import { type ServiceProcess, startProcess } from '../support/service/process.ts'
import { testKey } from '../support/service/service.ts'
import { untilTrue } from '../support/until.ts'

export interface Stop {
  tookMs: number
  /** Tasks that were answered for, of all that it was asked. */
  accepted: number
  read: number
}

const exitWithinMs = 30_000
const lanes = 16
const acceptedBefore = 60

/** On a database that may have tasks of earlier stops. */
export async function stopUnderLoad(env: Record<string, string>): Promise<Stop> {
  const before = await tasksIn(env)
  const service = await startProcess({ ...env, DAILIES_RENDER_SLOTS: '4' })
  try {
    return await stopOne(service, env, before)
  } finally {
    await service.kill('SIGKILL')
  }
}

async function stopOne(service: ServiceProcess, env: Record<string, string>, before: number): Promise<Stop> {
  let accepted = 0
  let read = 0
  let stopping = false
  const lane = async () => {
    for (;;) {
      const body = taskBody('a boat script: wait 20ms')
      const answer = await service.api.post('/api/v1/jobs/createTask', body).catch((error: Error) => error)
      if (answer instanceof Error) {
        // Only a connection that was never taken, or lay idle, may be refused: the tasks are counted below.
        assert.ok(stopping, String(answer.cause))
        return
      }
      assert.equal(answer.status, 200, answer.text)
      accepted++
      const record = await service.api
        .get(`/api/v1/jobs/recordInfo?taskId=${answer.body.data.taskId}`)
        .catch((error: Error) => error)
      if (record instanceof Error) {
        assert.ok(stopping, String(record.cause))
        return
      }
      assert.equal(record.status, 200, record.text)
      read++
    }
  }
  const followed = await service.api.createTask('a boat script: wait 2s')
  accepted++
  const stream = await fetch(`${service.url}/api/v1/jobs/events?taskId=${followed}`, {
    headers: { authorization: `Bearer ${testKey}` },
  })
  // One that waits for its result, and one whose body is only half there when the signal comes.
  const input = { prompt: 'a boat script: wait 3s', image_url: 'http://127.0.0.1:9/a.png' }
  const waiting = service.api.post(`/v1/inference/${variantA}`, { input })
  const half = await sendHalf(service.url, JSON.stringify(taskBody('a boat sent in two halves')))
  const load = Array.from({ length: lanes }, lane)
  await untilTrue('the load runs', () => accepted >= acceptedBefore, 20_000)
  stopping = true
  const startedMs = performance.now()
  const exited = service.kill('SIGTERM')
  assert.equal(await half.sendRest(), 200)
  accepted++
  const code = await exited
  const tookMs = performance.now() - startedMs
  await Promise.all(load)
  assert.equal(code, 0, service.output())
  assert.ok(tookMs < exitWithinMs, `it took ${tookMs} ms`)
  const waited = await waiting
  assert.equal(waited.status, 200, waited.text)
  accepted++
  for await (const event of readEvents(stream)) assert.equal(event.data.taskId, followed)
  assert.equal((await tasksIn(env)) - before, accepted, 'as many tasks as answers')
  await assertAtRest(env)
  return { tookMs, accepted, read }
}

/** Sends headers and half of a body, and the rest on demand. Returns the status, which must come. */
async function sendHalf(url: string, body: string): Promise<{ sendRest(): Promise<number> }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const head = [
    'POST /api/v1/jobs/createTask HTTP/1.1',
    `host: ${hostname}`,
    `authorization: Bearer ${testKey}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 20)}`)
  return {
    async sendRest() {
      let answer = ''
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        answer += chunk
      })
      const closed = once(socket, 'close')
      socket.write(body.slice(20))
      await closed
      const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]
      assert.ok(status, 'a request that was half sent got no answer')
      return Number(status)
    },
  }
}

async function tasksIn(env: Record<string, string>): Promise<number> {
  const db = await openDatabase(loadConfig(env))
  try {
    return (await db.one<{ count: number }>('select count(*) as count from tasks'))!.count
  } catch {
    // Nothing has been started here yet.
    return 0
  } finally {
    await db.close()
  }
}

async function assertAtRest(env: Record<string, string>): Promise<void> {
  const db = await openDatabase(loadConfig(env))
  try {
    const leased = await db.one<{ count: number }>('select count(*) as count from jobs where worker is not null')
    assert.equal(leased!.count, 0, 'jobs that were not given back')
    assert.deepEqual((await checkLedger(db)).problems, [])
  } finally {
    await db.close()
  }
}
