// webhooks.listen(): through broken streams, refusals and the caller's abort.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { startStandIn } from './support/stand-in.ts'

const delivery = (id: string) => ({ id, url: 'http://127.0.0.1:9/', headers: { 'webhook-id': id }, body: '{}' })

function beginStream(response: ServerResponse, ...ids: string[]) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(': listening\n\n')
  for (const id of ids) response.write(`event: delivery\ndata: ${JSON.stringify(delivery(id))}\n\n`)
}

test('reopens a stream that breaks, and reports both', async () => {
  await using there = await startStandIn(
    (response) => {
      beginStream(response, 'one')
      response.end()
    },
    'cut',
    (response) => beginStream(response, 'two', 'three'),
  )
  const seen: unknown[] = []
  for await (const heard of there.client().webhooks.listen({ onConnection: (isOpen) => seen.push(isOpen) })) {
    seen.push(heard.id)
    if (heard.id === 'three') break
  }
  assert.deepEqual(seen, [true, 'one', false, false, true, 'two', 'three'])
  assert.equal(there.asked[0]!.path, '/api/v1/webhooks/listen')
})

test('ends with a refusal, and with an error of the caller’s own function', async () => {
  await using refused = await startStandIn({ status: 401 })
  await assert.rejects(refused.client().webhooks.listen().next(), { name: 'NotAuthenticated' })
  assert.equal(refused.asked.length, 1)
  await using there = await startStandIn((response) => beginStream(response))
  const mistake = new TypeError('a mistake of the program')
  const onConnection = () => {
    throw mistake
  }
  await assert.rejects(there.client().webhooks.listen({ onConnection }).next(), mistake)
})

test('abort ends listening and the connection', async () => {
  const reason = new Error('enough')
  const controller = new AbortController()
  const closed = Promise.withResolvers<void>()
  await using there = await startStandIn((response) => {
    response.on('close', () => closed.resolve())
    beginStream(response)
  })
  const { signal } = controller
  const listening = there.client().webhooks.listen({ signal, onConnection: () => controller.abort(reason) })
  await assert.rejects(listening.next(), reason)
  await closed.promise
})
