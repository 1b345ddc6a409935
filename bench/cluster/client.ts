// The clients of all subjects: as cheap as Node allows, because they run on the same machine.
import { Agent, request } from 'undici'
import { callers } from './rates.ts'

const agent = new Agent({ connections: callers, pipelining: 1 })

/** Posts the same JSON again and again; fails on any other response than 200. */
export function jsonPoster(url: string, body: unknown, headers: Record<string, string> = {}): () => Promise<void> {
  const sent = {
    method: 'POST' as const,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    dispatcher: agent,
  }
  return async () => {
    const response = await request(url, sent)
    if (response.statusCode === 200) await response.body.dump()
    else throw new Error(`${response.statusCode}: ${await response.body.text()}`)
  }
}
