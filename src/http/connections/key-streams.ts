// Responses that stay open for long, such as event streams: they end when their caller loses the right to them.
import type { ServerResponse } from 'node:http'
import type { Logger } from '../../platform/logger.ts'
import { runPeriodically } from '../../platform/loops/periodic.ts'
import { whenClosed } from './when-closed.ts'

/** A revocation must end a stream within a second. Known keys are looked up in memory. */
const checkEveryMs = 500

export interface KeyStreams {
  add(response: ServerResponse, mayContinue: () => Promise<boolean>): void
  stop(): Promise<void>
}

export function createKeyStreams(deps: { log: Logger }): KeyStreams {
  const open = new Map<ServerResponse, () => Promise<boolean>>()
  const loop = runPeriodically(
    'key streams',
    checkEveryMs,
    async () => {
      for (const [response, mayContinue] of open) if (!(await mayContinue())) response.destroy()
    },
    deps.log,
  )
  return {
    add(response, mayContinue) {
      open.set(response, mayContinue)
      whenClosed(response, () => open.delete(response))
    },
    stop: () => loop.stop(),
  }
}
