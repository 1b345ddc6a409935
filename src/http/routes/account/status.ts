// GET /api/v1/status: what the service accepts at the moment, for every key.
import type { Switches } from '../../../accounts/switches.ts'
import { serviceStatus } from '../../../contract/operator.ts'
import type { Catalogue } from '../../../models/catalogue.ts'
import { featureNames } from '../../../models/features.ts'
import { type Route, route } from '../../route.ts'

interface StatusDeps {
  switches: Switches
  catalogue: Catalogue
}

export function statusRoute({ switches, catalogue }: StatusDeps): Route {
  const features = featureNames(catalogue.ids())
  return route({
    endpoint: 'GET /api/v1/status',
    operationId: 'getStatus',
    summary: 'Read whether the service is under maintenance and which features are off',
    description: 'Lets a client check before it sends work. Any key may read it.',
    tag: 'Account',
    access: 'key',
    scope: 'any',
    answer: serviceStatus,
    handler: async () => ({
      maintenance: switches.maintenance(),
      disabledFeatures: features.filter((name) => !switches.featureEnabled(name)),
    }),
  })
}
