// Responses that stay open for long, such as event streams: they end when the key that opened them is no longer valid.
import type { ServerResponse } from 'node:http'
import type { Authenticator, Principal } from '../../accounts/keys/authenticate.ts'
import type { Logger } from '../../platform/logger.ts'
import { runPeriodically } from '../../platform/periodic.ts'

/** A revocation must end a stream within a second. Known keys are looked up in memory. */
const checkEveryMs = 500

export interface KeyStreams {
  add(caller: Principal, response: ServerResponse): void
  stop(): Promise<void>
}

export function createKeyStreams(deps: { authenticator: Authenticator; log: Logger }): KeyStreams {
  const open = new Map<ServerResponse, Principal>()
  const loop = runPeriodically(
    'key streams',
    checkEveryMs,
    async () => {
      const callers = new Set(open.values())
      for (const caller of callers) {
        if (await deps.authenticator.isLive(caller)) continue
        for (const [response, opener] of open) if (opener === caller) response.destroy()
      }
    },
    deps.log,
  )
  return {
    add(caller, response) {
      open.set(response, caller)
      response.once('close', () => open.delete(response))
    },
    stop: () => loop.stop(),
  }
}
