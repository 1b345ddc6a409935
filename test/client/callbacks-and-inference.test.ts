// What the client asks for, and makes of the answers, where callbacks and inference are concerned: by the wire.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startStandIn } from './support/stand-in.ts'

test('deliveries come in pages and by state', async () => {
  const first = { items: [{ id: 'a' }, { id: 'b' }], nextCursor: 'b' }
  await using there = await startStandIn({ data: first }, { data: { items: [{ id: 'c' }], nextCursor: null } })
  const all = await Array.fromAsync(there.client().webhooks.deliveries({ state: 'failed', limit: 2 }))
  assert.deepEqual(
    all.map(({ id }) => id),
    ['a', 'b', 'c'],
  )
  assert.deepEqual(
    there.asked.map(({ path }) => path),
    ['/api/v1/webhooks/deliveries?state=failed&limit=2', '/api/v1/webhooks/deliveries?state=failed&limit=2&cursor=b'],
  )
})

test('resend, secret and its rotation', async () => {
  const secret = { secret: 'whsec_x', previousUntil: null }
  await using there = await startStandIn({ data: { id: 'a/b', state: 'pending' } }, { data: secret })
  const { webhooks } = there.client()
  assert.deepEqual(await webhooks.resend('a/b'), { id: 'a/b', state: 'pending' })
  assert.deepEqual(await webhooks.secret(), secret)
  assert.deepEqual(await webhooks.rotateSecret(), secret)
  assert.deepEqual(
    there.asked.map(({ method, path }) => `${method} ${path}`),
    [
      'POST /api/v1/webhooks/deliveries/a%2Fb/resend',
      'GET /api/v1/webhooks/secret',
      'POST /api/v1/webhooks/secret/rotate',
    ],
  )
})

test('inference answers come as they are, without an envelope', async () => {
  const results = { embeddings: [[0.5]], input_tokens: 1, model: 'm' }
  const answer = {
    request_id: 'r1',
    inference_status: { status: 'succeeded', runtime_ms: 3, cost: 0.1 },
    results,
  }
  await using there = await startStandIn({ plain: answer })
  const client = there.client()
  const given = await client.infer('google/universal-sentence-encoder', { inputs: ['a boat'] })
  // The type of the results follows from that of the body.
  const vector: number[] = given.results!.embeddings[0]!
  assert.deepEqual(vector, [0.5])
  assert.deepEqual(await client.getInference('r1'), answer)
  assert.deepEqual(
    there.asked.map(({ method, path }) => `${method} ${path}`),
    ['POST /v1/inference/google/universal-sentence-encoder', 'GET /v1/inference/requests/r1'],
  )
  await using refusing = await startStandIn({ status: 422, msg: 'inputs: is required' })
  await assert.rejects(refusing.client().infer('a/b', { inputs: [] }), {
    name: 'InvalidRequest',
    problems: [{ field: 'inputs', sentence: 'is required' }],
  })
})
