// /livez, /readyz and /metrics, open without a key.

import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { apiError } from '../../../contract/errors.ts'
import type { WriteHealth } from '../../../db/write-health.ts'
import type { Metrics } from '../../../metrics/metrics.ts'
import { sha256Hex } from '../../../platform/ids.ts'
import type { FileHealth } from '../../../storage/file-health.ts'
import { answered, type Route, route } from '../../route.ts'

export interface HealthDeps {
  writes: WriteHealth
  files: FileHealth
  metrics: Metrics
  metricsToken: string | null
  stopping: AbortSignal
  /** The queues that this process leaves to other workers at present. */
  paused(): string[]
}

const health = { tag: 'Health', access: 'open' } as const
const readyWithinMs = 2000

export function healthRoutes(deps: HealthDeps): Route[] {
  return [
    route({
      endpoint: 'GET /livez',
      operationId: 'getLiveness',
      summary: 'Whether the process is alive',
      description: 'Succeeds as long as the process responds; it checks nothing else.',
      ...health,
      answer: z.object({ status: z.literal('alive') }),
      handler: async () => ({ status: 'alive' as const }),
    }),
    route({
      endpoint: 'GET /readyz',
      operationId: 'getReadiness',
      summary: 'Whether the service can take requests',
      description: 'Checks the database and the storage; 503 names what is not ready.',
      ...health,
      answer: z.object({
        status: z.literal('ready'),
        paused: z.array(z.string()).optional().meta({
          description:
            'The queues of which this process takes no jobs for now, because only its own attempts at them fail.',
        }),
      }),
      codes: [503],
      async handler() {
        const problem = deps.stopping.aborted ? 'stopping' : await findProblem(deps)
        if (problem !== null) throw apiError('not_ready', { problem })
        const paused = deps.paused()
        return { status: 'ready' as const, ...(paused.length > 0 ? { paused } : {}) }
      },
    }),
    route({
      endpoint: 'GET /metrics',
      operationId: 'getMetrics',
      summary: 'Prometheus metrics',
      description: 'Open, unless the operator has set a token for it.',
      ...health,
      contentType: 'text/plain',
      codes: [401],
      async handler({ request, reply }) {
        const shown = /^bearer +(.*)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
        if (deps.metricsToken !== null && !sameText(shown, deps.metricsToken)) {
          throw apiError('invalid_metrics_token')
        }
        const { type, body } = await deps.metrics.text()
        reply.header('content-type', type).send(body)
        return answered
      },
    }),
  ]
}

async function findProblem(deps: HealthDeps): Promise<string | null> {
  const late = new Promise((resolve) => setTimeout(resolve, readyWithinMs).unref())
  const checked = (check: Promise<void>, problems: { failed: string; late: string }) =>
    Promise.race([
      check.then(
        () => null,
        () => problems.failed,
      ),
      late.then(() => problems.late),
    ])
  return (
    (await checked(deps.writes.check(), {
      failed: 'the database accepts no writes',
      late: 'the database does not respond',
    })) ??
    (await checked(deps.files.check(), {
      failed: 'the storage cannot be used',
      late: 'the storage does not respond',
    }))
  )
}

function sameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(a)), Buffer.from(sha256Hex(b)))
}
