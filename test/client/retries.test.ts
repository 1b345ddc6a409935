// When the client retries, when it does not, and how long it waits, against a server that misbehaves on demand.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Dailies, Retry } from '../../client/src/public.ts'
import { NoAnswer, turboModel } from '../../client/src/public.ts'
import { delayBeforeRetry, readRetryAfter } from '../../client/src/transport/retry.ts'
import { type Reply, startStandIn } from './support/stand-in.ts'

const body = { model: turboModel, input: { prompt: 'a boat', image_url: 'http://127.0.0.1:9/a.png' } }
const created = { data: { taskId: 't1' } }
const create = (client: Dailies) => client.createTask(body)

describe('retries', () => {
  const passing: [string, Reply][] = [
    ['429', { status: 429 }],
    ['455', { status: 455 }],
    ['500', { status: 500 }],
    ['502 that is no JSON', (response) => response.writeHead(502).end('<html>')],
    ['503', { status: 503 }],
    ['a cut connection', 'cut'],
    [
      'an answer cut in the middle',
      (response) => response.writeHead(200, { 'content-length': 99 }).write('{"data"') && response.socket!.end(),
    ],
    ['an answer that is not ours', (response) => response.writeHead(200).end('<html>')],
  ]
  for (const [what, reply] of passing) {
    test(`after ${what}, with the same Idempotency-Key`, async () => {
      await using there = await startStandIn(reply, reply, created)
      assert.equal(await create(there.client()), 't1')
      assert.equal(there.asked.length, 3)
      const keys = new Set(there.asked.map(({ headers }) => headers['idempotency-key']))
      assert.equal(keys.size, 1)
      assert.match([...keys][0] as string, /^[0-9a-f]{32}$/)
      assert.deepEqual(JSON.parse(there.asked[2]!.body), body)
    })
  }

  test('each call of createTask, extend and infer has a key of its own', async () => {
    await using there = await startStandIn(created, created, created, { plain: {} })
    const client = there.client()
    await create(client)
    await create(client)
    await client.extend({ taskId: 't1', prompt: 'on' })
    await client.infer('google/universal-sentence-encoder', { inputs: ['a'] })
    assert.equal(new Set(there.asked.map(({ headers }) => headers['idempotency-key'])).size, 4)
    assert.equal(
      there.asked.every(({ headers }) => headers['idempotency-key']),
      true,
    )
  })

  test('after as long as Retry-After says', async () => {
    await using there = await startStandIn({ status: 429, headers: { 'retry-after': '1' } }, created)
    const startedMs = performance.now()
    await create(there.client())
    assert.ok(performance.now() - startedMs >= 1000)
  })

  test('at once or not at all when asked to, and says that it waits', async () => {
    const refused: Reply = { status: 429, headers: { 'retry-after': '50' } }
    await using there = await startStandIn(refused, created, refused)
    const hurried: Retry[] = []
    const hurry = (retry: Retry) => {
      hurried.push(retry)
      retry.tryNow()
    }
    assert.equal(await create(there.client({ onRetry: hurry })), 't1')
    assert.ok(hurried[0]!.delayMs >= 50_000)
    assert.equal(hurried[0]!.error.code, 429)
    await hurried[0]!.over
    await assert.rejects(create(there.client({ onRetry: (retry) => retry.stop() })), { code: 429, tries: 1 })
    assert.equal(there.asked.length, 3)
  })

  test('after no response within the time limit', async () => {
    await using there = await startStandIn(() => {}, created)
    assert.equal(await create(there.client({ timeoutMs: 100 })), 't1')
  })

  test('as often as configured, then reports the last response', async () => {
    await using there = await startStandIn({ status: 500, msg: 'Broken.' })
    await assert.rejects(create(there.client({ retries: 2 })), {
      name: 'ServerError',
      code: 500,
      message: 'Broken.',
      tries: 3,
      requestId: 'request-1',
    })
    assert.equal(there.asked.length, 3)
    await using gone = await startStandIn('cut')
    await assert.rejects(gone.client({ retries: 1 }).credit(), (error: NoAnswer) => {
      assert.ok(error instanceof NoAnswer)
      assert.equal(error.code, 0)
      assert.equal(error.tries, 2)
      return true
    })
  })

  test('of a download as often as configured, and says that it waits', async () => {
    await using there = await startStandIn({ status: 503 })
    const waits: Retry[] = []
    const onRetry = (retry: Retry) => {
      waits.push(retry)
      retry.tryNow()
    }
    const download = (retries: number) => there.client({ retries, onRetry }).download(`${there.url}/files/a/video.mp4`)
    await assert.rejects(download(0), { code: 503, tries: 1 })
    await assert.rejects(download(5), { code: 503, tries: 6 })
    assert.equal(waits.length, 5)
  })
})

describe('does not retry', () => {
  for (const status of [400, 401, 402, 404, 408, 422, 433, 451, 501, 505]) {
    test(`after ${status}`, async () => {
      await using there = await startStandIn({ status })
      await assert.rejects(create(there.client()), { code: status, tries: 1 })
      assert.equal(there.asked.length, 1)
    })
  }

  test('when the service asks for a wait of more than a minute', async () => {
    await using there = await startStandIn({ status: 455, headers: { 'retry-after': '3600' } })
    await assert.rejects(create(there.client()), { name: 'ServiceUnavailable', retryAfterMs: 3_600_000 })
    assert.equal(there.asked.length, 1)
  })

  const once: [string, (client: Dailies) => Promise<unknown>][] = [
    ['keys.create', (client) => client.keys.create({ name: 'k' })],
    ['keys.rotate', (client) => client.keys.rotate('k')],
    ['keys.revoke', (client) => client.keys.revoke('k')],
    ['operator.grant', (client) => client.operator.grant('default', 5)],
    ['operator.createAccount', (client) => client.operator.createAccount({ name: 'a' })],
    ['operator.revokeAccountKey', (client) => client.operator.revokeAccountKey('default', 'k')],
    ['shares.create', (client) => client.shares.create('t1')],
    ['webhooks.resend', (client) => client.webhooks.resend('w')],
    ['webhooks.rotateSecret', (client) => client.webhooks.rotateSecret()],
  ]
  for (const [name, act] of once) {
    test(`${name}, unless the service said that nothing was done`, async () => {
      await using there = await startStandIn({ status: 429 }, 'cut')
      await assert.rejects(act(there.client()), { name: 'NoAnswer' })
      assert.equal(there.asked.length, 2)
    })
  }
})

test('an error that the progress of an upload throws ends it, and is what the caller gets', async () => {
  await using there = await startStandIn({ data: {} })
  const reason = new Error('the program broke')
  const upload = there.client().upload(new Blob(['x']), {
    onProgress() {
      throw reason
    },
  })
  assert.equal(await upload.catch((error) => error), reason)
  assert.ok(there.asked.length <= 1)
})

describe('abort', () => {
  test('ends a request, the pause between attempts and an upload at once, with the caller’s reason', async () => {
    const reason = new Error('enough')
    for (const reply of [() => {}, { status: 429, headers: { 'retry-after': '50' } }] as Reply[]) {
      await using there = await startStandIn(reply)
      const acts = [
        (signal: AbortSignal) => there.client().createTask(body, { signal }),
        (signal: AbortSignal) => there.client().upload(new Blob(['x']), { signal, onProgress: () => {} }),
      ]
      for (const act of acts) {
        const controller = new AbortController()
        const asked = there.asked.length
        const result = act(controller.signal).catch((error) => error)
        while (there.asked.length === asked) await new Promise((resolve) => setImmediate(resolve))
        controller.abort(reason)
        assert.equal(await result, reason)
      }
    }
  })

  test('a signal that is aborted already sends nothing', async () => {
    await using there = await startStandIn(created)
    await assert.rejects(there.client().createTask(body, { signal: AbortSignal.abort() }), { name: 'AbortError' })
    assert.equal(there.asked.length, 0)
  })
})

describe('pauses', () => {
  test('grow, vary and stay bounded', () => {
    const upper = [1, 2, 3, 4, 5, 6, 20].map((tries) => delayBeforeRetry(tries, null, 1))
    assert.deepEqual(upper, [300, 600, 1200, 2400, 4800, 9600, 10_000])
    assert.equal(delayBeforeRetry(1, null, 0), 150)
    assert.ok(delayBeforeRetry(1, 5000, 0.5)! >= 5000)
    assert.equal(delayBeforeRetry(1, 60_001, 0.5), null)
  })

  test('Retry-After is seconds or a date', () => {
    const nowMs = Date.parse('2026-01-01T00:00:00Z')
    const cases: [string | null, number | null][] = [
      ['3', 3000],
      ['0', 0],
      ['Thu, 01 Jan 2026 00:00:07 GMT', 7000],
      ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
      ['soon', null],
      ['', null],
      [null, null],
    ]
    for (const [header, ms] of cases) assert.equal(readRetryAfter(header, nowMs), ms, String(header))
  })
})
