// Every route for operators but the list of all tasks, which needs what task records need. A server serves them, and so
// does the command line to itself.
import type { Route } from '../../route.ts'
import { accountKeyRoutes } from './account-keys.ts'
import { type AccountRouteDeps, accountRoutes } from './accounts.ts'
import { allRecordRoutes } from './all-records.ts'
import { auditRoute } from './audit.ts'
import { type OperatorDeps, operatorRoutes } from './operator.ts'
import { type QueueRouteDeps, queueRoutes } from './queues.ts'

export type OperatorRouteDeps = OperatorDeps & AccountRouteDeps & QueueRouteDeps

export const allOperatorRoutes = (deps: OperatorRouteDeps): Route[] => [
  ...operatorRoutes(deps),
  ...queueRoutes(deps),
  ...accountRoutes(deps),
  ...accountKeyRoutes(deps),
  ...allRecordRoutes(deps),
  auditRoute(deps),
]
