// /api/v1/operator/…: status and switches for operators, and what all routes for operators have in common.
import { disabledFeatures, type Switches, setFeature, setMaintenance } from '../../../accounts/switches.ts'
import {
  type EngineStatus,
  engineHistoryList,
  engineHistoryQuery,
  featureBody,
  featureState,
  maintenanceBody,
  maintenanceState,
  operatorStatus,
} from '../../../contract/operator.ts'
import type { Db } from '../../../db/db.ts'
import type { Catalogue } from '../../../models/catalogue.ts'
import { featureNames } from '../../../models/features.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Queue } from '../../../queue/queue.ts'
import { liveWorkers } from '../../../queue/workers.ts'
import { readEngineHistory } from '../../../tasks/reports/engine-history.ts'
import { type Route, route } from '../../route.ts'
import { requestActor } from '../../server/guard.ts'

export interface OperatorDeps {
  db: Db
  clock: Clock
  queue: Queue
  switches: Switches
  catalogue: Catalogue
  engineStatus(): EngineStatus[]
}

/** What the routes for operators have in common. */
export const operator = { tag: 'Operator', access: 'operator', scope: 'operator' } as const

export function operatorRoutes(deps: OperatorDeps): Route[] {
  const allFeatures = featureNames(deps.catalogue.ids())
  return [
    route({
      endpoint: 'GET /api/v1/operator/status',
      operationId: 'getOperatorStatus',
      summary: 'Queues, workers, engines, maintenance and features',
      description: 'Workers are processes that have reported within the last 20 seconds.',
      ...operator,
      answer: operatorStatus,
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
      endpoint: 'GET /api/v1/operator/engines/history',
      operationId: 'getEngineHistory',
      summary: 'How engines did, hour by hour',
      description:
        'Attempts by engine and hour, how many succeeded, and their median time. Attempts that ended because their worker crashed or their task was canceled or refused for its input do not count. Of each hour, at most 1000 attempts are read.',
      ...operator,
      query: engineHistoryQuery,
      answer: engineHistoryList,
      handler: async ({ query }) => ({ items: await readEngineHistory(deps.db, query.hours, deps.clock.now()) }),
    }),
    route({
      endpoint: 'POST /api/v1/operator/maintenance',
      operationId: 'setMaintenance',
      summary: 'Switch maintenance on or off',
      description:
        'While it is on, requests that create work are refused with 455. Running tasks finish. Every process follows within a second.',
      ...operator,
      body: maintenanceBody,
      answer: maintenanceState,
      async handler({ body, request }) {
        await deps.db.transaction((tx) => setMaintenance(tx, requestActor(request), body.on, deps.clock.now()))
        return { maintenance: body.on }
      },
    }),
    route({
      endpoint: 'POST /api/v1/operator/features',
      operationId: 'setFeature',
      summary: 'Enable or disable a feature',
      description: 'Requests that need a disabled feature are refused with 505. Every process follows within a second.',
      ...operator,
      body: featureBody(allFeatures),
      answer: featureState,
      async handler({ body, request }) {
        const by = requestActor(request)
        await deps.db.transaction((tx) => setFeature(tx, by, body.name, body.enabled, deps.clock.now()))
        return body
      },
    }),
  ]
}
