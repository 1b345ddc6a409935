// JSON bodies of many mebibytes are read in pieces, and give the same value as if they were parsed in one go.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { readJsonBodies } from '../../src/http/server/bodies/json-body.ts'
import { shareTurns } from '../../src/http/server/event-loop.ts'
import { createLoopShare } from '../../src/http/server/loop-share.ts'
import { toApiError } from '../../src/http/server/responses/error-mapping.ts'

const mebibyte = 2 ** 20

describe('JSON bodies', () => {
  let server: FastifyInstance
  let received: unknown
  /** Turns of the event loop between the last byte of a body and its value. */
  let turns = 0
  let isOver = false

  before(async () => {
    server = Fastify({ bodyLimit: 16 * mebibyte })
    shareTurns(server, createLoopShare())
    readJsonBodies(server)
    server.addHook('onRequest', async (request) => {
      request.caller = { accountId: 'a', keyId: 'k' } as typeof request.caller
    })
    server.addHook('preParsing', async (request, _reply, payload) => {
      turns = 0
      payload.once('end', () => {
        const count = () => {
          if (request.body !== undefined || isOver) return
          turns++
          setImmediate(count)
        }
        setImmediate(count)
      })
      return payload
    })
    server.setErrorHandler((error, request, reply) => reply.code(422).send(toApiError(error, request).message))
    server.post('/', async ({ body }) => {
      received = body
      return 'ok'
    })
  })
  after(() => server.close())

  async function send(text: string | Buffer): Promise<string> {
    received = undefined
    isOver = false
    const headers = { 'content-type': 'application/json' }
    const answer = await server.inject({ method: 'POST', url: '/', headers, payload: text })
    isOver = true
    return answer.body
  }

  test('of every size give what JSON.parse gives', async () => {
    // Escapes, pairs and characters of two to four bytes fall on every place where a long string is cut.
    const units = ['a', '\\n', '\\\\', '\\"', '\\u00e9', '\\ud83d\\ude00', 'é', '魚', '\u{1f600}', '\\/']
    for (const [index, unit] of units.entries()) {
      const long = 'x'.repeat(index) + unit.repeat(Math.ceil((3 * mebibyte) / unit.length))
      const text = `{"first": [1, "short \\u0041"], "long": "${long}", "nested": {"also": "${unit.repeat(50)}"}}`
      assert.equal(await send(text), 'ok', unit)
      assert.deepEqual(received, JSON.parse(text), unit)
    }
  })

  test('leave the event loop to others while a large one is read', async () => {
    assert.equal(await send(JSON.stringify({ base64Data: 'A'.repeat(14 * mebibyte) })), 'ok')
    // One turn per mebibyte that is scanned, and more for what is decoded.
    assert.ok(turns >= 14, `${turns} turns`)
  })

  test('that are large without long strings are refused', async () => {
    const many = JSON.stringify(Array.from({ length: 1900 }, () => 'x'.repeat(1000)))
    assert.equal(await send(many), 'body: is larger than allowed')
    const deep = `${'['.repeat(70)}"${'x'.repeat(2 * mebibyte)}"`
    assert.equal(await send(deep), 'body: is nested too deeply')
  })

  test('that are large and not JSON are refused', async () => {
    for (const broken of ['\\x', '\\u12', '\n', '"', '\\']) {
      const text = `{"long": "${'x'.repeat(1.5 * mebibyte)}${broken}", "more": 1}`
      assert.equal(await send(text), 'body: is not valid JSON', JSON.stringify(broken))
    }
    assert.equal(await send(`{"long": "${'x'.repeat(2 * mebibyte)}`), 'body: is larger than allowed')
  })

  test('hold no half of a surrogate pair', async () => {
    assert.equal(await send('{"a\\udc00": ["\\ud83d", "\\ud83d\\ude00", {"b": "\\uD83Dx"}], "c": "\\\\ud83d"}'), 'ok')
    assert.deepEqual(received, { 'a\ufffd': ['\ufffd', '\u{1f600}', { b: '\ufffdx' }], c: '\\ud83d' })
    const long = 'x'.repeat(mebibyte)
    assert.equal(await send(`{"long": "${long}\\ud83d", "short": "\\ud83d"}`), 'ok')
    assert.deepEqual(received, { long: `${long}\ufffd`, short: '\ufffd' })
  })

  test('cannot reach a prototype', async () => {
    assert.equal(
      await send(`{"__proto__": {"x": 1}, "long": "${'x'.repeat(2 * mebibyte)}", "\\u005f_proto__": 2}`),
      'ok',
    )
    assert.deepEqual(Object.keys(received as object), ['long'])
    assert.equal((received as { x?: number }).x, undefined)
  })
})
