// What an operator reads and does about queues, and about the processes that serve them.
import { z } from 'zod'
import { epochMs } from '../schema/wire-types.ts'
import { countedJobsMax, queueDepth, workerLoad } from './operator.ts'

const depths = queueDepth.shape

export const queueState = z
  .object({
    ...depths,
    kind: z.string().meta({ description: 'What its jobs do: `prepare`, `generate`, `deliver` or `infer`.' }),
    paused: z.boolean().meta({ description: 'No process claims its jobs.' }),
    workers: z.int().meta({ description: 'Live workers that serve it.' }),
  })
  .meta({ id: 'QueueState' })

const queueKind = z.object({
  kind: z.string(),
  waiting: depths.waiting,
  later: depths.later,
  running: depths.running,
  oldestMs: depths.oldestMs,
})

export const workerProcess = z
  .object({
    worker: z.string(),
    host: z.string(),
    pid: z.int(),
    role: z.enum(['server', 'worker']).nullable().meta({ description: '`server`: it serves requests too.' }),
    release: z.string().nullable(),
    seenAt: epochMs().meta({ description: 'Its last heartbeat, in epoch milliseconds.' }),
    queues: z.array(workerLoad.pick({ queue: true, slots: true, running: true })),
  })
  .meta({ id: 'WorkerProcess', description: 'A process that has sent a heartbeat within the last 20 seconds.' })

export const throughputMinute = z.object({
  minute: epochMs().meta({ description: 'Its start, in epoch milliseconds.' }),
  created: z.int(),
  succeeded: z.int(),
  failed: z.int(),
})

export const operatorQueues = z
  .object({
    queues: z.array(queueState),
    kinds: z.array(queueKind).meta({ description: 'The same, summed up by kind.' }),
    workers: z.array(workerProcess),
    disk: z
      .object({ freeBytes: z.int(), totalBytes: z.int() })
      .nullable()
      .meta({ description: 'Where the responding process keeps its data folder.' }),
    eventLoopLagMs: z
      .int()
      .meta({ description: 'The longest delay of the event loop of the responding process within the last minute.' }),
    storage: z.enum(['up', 'down']),
    throughput: z.array(throughputMinute).meta({
      description: `Tasks by minute, for the last 60 minutes, oldest first; each number is counted up to ${countedJobsMax}.`,
    }),
  })
  .meta({ id: 'OperatorQueues' })

export const pausedQueue = z.object({ queue: z.string(), paused: z.boolean() })
export const retriedQueue = z.object({
  queue: z.string(),
  retried: z.int().meta({ description: 'How many jobs waited for a later time and are due now.' }),
})

export type QueueState = z.output<typeof queueState>
export type WorkerProcess = z.output<typeof workerProcess>
export type ThroughputMinute = z.output<typeof throughputMinute>
