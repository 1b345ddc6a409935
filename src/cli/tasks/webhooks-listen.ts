// dailies webhooks listen: takes the account's callbacks from a running service and posts them to a server on the
// developer's machine, headers and body unchanged, so that signatures verify there too.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListenedDelivery } from '../../contract/deliveries.ts'
import { OperatorError } from '../../platform/errors.ts'
import { command, serverFlags, UsageError } from '../command.ts'
import { findServer } from '../connect/server.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { countText } from '../terminal/print.ts'

const forwardWithinMs = 15_000
const reconnectMs = 1000

export const listen = command({
  name: 'webhooks listen',
  flags: {
    'forward-to': { value: 'URL', help: 'where callbacks are posted, such as http://localhost:3000/hook' },
    ...serverFlags,
  },
  summary: "Forward the account's callbacks to a server on this machine",
  examples: ['dailies webhooks listen --forward-to http://localhost:3000/hook'],
  async run(input) {
    const { flags, json } = input
    const target = flags['forward-to']
    if (!target || !URL.canParse(target)) throw new UsageError('--forward-to must be a URL')
    const { url: serviceUrl, key } = await findServer(input)

    const { signal } = onInterrupt()
    const say = json ? () => {} : (line: string) => console.log(line)
    let forwarded = 0
    while (!signal.aborted) {
      try {
        const response = await connect(serviceUrl, key, signal)
        say(`Listening at ${serviceUrl}; callbacks go to ${target}. Ctrl+C ends.`)
        for await (const callback of callbacks(response)) {
          say(await forward(target, callback))
          forwarded++
        }
      } catch (error) {
        if (signal.aborted) break
        if (error instanceof OperatorError) throw error
      }
      say(`The service at ${serviceUrl} cannot be reached; retrying.`)
      await sleep(reconnectMs, undefined, { signal }).catch(() => {})
    }
    return { data: { forwarded }, text: `Forwarded ${countText(forwarded, 'callback')}.` }
  },
})

async function connect(serviceUrl: string, key: string, signal: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  const response = await fetch(`${serviceUrl.replace(/\/+$/, '')}/api/v1/webhooks/listen`, { headers, signal })
  if (response.status === 200) return response
  await response.body?.cancel()
  if (response.status === 401) throw new OperatorError('the service does not know this key')
  if (response.status === 404)
    throw new OperatorError('this key may not listen: it must be a key of the account itself')
  throw new Error(`the service responded with ${response.status}`)
}

async function* callbacks(response: Response): AsyncGenerator<ListenedDelivery> {
  let buffered = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const events = (buffered + chunk).split('\n\n')
    buffered = events.pop()!
    for (const event of events) {
      const data = /^event: delivery\ndata: (.*)$/.exec(event)?.[1]
      if (data) yield JSON.parse(data)
    }
  }
}

/** One line with the response of the developer's server. */
async function forward(target: string, { id, headers, body }: ListenedDelivery): Promise<string> {
  const startedAt = performance.now()
  const outcome = await post().catch(
    (error: Error) => `not delivered: ${(error.cause as Error)?.message ?? error.message}`,
  )
  return `${new Date().toISOString().slice(11, 19)}  ${id}  ${outcome}  ${Math.round(performance.now() - startedAt)} ms`

  async function post(): Promise<string> {
    const signal = AbortSignal.timeout(forwardWithinMs)
    const response = await fetch(target, { method: 'POST', headers, body, signal, redirect: 'manual' })
    await response.body?.cancel()
    return String(response.status)
  }
}
