// /livez, /readyz and /metrics, open without a key, and what they report.
import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { apiError } from '../../../contract/errors.ts'
import { DatabaseBusy } from '../../../db/db.ts'
import type { WriteHealth } from '../../../db/write-health.ts'
import type { Metrics } from '../../../metrics/metrics.ts'
import { sha256Hex } from '../../../platform/ids.ts'
import type { Latest } from '../../../platform/loops/latest.ts'
import { keepLatest } from '../../../platform/loops/latest.ts'
import type { FileHealth } from '../../../storage/file-health.ts'
import { answered, type Route, route } from '../../route.ts'

export interface HealthDeps {
  /** Whether the database accepts writes. */
  database: Latest<unknown>
  /** Whether files can be stored. */
  storage: Latest<unknown>
  release: string
  metrics: Metrics
  metricsToken: string | null
  stopping: AbortSignal
  /** The queues that this process leaves to other workers at present. */
  paused(): string[]
}

const metricsText = z.string().meta({ examples: ['dailies_queue_jobs{queue="prepare",state="waiting"} 0\n'] })

const health = { tag: 'Health', access: 'open' } as const

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
      description:
        'Depends on the database alone; 503 names what is not ready. Without its storage the service still creates tasks and returns records, so `storage` is only reported.',
      ...health,
      answer: z.object({
        status: z.literal('ready'),
        storage: z.enum(['up', 'down']),
        release: z.string().meta({ examples: ['0.2.0'] }),
        paused: z.array(z.string()).optional().meta({
          description:
            'The queues of which this process takes no jobs for now, because only its own attempts at them fail.',
        }),
      }),
      codes: [503],
      async handler() {
        const { database, storage, stopping } = deps
        if (stopping.aborted) throw apiError('not_ready', { problem: 'stopping' })
        await Promise.all([database.refresh(), storage.refresh()])
        if (!database.isUp)
          throw apiError('not_ready', { problem: 'the database accepts no writes, or does not respond' })
        const paused = deps.paused()
        return {
          status: 'ready' as const,
          storage: storage.isUp ? ('up' as const) : ('down' as const),
          release: deps.release,
          ...(paused.length > 0 ? { paused } : {}),
        }
      },
    }),
    route({
      endpoint: 'GET /metrics',
      operationId: 'getMetrics',
      summary: 'Prometheus metrics',
      description: 'Open, unless the operator has set a token for it.',
      ...health,
      contentType: 'text/plain',
      answer: metricsText,
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

function sameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(a)), Buffer.from(sha256Hex(b)))
}

const limits = { everyMs: 1000, waitMs: 500, overdueMs: 8000 }

/** Whether the database and the storage can be used, for readiness and metrics, which wait for neither. */
export function watchHealth(metrics: Metrics, writes: WriteHealth, files: FileHealth) {
  // A database whose connections are all in use is reachable.
  const isSlow = (error: unknown) => error instanceof DatabaseBusy
  const database = keepLatest(() => writes.probe(), { ...limits, isSlow })
  const storage = keepLatest(() => files.check(), limits)
  metrics.watchUp('dailies_database_up', 'Whether the database responds and accepts writes.', database)
  metrics.watchUp('dailies_storage_up', 'Whether files can be stored.', storage)
  return { database, storage }
}
