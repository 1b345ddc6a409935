// What an operator reads and switches at run time.
import { z } from 'zod'
import { epochMs } from '../schema/wire-types.ts'
import { account } from './accounts.ts'
import { example } from './example-values.ts'
import { lookupText, pageOf, wholeNumberParam } from './page.ts'
import { exampleRecord, taskRecord } from './tasks/records.ts'
import { listTasksQuery } from './tasks/tasks.ts'

/** The features that do not depend on which models are served; each model's id is one too. */
export const commonFeatures = [
  '1080p',
  '4k',
  'audio',
  'elements',
  'multi_shots',
  'last_frame',
  'extend',
  'uploads',
  'inference',
] as const

export const featureState = z
  .object({
    name: z.string().meta({ description: `A model id, or one of ${commonFeatures.join(', ')}.` }),
    enabled: z.boolean(),
  })
  .meta({ id: 'FeatureState', examples: [{ name: '4k', enabled: false }] })

/** Waiting jobs of a queue are counted up to this number, because counting takes time. */
export const countedJobsMax = 10_000

export const queueDepth = z
  .object({
    queue: z.string().meta({ examples: ['prepare'] }),
    waiting: z.int().meta({ description: `Counted up to ${countedJobsMax}.`, examples: [3] }),
    later: z.int().meta({ description: 'How many of these wait for a later time, such as a retry.', examples: [1] }),
    running: z.int().meta({ examples: [2] }),
    oldestMs: z.int().meta({
      examples: [40],
      description: `How long the oldest waiting job has been due, in milliseconds; of the next ${countedJobsMax} at most.`,
    }),
  })
  .meta({ id: 'QueueDepth' })

export const workerLoad = z
  .object({
    worker: z.string().meta({ examples: ['host-1:4711'] }),
    queue: z.string().meta({ examples: ['generate:studio'] }),
    slots: z.int().meta({ examples: [2] }),
    running: z.int().meta({ examples: [1] }),
    seenAt: epochMs(),
  })
  .meta({ id: 'WorkerLoad', description: 'One queue of one process.' })

export const engineStatus = z
  .object({
    name: z.string().meta({ examples: ['studio'] }),
    type: z.string().meta({ examples: ['studio'] }),
    healthy: z.boolean().meta({ examples: [true] }),
    slots: z.int().meta({ examples: [2] }),
    failures: z.int().meta({ examples: [0] }),
    retryAt: epochMs().nullable().meta({ description: 'When it is probed again; null while it is healthy.' }),
    lastProblem: z.string().nullable().meta({ description: 'The latest failure that counted against its health.' }),
    busy: z.string().nullable().meta({
      description: 'What the generator said when it refused a task for now; null once it has taken one.',
    }),
  })
  .meta({ id: 'EngineStatus' })

export const operatorStatus = z
  .object({
    maintenance: z.boolean().meta({ examples: [false] }),
    queues: z.array(queueDepth),
    workers: z.array(workerLoad),
    engines: z.array(engineStatus),
    features: z.array(featureState),
  })
  .meta({ id: 'OperatorStatus' })

export const serviceStatus = z
  .object({
    maintenance: z.boolean().meta({ description: 'Whether requests that create work are refused with 455.' }),
    disabledFeatures: z
      .array(z.string())
      .meta({ description: 'Requests that need one of these are refused with 505.' }),
  })
  .meta({ id: 'ServiceStatus', examples: [{ maintenance: false, disabledFeatures: ['4k'] }] })

export const engineHistory = z
  .object({
    engine: z.string().meta({ examples: ['studio'] }),
    hours: z
      .array(
        z.object({
          hour: epochMs().meta({ description: 'The start of the hour, in epoch milliseconds.' }),
          attempts: z
            .int()
            .meta({ description: 'Attempts that succeeded or that the engine failed.', examples: [120] }),
          succeeded: z.int().meta({ examples: [119] }),
          p50Ms: z
            .int()
            .nullable()
            .meta({ description: 'Median milliseconds of those that succeeded.', examples: [21_150] }),
        }),
      )
      .meta({ description: 'Oldest first; hours without attempts are left out.' }),
  })
  .meta({ id: 'EngineHistory' })

export const engineHistoryQuery = z.object({
  hours: wholeNumberParam(1, 168).default(24).meta({ description: '1 to 168, the current hour included.' }),
})
export const engineHistoryList = z.object({ items: z.array(engineHistory) })

export const listAllTasksQuery = listTasksQuery
  .omit({ key: true })
  .extend({ account: lookupText.optional().meta({ description: 'Only tasks of this account, by its name.' }) })

export const operatorTask = taskRecord
  .extend({ account: z.string().meta({ description: 'The name of the account.' }), keyId: z.string() })
  .meta({ id: 'OperatorTask', examples: [{ ...exampleRecord, account: 'studio', keyId: example.keyId }] })
export const operatorTaskPage = pageOf(operatorTask)

export const maintenanceBody = z.object({ on: z.boolean().meta({ examples: [true] }) })
export const maintenanceState = z.object({ maintenance: z.boolean().meta({ examples: [true] }) })
export const featureBody = (names: readonly string[]) =>
  z
    .object({ name: z.enum(names as [string, ...string[]]), enabled: z.boolean() })
    .meta({ examples: [{ name: '4k', enabled: false }] })

export const accountPage = pageOf(account)

export type QueueDepth = z.output<typeof queueDepth>
export type WorkerLoad = z.output<typeof workerLoad>
export type EngineHistory = z.output<typeof engineHistory>
export type EngineStatus = z.output<typeof engineStatus>
