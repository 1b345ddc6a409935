// Callbacks: deliveries per second to a local receiver beside a bare undici loop that posts the same bodies; time from a
// task's success to the first try; and the time to a healthy receiver with 100 hanging ones beside it, against alone.
// Rounds take turns, so that a busy machine slows all alike; ratios are what counts.
//   node bench/callbacks.ts [--postgres] [--only throughput|first|hanging]
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import { systemClock } from '../src/platform/clock.ts'
import { silentLogger } from '../src/platform/logger.ts'
import { createSqlQueue } from '../src/queue/sql-queue.ts'
import { beginDeliveries } from '../src/webhooks/deliveries.ts'
import { postgres } from '../test/support/places/places.ts'
import { createApi, taskBody } from '../test/support/service/api.ts'
import { startService, type TestService, testKey } from '../test/support/service/service.ts'

const { values } = parseArgs({ options: { postgres: { type: 'boolean' }, only: { type: 'string' } } })
const rounds = 3
const deliveries = 3000
/** As many as the service keeps open to one receiver. */
const concurrency = 64
const hangingReceivers = 100
const callbacksToEachHanging = 10
const healthyEveryMs = 25
/**
 * A minute of callbacks: the hanging ones time out and are retried meanwhile, and 24 callbacks are slower than the p99.
 */
const healthyCallbacks = 2400
const arriveWithinMs = 60_000

const body = JSON.stringify({ code: 200, msg: 'success', data: { taskId: 'x', param: 'y'.repeat(600) } })
const quantile = (values: number[], q: number) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * q)]!
const median = (values: number[]) => quantile(values, 0.5)

interface Receivers {
  healthy: string
  dead: string[]
  child: ChildProcess
  /** When each callback came to the healthy one, since the last time this was asked. */
  arrivals(): Promise<Map<string, number>>
  /** How many callbacks the hanging ones have taken so far. */
  held(): Promise<number>
}

async function startReceivers(hanging: number): Promise<Receivers> {
  const child = fork(new URL('./callbacks/receivers.ts', import.meta.url), [String(hanging)])
  const [{ healthy, dead }] = (await once(child, 'message')) as [{ healthy: string; dead: string[] }]
  const report = async () => {
    child.send('report')
    const [answer] = (await once(child, 'message')) as [{ arrivals: [string, number][]; held: number }]
    return answer
  }
  return {
    healthy,
    dead,
    child,
    arrivals: async () => new Map((await report()).arrivals),
    held: async () => (await report()).held,
  }
}

async function startHere(): Promise<TestService> {
  if (!values.postgres) return startService()
  const place = await postgres.create()
  const service = await startService(place.env)
  return { ...service, stop: () => service.stop().finally(() => place.stop()) }
}

/** Hands callbacks to a running service as the end of a task does. */
async function callbackMaker(service: TestService) {
  const { db } = service.app
  const queue = createSqlQueue({ db, clock: systemClock, log: silentLogger, about: null })
  const key = await db.one<{ id: string; account_id: string }>('select id, account_id from keys limit 1')
  let made = 0
  return async (urls: string[]) => {
    await db.transaction(async (tx) => {
      for (const url of urls) {
        const delivery = {
          accountId: key!.account_id,
          keyId: key!.id,
          kind: 'task',
          subject: `s${++made}`,
          url,
          body,
        } as const
        await beginDeliveries(tx, queue, [delivery], Date.now())
      }
    })
  }
}

async function untilArrived(receivers: Receivers, count: number): Promise<Map<string, number>> {
  const all = new Map<string, number>()
  const giveUpAtMs = performance.now() + arriveWithinMs
  while (all.size < count) {
    if (performance.now() > giveUpAtMs) throw new Error(`only ${all.size} of ${count} callbacks arrived`)
    for (const [id, atMs] of await receivers.arrivals()) all.set(id, atMs)
    await sleep(20)
  }
  return all
}

async function bareRate(url: string): Promise<number> {
  const agent = new Agent({ connections: concurrency })
  let sent = 0
  const startedAt = performance.now()
  const lane = async () => {
    while (sent < deliveries) {
      const headers = { 'content-type': 'application/json', 'webhook-id': `bare${sent++}` }
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  const rate = (deliveries * 1000) / (performance.now() - startedAt)
  await agent.close()
  return rate
}

async function serviceRate(receivers: Receivers): Promise<number> {
  const service = await startHere()
  const make = await callbackMaker(service)
  await make(Array(deliveries).fill(receivers.healthy))
  const times = [...(await untilArrived(receivers, deliveries)).values()]
  await service.stop()
  return (deliveries * 1000) / (Math.max(...times) - Math.min(...times))
}

async function throughput() {
  const receivers = await startReceivers(0)
  const rates = { bare: [] as number[], service: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    rates.bare.push(await bareRate(receivers.healthy))
    await receivers.arrivals()
    rates.service.push(await serviceRate(receivers))
  }
  receivers.child.disconnect()
  const [bare, own] = [median(rates.bare), median(rates.service)]
  console.log(`bare undici loop, ${concurrency} at once      ${bare.toFixed(0).padStart(6)} posts/s`)
  console.log(
    `durable deliveries, ${concurrency} at once    ${own.toFixed(0).padStart(6)} per second   ${(own / bare).toFixed(2)}x bare`,
  )
}

async function successToFirstTry() {
  const receivers = await startReceivers(0)
  const service = await startHere()
  const api = createApi(service.url, testKey)
  const gaps: number[] = []
  for (let i = 0; i < 60; i++) {
    const answer = await api.post('/api/v1/jobs/createTask', { ...taskBody(), callBackUrl: receivers.healthy })
    const record = await api.until(answer.body.data.taskId, ['success'])
    const [arrivedMs] = (await untilArrived(receivers, 1)).values()
    gaps.push(arrivedMs! - (record.completeTime as number))
  }
  await service.stop()
  receivers.child.disconnect()
  const shown = [0.5, 0.99].map((q) => quantile(gaps, q).toFixed(1))
  console.log(`from success to the first try         median ${shown[0]} ms, p99 ${shown[1]} ms`)
}

/** Times from a callback's beginning to its arrival at the healthy receiver, in a steady trickle. */
async function healthyTimes(receivers: Receivers, hanging?: Receivers): Promise<number[]> {
  const service = await startHere()
  const make = await callbackMaker(service)
  await receivers.arrivals()
  if (hanging) {
    const before = await hanging.held()
    await make(hanging.dead.flatMap((url) => Array(callbacksToEachHanging).fill(url)))
    const giveUpAtMs = performance.now() + arriveWithinMs
    while ((await hanging.held()) - before < hanging.dead.length) {
      if (performance.now() > giveUpAtMs) throw new Error('not every hanging receiver got a callback')
      await sleep(20)
    }
  }
  for (let i = 0; i < healthyCallbacks; i++) {
    await make([receivers.healthy])
    await sleep(healthyEveryMs)
  }
  const arrived = await untilArrived(receivers, healthyCallbacks)
  const rows = await service.app.db.all<{ id: string; created_at: number }>(
    'select id, created_at from deliveries where callback_url = ?',
    [receivers.healthy],
  )
  await service.stop()
  return rows.map((row) => arrived.get(row.id)! - row.created_at)
}

async function besideHanging() {
  // The hanging ones have a process of their own, where nothing is measured.
  const healthy = await startReceivers(0)
  const hanging = await startReceivers(hangingReceivers)
  const p99s = { alone: [] as number[], beside: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    p99s.alone.push(quantile(await healthyTimes(healthy), 0.99))
    p99s.beside.push(quantile(await healthyTimes(healthy, hanging), 0.99))
  }
  healthy.child.disconnect()
  hanging.child.disconnect()
  const shown = (values: number[]) =>
    `p99 ${median(values).toFixed(1)} ms (${values.map((value) => value.toFixed(1)).join(', ')})`
  console.log(`to a healthy receiver, alone          ${shown(p99s.alone)}`)
  const ratios = p99s.beside.map((beside, round) => beside / p99s.alone[round]!)
  console.log(
    `beside ${hangingReceivers} hanging ones               ${shown(p99s.beside)}   ${median(ratios).toFixed(2)}x alone`,
  )
}

const parts = { throughput, first: successToFirstTry, hanging: besideHanging }
for (const [name, measure] of Object.entries(parts)) if ((values.only ?? name) === name) await measure()
