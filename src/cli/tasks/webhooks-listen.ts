// dailies webhooks listen: takes the account's callbacks from a running service and posts them to a server on the
// developer's machine, headers and body unchanged, so that signatures verify there too.
import { type ListenedDelivery, NotFound } from '../../../client/src/public.ts'
import { OperatorError } from '../../platform/errors.ts'
import { command, serverFlags, UsageError } from '../command.ts'
import { withClient } from '../connect/client.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { countText } from '../terminal/print.ts'

const forwardWithinMs = 15_000

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
    const { signal } = onInterrupt()
    const say = json ? () => {} : (line: string) => console.log(line)
    return withClient(input, async (client, url) => {
      const onConnection = (isOpen: boolean) =>
        say(
          isOpen
            ? `Listening at ${url}; callbacks go to ${target}. Ctrl+C ends.`
            : `The service at ${url} cannot be reached; retrying.`,
        )
      let forwarded = 0
      try {
        for await (const callback of client.webhooks.listen({ signal, onConnection })) {
          say(await forward(target, callback))
          forwarded++
        }
      } catch (error) {
        if (error instanceof NotFound) {
          throw new OperatorError('this key may not listen: it must be a key of the account itself', { cause: error })
        }
        if (!signal.aborted) throw error
      }
      return { data: { forwarded }, text: `Forwarded ${countText(forwarded, 'callback')}.` }
    })
  },
})

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
