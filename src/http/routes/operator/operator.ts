// /api/v1/operator/…: what an operator sees and switches at run time.
import { z } from 'zod'
import { findAccount, grantCredits, listAccounts } from '../../../accounts/accounts.ts'
import { disabledFeatures, type Switches, setFeature, setMaintenance } from '../../../accounts/switches.ts'
import { apiError } from '../../../contract/errors.ts'
import type { Db } from '../../../db/db.ts'
import type { EngineStatus } from '../../../engines/fleet/engine-gate.ts'
import type { Catalogue } from '../../../models/catalogue.ts'
import { featureNames } from '../../../models/features.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Queue } from '../../../queue/queue.ts'
import { liveWorkers } from '../../../queue/workers.ts'
import { type Route, route } from '../../server/route.ts'

export interface OperatorDeps {
  db: Db
  clock: Clock
  queue: Queue
  switches: Switches
  catalogue: Catalogue
  engineStatus(): EngineStatus[]
}

const tag = 'Operator'
const access = 'operator'

const featureState = z.object({ name: z.string(), enabled: z.boolean() })
const queueDepth = z.object({ queue: z.string(), waiting: z.int(), running: z.int(), oldestMs: z.int() })
const workerLoad = z.object({
  worker: z.string(),
  queue: z.string(),
  slots: z.int(),
  running: z.int(),
  seenAt: z.int(),
})
const account = z.object({
  id: z.string(),
  name: z.string(),
  balance: z.int(),
  openTasks: z.int(),
  createdAt: z.int(),
})

export function operatorRoutes(deps: OperatorDeps): Route[] {
  const allFeatures = featureNames(deps.catalogue.ids())
  return [
    route({
      method: 'GET',
      path: '/api/v1/operator/status',
      summary: 'Queues, workers, engines, maintenance and features',
      tag,
      access,
      answer: z.object({
        maintenance: z.boolean(),
        queues: z.array(queueDepth),
        workers: z.array(workerLoad),
        engines: z.array(z.looseObject({ name: z.string(), type: z.string(), healthy: z.boolean() })),
        features: z.array(featureState),
      }),
      async handler() {
        const disabled = await disabledFeatures(deps.db)
        return {
          maintenance: deps.switches.maintenance(),
          queues: await deps.queue.depths(),
          workers: await liveWorkers(deps.db, deps.clock.now()),
          engines: deps.engineStatus(),
          features: allFeatures.map((name) => ({ name, enabled: !disabled.has(name) })),
        }
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/operator/maintenance',
      summary: 'Switch maintenance on or off',
      tag,
      access,
      body: z.object({ on: z.boolean() }),
      answer: z.object({ maintenance: z.boolean() }),
      async handler({ body }) {
        await deps.db.transaction((tx) => setMaintenance(tx, body.on, deps.clock.now()))
        return { maintenance: body.on }
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/operator/features',
      summary: 'Switch a feature on or off',
      tag,
      access,
      body: z.object({ name: z.enum(allFeatures as [string, ...string[]]), enabled: z.boolean() }),
      answer: featureState,
      async handler({ body }) {
        await deps.db.transaction((tx) => setFeature(tx, body.name, body.enabled, deps.clock.now()))
        return body
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/operator/accounts',
      summary: 'List accounts',
      tag,
      access,
      answer: z.object({ items: z.array(account) }),
      handler: async () => ({ items: await listAccounts(deps.db) }),
    }),
    route({
      method: 'POST',
      path: '/api/v1/operator/accounts/:name/credit',
      summary: 'Give credits to an account',
      tag,
      access,
      body: z.object({ credits: z.int().min(1).max(1e12) }),
      answer: z.object({ name: z.string(), balance: z.int() }),
      codes: [404],
      async handler({ params, body }) {
        const account = await findAccount(deps.db, params.name!)
        if (!account) throw apiError('no_account')
        const balance = await deps.db.transaction((tx) => grantCredits(tx, account.id, body.credits, deps.clock.now()))
        return { name: account.name, balance }
      },
    }),
  ]
}
