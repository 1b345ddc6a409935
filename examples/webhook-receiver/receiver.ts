// Receives callbacks: checks the signature over the bytes as they came, answers at once, handles each callback once.
//   WEBHOOK_SECRET=$(npx dailies webhooks secret) PORT=9000 node receiver.ts
import { createServer } from 'node:http'
import { type CallbackPayload, verifyWebhook, WebhookNotVerified } from 'dailies-client'

const secret = process.env.WEBHOOK_SECRET!
const bodyBytesMax = 10 * 2 ** 20
/** A callback may come more than once. Keep these ids in your database. */
const seen = new Set<string>()

const server = createServer(async (request, response) => {
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bodyBytesMax) return response.writeHead(413).end()
      chunks.push(chunk)
    }
    const payload = await verifyWebhook(secret, request.headers, Buffer.concat(chunks))
    response.writeHead(204).end()
    const id = String(request.headers['webhook-id'])
    if (seen.has(id)) return
    seen.add(id)
    console.log(tell(payload))
  } catch (error) {
    response.writeHead(error instanceof WebhookNotVerified ? 401 : 500).end()
    console.log(`refused: ${(error as Error).message}`)
  }
})

function tell(payload: CallbackPayload): string {
  if ('request_id' in payload) return `request ${payload.request_id} ${payload.inference_status.status}`
  const { taskId, state, resultJson, failMsg } = payload.data
  return `task ${taskId} ${state} ${state === 'success' ? JSON.parse(resultJson).resultUrls[0] : failMsg}`
}

server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => {
  const address = server.address() as { port: number }
  console.log(`listening on http://127.0.0.1:${address.port}`)
})
