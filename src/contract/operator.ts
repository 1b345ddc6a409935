// What an operator reads and switches at run time.
import { z } from 'zod'
import { epochMs } from '../schema/wire-types.ts'
import { account } from './accounts.ts'
import { lookupText, pageOf, wholeNumberParam } from './page.ts'
import { taskRecord } from './tasks/records.ts'
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
  .meta({ id: 'FeatureState' })

/** Waiting jobs of a queue are counted up to this number, because counting takes time. */
export const countedJobsMax = 10_000

export const queueDepth = z
  .object({
    queue: z.string(),
    waiting: z.int().meta({ description: `Counted up to ${countedJobsMax}.` }),
    later: z.int().meta({ description: 'How many of these wait for a later time, such as a retry.' }),
    running: z.int(),
    oldestMs: z.int().meta({
      description: `How long the oldest waiting job has been due, in milliseconds; of the next ${countedJobsMax} at most.`,
    }),
  })
  .meta({ id: 'QueueDepth' })

export const workerLoad = z
  .object({ worker: z.string(), queue: z.string(), slots: z.int(), running: z.int(), seenAt: epochMs() })
  .meta({ id: 'WorkerLoad', description: 'One queue of one process.' })

export const engineStatus = z
  .object({
    name: z.string(),
    type: z.string(),
    healthy: z.boolean(),
    slots: z.int(),
    failures: z.int(),
    retryAt: epochMs().nullable().meta({ description: 'When it is probed again; null while it is healthy.' }),
    lastProblem: z.string().nullable().meta({ description: 'The latest failure that counted against its health.' }),
    busy: z.string().nullable().meta({
      description: 'What the generator said when it refused a task for now; null once it has taken one.',
    }),
  })
  .meta({ id: 'EngineStatus' })

export const operatorStatus = z
  .object({
    maintenance: z.boolean(),
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
  .meta({ id: 'ServiceStatus' })

export const engineHistory = z
  .object({
    engine: z.string(),
    hours: z
      .array(
        z.object({
          hour: epochMs().meta({ description: 'The start of the hour, in epoch milliseconds.' }),
          attempts: z.int().meta({ description: 'Attempts that succeeded or that the engine failed.' }),
          succeeded: z.int(),
          p50Ms: z.int().nullable().meta({ description: 'Median milliseconds of those that succeeded.' }),
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
  .meta({ id: 'OperatorTask' })
export const operatorTaskPage = pageOf(operatorTask)

export const maintenanceBody = z.object({ on: z.boolean() })
export const maintenanceState = z.object({ maintenance: z.boolean() })
export const featureBody = (names: readonly string[]) =>
  z.object({ name: z.enum(names as [string, ...string[]]), enabled: z.boolean() })

export const accountPage = pageOf(account)

export type QueueDepth = z.output<typeof queueDepth>
export type WorkerLoad = z.output<typeof workerLoad>
export type EngineHistory = z.output<typeof engineHistory>
export type EngineStatus = z.output<typeof engineStatus>
