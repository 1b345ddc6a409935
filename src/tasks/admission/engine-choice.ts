// Chooses the engine of a new task, or the error for a request that no engine can take; and sums what an engine was
// given.

import { type ApiError, apiError } from '../../contract/errors.ts'
import type { Sql } from '../../db/db.ts'
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

/** The total price of the tasks that an engine runs, or has finished, since then. */
export async function engineCreditsSince(sql: Sql, engine: string, sinceMs: number): Promise<number> {
  // Two queries, each matching an index: one of unfinished tasks, one of ended tasks by their end.
  const row = await sql.one<{ credits: number }>(
    `select (select coalesce(sum(price), 0) from tasks
             where completed_at is null and engine = ? and state = 'generating' and state_at >= ?)
          + (select coalesce(sum(price), 0) from tasks
             where completed_at >= ? and engine = ? and state = 'success') as credits`,
    [engine, sinceMs, sinceMs, engine],
  )
  return row!.credits
}
