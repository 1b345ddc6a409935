// What an operator reads and switches at run time.
import { z } from 'zod'
import { epochMs } from '../schema/wire-types.ts'
import { account } from './accounts.ts'

/** Switches besides the ids of the models. */
export const featureNames = [
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
    name: z.string().meta({ description: `A model id, or one of ${featureNames.join(', ')}.` }),
    enabled: z.boolean(),
  })
  .meta({ id: 'FeatureState' })

export const queueDepth = z
  .object({
    queue: z.string(),
    waiting: z.int(),
    running: z.int(),
    oldestMs: z.int().meta({ description: 'How long the oldest waiting job has been due, in milliseconds.' }),
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
    retryAt: epochMs().nullable().meta({ description: 'When it is tried again; null while it is healthy.' }),
    lastProblem: z.string().nullable().meta({ description: 'The latest failure that counted against its health.' }),
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

export const maintenanceBody = z.object({ on: z.boolean() })
export const maintenanceState = z.object({ maintenance: z.boolean() })
export const featureBody = (names: readonly string[]) =>
  z.object({ name: z.enum(names as [string, ...string[]]), enabled: z.boolean() })

export const accountList = z.object({ items: z.array(account) })

export type QueueDepth = z.output<typeof queueDepth>
export type WorkerLoad = z.output<typeof workerLoad>
export type EngineStatus = z.output<typeof engineStatus>
