// What an operator reads and does about queues, and about the processes that serve them.
import { z } from 'zod'
import { epochMs } from '../schema/wire-types.ts'
import { countedJobsMax, queueDepth, workerLoad } from './operator.ts'

const depths = queueDepth.shape
const { queue } = depths

export const queueState = z
  .object({
    ...depths,
    kind: z
      .string()
      .meta({ description: 'What its jobs do: `prepare`, `generate`, `deliver` or `infer`.', examples: ['prepare'] }),
    paused: z.boolean().meta({ description: 'No process claims its jobs.', examples: [false] }),
    workers: z.int().meta({ description: 'Live workers that serve it.', examples: [1] }),
  })
  .meta({ id: 'QueueState' })

const queueKind = z.object({
  kind: z.string().meta({ examples: ['prepare'] }),
  waiting: depths.waiting,
  later: depths.later,
  running: depths.running,
  oldestMs: depths.oldestMs,
})

export const workerProcess = z
  .object({
    worker: workerLoad.shape.worker,
    host: z.string().meta({ examples: ['host-1'] }),
    pid: z.int().meta({ examples: [4711] }),
    role: z
      .enum(['server', 'worker'])
      .nullable()
      .meta({ description: '`server`: it serves requests too.', examples: ['worker'] }),
    release: z
      .string()
      .nullable()
      .meta({ examples: ['1.0.0'] }),
    seenAt: epochMs().meta({ description: 'Its last heartbeat, in epoch milliseconds.' }),
    queues: z.array(workerLoad.pick({ queue: true, slots: true, running: true })),
  })
  .meta({ id: 'WorkerProcess', description: 'A process that has sent a heartbeat within the last 20 seconds.' })

export const throughputMinute = z.object({
  minute: epochMs().meta({ description: 'Its start, in epoch milliseconds.' }),
  created: z.int().meta({ examples: [120] }),
  succeeded: z.int().meta({ examples: [118] }),
  failed: z.int().meta({ examples: [1] }),
})

export const operatorQueues = z
  .object({
    queues: z.array(queueState),
    kinds: z.array(queueKind).meta({ description: 'The same, summed up by kind.' }),
    workers: z.array(workerProcess),
    disk: z
      .object({ freeBytes: z.int(), totalBytes: z.int() })
      .nullable()
      .meta({
        description: 'Where the responding process keeps its data folder.',
        examples: [{ freeBytes: 81_604_378_624, totalBytes: 107_374_182_400 }],
      }),
    eventLoopLagMs: z.int().meta({
      description: 'The longest delay of the event loop of the responding process within the last minute.',
      examples: [12],
    }),
    storage: z.enum(['up', 'down']),
    throughput: z.array(throughputMinute).meta({
      description: `Tasks by minute, for the last 60 minutes, oldest first; each number is counted up to ${countedJobsMax}.`,
    }),
  })
  .meta({ id: 'OperatorQueues' })

const pausable = (paused: boolean) => z.object({ queue, paused: z.boolean().meta({ examples: [paused] }) })
export const pausedQueue = pausable(true)
export const resumedQueue = pausable(false)
export const retriedQueue = z.object({
  queue,
  retried: z.int().meta({ description: 'How many jobs waited for a later time and are due now.', examples: [12] }),
})

export type QueueState = z.output<typeof queueState>
export type WorkerProcess = z.output<typeof workerProcess>
export type ThroughputMinute = z.output<typeof throughputMinute>
