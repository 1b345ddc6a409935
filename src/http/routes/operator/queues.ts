// /api/v1/operator/queues: waiting and running jobs, the workers that serve them, and pausing, resuming and retrying a queue.
import { pausedQueues, setQueuePaused } from '../../../accounts/switches.ts'
import { recordAct } from '../../../audit/audit.ts'
import { apiError } from '../../../contract/errors.ts'
import {
  operatorQueues,
  pausedQueue,
  resumedQueue,
  retriedQueue,
  type ThroughputMinute,
} from '../../../contract/operator-queues.ts'
import type { Db } from '../../../db/db.ts'
import { inferQueue } from '../../../inference/requests.ts'
import type { Clock } from '../../../platform/clock.ts'
import { drain } from '../../../platform/drain.ts'
import type { LoopLag } from '../../../platform/loops/lag.ts'
import type { Latest } from '../../../platform/loops/latest.ts'
import { queueKinds, queueStates } from '../../../queue/depths.ts'
import type { Queue } from '../../../queue/queue.ts'
import { listWorkers } from '../../../queue/workers.ts'
import { diskOf } from '../../../storage/disk.ts'
import { generateQueue, prepareQueue } from '../../../tasks/store/task-jobs.ts'
import { deliverQueues } from '../../../webhooks/deliveries.ts'
import { type Route, route } from '../../route.ts'
import { requestActor } from '../../server/guard.ts'
import { operator } from './operator.ts'

export interface QueueRouteDeps {
  db: Db
  clock: Clock
  queue: Queue
  dataDir: string
  /** The queues of this configuration. */
  queues(): string[]
  throughput(nowMs: number): Promise<ThroughputMinute[]>
  /** Whether files can be stored. */
  storage: Pick<Latest<unknown>, 'refresh' | 'isUp'>
  loopLag: Pick<LoopLag, 'longestMs'>
  stopping: AbortSignal
}

/** The queues of a configuration with these engines. */
export const queuesWith = (engines: readonly string[]): string[] => [
  ...[prepareQueue, inferQueue, ...Object.values(deliverQueues)],
  ...engines.map(generateQueue),
]

/** Jobs that one statement makes due. */
const retriedAtOnce = 1000

export function queueRoutes(deps: QueueRouteDeps): Route[] {
  const { db, clock } = deps

  async function states() {
    const [depths, workers, paused] = await Promise.all([
      deps.queue.depths(),
      listWorkers(db, clock.now()),
      pausedQueues(db),
    ])
    return { workers, queues: queueStates({ depths, workers, paused, configured: deps.queues() }) }
  }

  async function known(name: string): Promise<string> {
    if (deps.queues().includes(name)) return name
    const { queues } = await states()
    if (!queues.some(({ queue }) => queue === name)) throw apiError('no_queue')
    return name
  }

  return [
    route({
      endpoint: 'GET /api/v1/operator/queues',
      operationId: 'getOperatorQueues',
      summary: 'Queues, the workers that serve them, and throughput',
      description:
        'What waits and runs in every queue, the processes that serve them, and the state of the responding process. A queue with waiting jobs and no workers is served by no process.',
      ...operator,
      answer: operatorQueues,
      async handler() {
        const [{ workers, queues }, throughput, disk] = await Promise.all([
          states(),
          deps.throughput(clock.now()),
          diskOf(deps.dataDir),
          deps.storage.refresh(),
        ])
        return {
          queues,
          kinds: queueKinds(queues),
          workers,
          disk,
          eventLoopLagMs: deps.loopLag.longestMs(),
          storage: deps.storage.isUp ? ('up' as const) : ('down' as const),
          throughput,
        }
      },
    }),
    ...([true, false] as const).map((paused) =>
      route({
        endpoint: `POST /api/v1/operator/queues/:name/${paused ? 'pause' : 'resume'}`,
        operationId: paused ? 'pauseQueue' : 'resumeQueue',
        summary: paused ? 'Pause a queue' : 'Resume a paused queue',
        description: paused
          ? 'No process claims its jobs from then on; running ones finish. Every process follows within a second.'
          : 'Every process claims its jobs again within a second.',
        ...operator,
        answer: paused ? pausedQueue : resumedQueue,
        async handler({ params, request }) {
          const queue = await known(params.name!)
          await db.transaction((tx) => setQueuePaused(tx, requestActor(request), queue, paused, clock.now()))
          return { queue, paused }
        },
      }),
    ),
    route({
      endpoint: 'POST /api/v1/operator/queues/:name/retry',
      operationId: 'retryQueue',
      summary: 'Retry a queue now',
      description: 'Its jobs that wait for a later time, such as a retry, become due now.',
      ...operator,
      answer: retriedQueue,
      async handler({ params, request }) {
        const queue = await known(params.name!)
        const limits = { batchMax: retriedAtOnce, signal: deps.stopping }
        const retried = await drain(() => deps.queue.makeDelayedDue(queue, retriedAtOnce), limits)
        const act = { action: 'queue.retry', target: queue, before: null, after: { retried } } as const
        await db.transaction((tx) => recordAct(tx, requestActor(request), act, clock.now()))
        return { queue, retried }
      },
    }),
  ]
}
