// Chooses the engine of a new task, or the error for a request that no engine can take.
import { type ApiError, apiError } from '../../contract/errors.ts'
import type { Fleet } from '../../engines/fleet/fleet.ts'
import { needsOf } from '../../engines/fleet/routing.ts'
import type { VideoRequest } from '../../models/model.ts'

export interface EngineChoice {
  engine: string
  /** Why no engine can take the request; null when one can. */
  refusal: ApiError | null
}

export function chooseEngine(
  fleet: Pick<Fleet, 'assign' | 'retryAfterS'>,
  model: string,
  request: VideoRequest,
): EngineChoice {
  const assigned = fleet.assign(model, needsOf(request))
  if ('engine' in assigned) return { engine: assigned.engine, refusal: null }
  if (assigned.refusal === 'unsupported') {
    return { engine: '', refusal: apiError('model_cannot', { model, unmet: assigned.unmet }) }
  }
  const retryAfterS = fleet.retryAfterS(assigned.engines)
  return { engine: '', refusal: apiError('generator_unreachable', { model, retryAfterS }) }
}
