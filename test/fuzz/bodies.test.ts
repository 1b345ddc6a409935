// Tens of thousands of requests made from our own schemas and then spoiled: never a 500, every response in the
// envelope. FUZZ sets how many at each place, such as 100000; FUZZ_SEED repeats a run.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { Pool } from 'undici'
import { z } from 'zod'
import type { Route } from '../../src/http/route.ts'
import { TaskFailed } from '../../src/tasks/prepare/prepare.ts'
import { places, type TestPlace } from '../support/places/places.ts'
import { taskBody } from '../support/service/api.ts'
import { startService, type TestService, testKey } from '../support/service/service.ts'
import { escapeText, headers, oddText, queryOf, spoil, spoiled, textSpoil } from './mutations.ts'
import { arbitraryOf } from './schema-arbitrary.ts'

const runs = Number(process.env.FUZZ ?? 10_000)
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)
const connections = 24
const chunkMax = 250
/** Codes of the contract, without 500. */
const codes = new Set([200, 401, 402, 404, 408, 422, 429, 433, 451, 455, 501, 505])
const tell = /node_modules|\.ts:\d|SQLITE|syntax error|\bat \S+ \(/

/** What pages, files and health checks may respond with besides. */
const pageCodes = new Set([...codes, 204, 206, 304, 416, 503])

interface Shot {
  isOpen: boolean
  method: Route['method']
  path: string
  headers: Record<string, string>
  body: string | null
}

/** These turn the service off or change what it offers, so they have a round of their own at the end. */
const isSwitch = (route: Route) => /maintenance|features/.test(route.path)

for (const { name, create } of places) {
  describe(`the API on ${name}`, () => {
    let place: TestPlace
    let service: TestService
    let pool: Pool
    let ids: string[]
    let routes: Route[]
    before(async () => {
      place = await create()
      // Accepted tasks end at once: this is about requests, not about work.
      const fetchInputs = async () => {
        throw new TaskFailed({ reason: 'image_fetch_failed', message: 'Nothing is fetched here.' })
      }
      // Nor is anything called, or an unknown model served by a real one.
      const quiet = {
        DAILIES_WEBHOOK_DELAYS: '1h',
        DAILIES_DEFAULT_MODEL: 'none',
        DAILIES_ALLOW_PRIVATE_NETWORK: 'false',
        // Thousands of requests of one key that cost nothing are what this is about.
        DAILIES_FREE_WORK: 'off',
      }
      service = await startService({ ...place.env, ...quiet }, { fetchInputs })
      routes = service.app.routes
      pool = new Pool(service.url, { connections })
      ids = await Promise.all(Array.from({ length: 5 }, () => service.api.createTask()))
    })
    after(async () => {
      await pool?.close()
      await service?.stop()
      await place?.stop()
    })

    test(`takes ${runs} spoiled requests in its stride`, async (t) => {
      const started = performance.now()
      const others = routes.filter((route) => !isSwitch(route))
      const counts = await fireAll(pool, shotOf(others, ids), runs)
      t.diagnostic(`${Math.round(performance.now() - started)} ms, seed ${seed}, answers ${JSON.stringify(counts)}`)
      // Spoiled beyond all use would prove little, and so would requests that are all fine.
      // Work that is turned away because this machine is busy proves nothing either, but is no fault.
      const taken = runs - (counts[455] ?? 0)
      assert.ok(taken > runs / 2, JSON.stringify(counts))
      assert.ok(counts[200]! > taken / 20 && counts[422]! > taken / 5, JSON.stringify(counts))
    })

    test('refuses bodies that are too large with a clear message', async () => {
      for (const body of [`{"model":"${'a'.repeat(2 ** 20)}"}`, `[${'1,'.repeat(600_000)}1]`]) {
        const { status, text } = await fire(pool, {
          isOpen: false,
          method: 'POST',
          path: '/api/v1/jobs/createTask',
          headers: { 'content-type': 'application/json' },
          body,
        })
        assert.equal(status, 422)
        assert.match(JSON.parse(text).msg, /^body: is larger than allowed/)
      }
    })

    test('takes spoiled switches too', async () => {
      await fireAll(pool, shotOf(routes.filter(isSwitch), ids), 400)
    })

    test('still serves afterwards', async () => {
      await service.api.post('/api/v1/operator/maintenance', { on: false })
      for (const { name } of (await service.api.get('/api/v1/operator/status')).body.data.features) {
        await service.api.post('/api/v1/operator/features', { name, enabled: true })
      }
      // Announced between processes: not necessarily seen by the very next request.
      const within = performance.now() + 5000
      const status = async () => (await service.api.get('/api/v1/operator/status')).body.data
      while ((await status()).maintenance && performance.now() < within);
      const answer = await service.api.post('/api/v1/jobs/createTask', taskBody())
      assert.equal(answer.status, 200, answer.text)
    })
  })
}

/** Drawn a few at a time: the service shares our event loop, and would turn work away if it were held up for long. */
async function fireAll(pool: Pool, shots: fc.Arbitrary<Shot>, total: number): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (let first = 0; first < total; first += chunkMax) {
    const chunk = fc.sample(shots, { numRuns: Math.min(chunkMax, total - first), seed: seed + first })
    let next = 0
    const shooter = async () => {
      while (next < chunk.length) {
        const shot = chunk[next++]!
        const answer = await fire(pool, shot)
        const problem = problemOf(shot, answer)
        if (problem !== null) assert.fail(describeShot(problem, shot, answer))
        counts[answer.status] = (counts[answer.status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: connections }, shooter))
  }
  return counts
}

function describeShot(problem: string, shot: Shot, { status, text }: ShotAnswer): string {
  const lines = [
    problem,
    `seed ${seed}`,
    JSON.stringify(shot).slice(0, 2000),
    `answer: ${status} ${text.slice(0, 2000)}`,
  ]
  return lines.join('\n')
}

interface ShotAnswer {
  status: number
  headers: Record<string, unknown>
  text: string
}

async function fire(pool: Pool, { method, path, headers, body }: Shot): Promise<ShotAnswer> {
  const answer = await pool.request({ method, path, body, headers: { authorization: `Bearer ${testKey}`, ...headers } })
  const text = isStream(answer.headers) ? await beginningOf(answer.body) : await answer.body.text()
  return { status: answer.statusCode, headers: answer.headers, text }
}

const isStream = (headers: Record<string, unknown>) => String(headers['content-type']).startsWith('text/event-stream')

/** Leaving the loop closes the connection: a stream of events may never end. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  for await (const chunk of body) return chunk.toString()
  return ''
}

/** What is wrong with an answer, or null. */
function problemOf(shot: Shot, { status, headers, text }: ShotAnswer): string | null {
  if (shot.isOpen) return pageProblemOf(shot, status, text)
  if (!codes.has(status)) return `the status ${status} is not one that a request may cause`
  if (!headers['x-request-id']) return 'x-request-id is missing'
  if (status === 200 && shot.path.startsWith('/v1/')) return null
  if (status === 200 && isStream(headers))
    return /^(:|event:|id:|data:|retry:)/.test(text) ? null : 'no stream of events'
  let body: Record<string, unknown>
  try {
    body = JSON.parse(text)
  } catch {
    return 'the answer is not JSON'
  }
  // What is no HTTP has no path yet, and gets the envelope.
  if (/^\/v1\/(openai|videos)\b/.test(shot.path) && !('code' in body)) return openaiProblemOf(body)
  const { success, ...envelope } = body
  const fields = envelope.code === 422 ? 'code,msg,data,errors' : 'code,msg,data'
  if (Object.keys(envelope).join() !== fields) return 'the answer is not in the envelope'
  if (success !== undefined && !isAlias(shot.path)) return 'only the aliases say `success`'
  if (body.code !== status) return `the code is ${body.code}, the status ${status}`
  if (typeof body.msg !== 'string' || body.msg === '') return 'there is no message'
  if (status !== 200 && body.data !== null) return 'an error carries data'
  if (status !== 200 && tell.test(body.msg)) return 'the message tells of our insides'
  return null
}

/** They are no part of the envelope, and `/readyz` alone may say that something is wrong with the service. */
function pageProblemOf({ path }: Shot, status: number, text: string): string | null {
  if (!pageCodes.has(status)) return `the status ${status} is not one that a request may cause`
  if (status === 503 && !path.startsWith('/readyz')) return 'only /readyz responds with 503'
  return status >= 400 && tell.test(text) ? 'the message tells of our insides' : null
}

/** Paths of another vendor's clients, which read `success` beside the envelope. */
const isAlias = (path: string) => /^\/api\/(file-(stream|base64|url)-upload|v1\/chat\/credit)\b/.test(path)

/** Under these paths errors have OpenAI's body. */
function openaiProblemOf(body: Record<string, unknown>): string | null {
  const { message } = (body.error ?? {}) as { message?: unknown }
  if (typeof message !== 'string' || message === '') return 'there is no message'
  return tell.test(message) ? 'the message tells of our insides' : null
}

function shotOf(routes: Route[], ids: string[]): fc.Arbitrary<Shot> {
  const weightOf = ({ path, method }: Route) =>
    path.endsWith('createTask') ? 24 : method === 'POST' ? 3 : path.endsWith('keys') ? 1 : 2
  return fc.oneof(...routes.map((route) => ({ weight: weightOf(route), arbitrary: shotAt(route, ids) })))
}

function shotAt(route: Route, ids: string[]): fc.Arbitrary<Shot> {
  const param = fc.oneof(
    fc.constantFrom(...ids, 'default', 'x', '%20', '%', '%00', '%zz', '..', '%2e%2e%2f'),
    oddText.map(escapeText),
  )
  const path = fc
    .array(param, { minLength: 3, maxLength: 3 })
    .map((values) => route.path.replace(/:\w+/g, () => values.pop()!.slice(0, 600)))
  const known = fc.constantFrom(...ids)
  const queryNames = Object.keys((route.query && schemaOf(route.query).properties) ?? {})
  const query = queryOf(
    queryNames,
    fc.oneof(known, fc.constantFrom('1', '100', '101', 'success', 'fail', '-1', '1e1', 'x')),
  )
  const withQuery = fc
    .tuple(path, route.query ? query : fc.constant(''))
    .map(([where, search]) => (search === '' ? where : `${where}?${search}`))
  const bodySchema = route.body ?? route.bodyDocs
  const spoils = fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(spoil, { minLength: 1, maxLength: 3 }) },
  )
  const body =
    route.method !== 'POST'
      ? fc.constant(null)
      : fc
          .tuple(bodySchema ? arbitraryOf(schemaOf(bodySchema)) : fc.jsonValue(), spoils, textSpoil, known)
          .map(([value, changes, change, id]) =>
            change((JSON.stringify(spoiled(withId(value, id), changes)) ?? '').slice(0, 200_000)),
          )
  const isOpen = fc.constant(route.access === 'open')
  return fc
    .record({ isOpen, method: fc.constant(route.method), path: withQuery, headers, body })
    .map((shot) => trim(shot))
}

/** Ids of tasks that exist, where the schema only knows that there is a text. */
function withId(value: unknown, id: string): unknown {
  return typeof value === 'object' && value !== null && 'taskId' in value ? { ...value, taskId: id } : value
}

/** An empty text stands for a header that is not sent; a request without a body says nothing of its type. */
function trim(shot: Shot): Shot {
  const sent = Object.entries(shot.headers).filter(
    ([name, value]) => value !== '' && (shot.body !== null || !name.startsWith('content-')),
  )
  return { ...shot, headers: Object.fromEntries(sent) }
}

const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
