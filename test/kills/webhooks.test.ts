// Kills the service again and again while it queues, runs and delivers: every accepted request ends, every callback
// arrives at least once, what succeeded is charged once and what failed is free. The moments come from a seed. KILLS=200 runs the long form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkLedger } from '../../src/account-data/check-ledger.ts'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { seededRandom } from '../../src/video/random.ts'
import { type Received, type Receiver, startReceiver } from '../support/network/receiver.ts'
import { places } from '../support/places/places.ts'
import { taskBody, variantA } from '../support/service/api.ts'
import { type ServiceProcess, startProcess } from '../support/service/process.ts'

const kills = Number(process.env.KILLS ?? 10)
const seed = Number(process.env.SEED ?? 20_261)
/** From the moment the service listens: loading the model takes about a second of it. */
const killWithinMs = 2500
const requestsARound = 6

interface Sent {
  path: string
  body: object
  /** Its idempotency key and the path of its callback. */
  name: string
}

/** A task, a video by inference, or embeddings, each with a callback of its own. */
function someRequest(receiver: Receiver, name: string, random: () => number): Sent {
  const callbackUrl = `${receiver.origin}/ok?${name}`
  const prompt = `a boat script: wait ${Math.floor(random() * 400)}ms`
  const kind = Math.floor(random() * 3)
  if (kind === 0)
    return { name, path: '/api/v1/jobs/createTask', body: { ...taskBody(prompt), callBackUrl: callbackUrl } }
  if (kind === 1) {
    const input = { prompt, image_url: 'http://127.0.0.1:9/a.png' }
    return { name, path: `/v1/inference/${variantA}`, body: { input, webhook: callbackUrl } }
  }
  const inputs = [`the sentence of ${name}`]
  return { name, path: '/v1/inference/google/universal-sentence-encoder', body: { inputs, webhook: callbackUrl } }
}

/** The id that was answered; null when the line broke or nothing was taken on. */
async function send(service: ServiceProcess, { path, body, name }: Sent): Promise<string | null> {
  try {
    const answer = await service.api.post(path, body, { headers: { 'idempotency-key': name } })
    // A busy machine may shed load: that is no acceptance either.
    if (answer.status === 455) return null
    assert.equal(answer.status, 200, answer.text)
    return answer.body.request_id ?? answer.body.data.taskId
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error
    return null
  }
}

test(`${kills} kills lose no callback and charge nothing twice`, { timeout: 60_000 + kills * 15_000 }, async (t) => {
  const random = seededRandom(seed)
  const place = await places[0].create()
  const receiver = await startReceiver()
  const env = { ...place.env, DAILIES_WEBHOOK_DELAYS: '100ms,500ms,1s', DAILIES_RENDER_SLOTS: '4' }
  const accepted = new Map<string, Sent>()
  let unanswered: Sent[] = []
  let service = await startProcess(env)
  try {
    for (let round = 0; round < kills; round++) {
      const fresh = Array.from({ length: requestsARound }, (_, i) => someRequest(receiver, `r${round}-${i}`, random))
      const killed = sleep(Math.floor(random() * killWithinMs)).then(() => service.kill('SIGKILL'))
      const sending = [...unanswered, ...fresh]
      unanswered = []
      await Promise.all(
        sending.map(async (each) => {
          await sleep(Math.floor(random() * 300))
          const id = await send(service, each)
          if (id === null) unanswered.push(each)
          else accepted.set(id, each)
        }),
      )
      await killed
      service = await startProcess(env)
    }
    for (const each of unanswered) {
      let id = await send(service, each)
      while (id === null) {
        await sleep(500)
        id = await send(service, each)
      }
      accepted.set(id, each)
    }
    assert.equal(accepted.size, kills * requestsARound)
    const names = new Set([...accepted.values()].map((each) => `/ok?${each.name}`))
    const arrived = () => new Set(receiver.received.map((each) => each.path)).size === names.size
    await receiver.until(arrived, 60_000)
    await untilIdle(service)
  } finally {
    await service.kill('SIGTERM')
    await receiver.close()
  }

  const db = await openDatabase(loadConfig(place.env))
  try {
    assert.deepEqual((await checkLedger(db)).problems, [])
    let failed = 0
    for (const [id, { name }] of accepted) {
      const callbacks = receiver.at(`/ok?${name}`)
      assert.equal(new Set(callbacks.map((each) => each.headers['webhook-id'])).size, 1)
      assert.equal(new Set(callbacks.map((each) => each.raw)).size, 1)
      assert.ok(callbacks[0]!.raw.includes(id))
      const spent = await db.all<{ kind: string }>(
        `select kind from ledger where subject = ? and kind in ('charge', 'settle')`,
        [id],
      )
      // A request that lost too many workers in a row fails, and costs nothing.
      const succeeded = succeededOf(callbacks[0]!)
      if (!succeeded) failed++
      assert.equal(spent.length, succeeded ? 1 : 0, `request ${id}, paid ${spent.length} times: ${callbacks[0]!.raw}`)
    }
    const extra = receiver.received.length - accepted.size
    t.diagnostic(
      `seed ${seed}: ${accepted.size} requests, ${receiver.received.length} callbacks (${extra} sent again), ${failed} failed`,
    )
  } finally {
    await db.close()
    await place.stop()
  }
})

function succeededOf({ body }: Received): boolean {
  return 'code' in body ? body.code === 200 : body.inference_status.status === 'succeeded'
}

/** Waits until nothing is pending any more, so that what is written can be judged. */
async function untilIdle(service: ServiceProcess): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const { items } = (await service.api.get('/api/v1/webhooks/deliveries?state=pending')).body.data
    if (items.length === 0) return
    assert.ok(Date.now() < deadline, `still pending: ${JSON.stringify(items)}`)
    await sleep(50)
  }
}
