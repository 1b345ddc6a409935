// Submits a request for a video from any route, createTask, extend or inference: chooses its engine, prices it, and says
// how an admitted task is stored.
import type { Principal } from '../accounts/keys/authenticate.ts'
import { latestVirtualFinish } from '../accounts/locked-balances.ts'
import type { Admission, Admitted } from '../admission/admission.ts'
import type { Idempotency } from '../admission/idempotency.ts'
import type { Accepted, Admittable } from '../admission/submission.ts'
import { type ApiError, apiError } from '../contract/errors.ts'
import type { Fleet } from '../engines/fleet/fleet.ts'
import { needsOf } from '../engines/fleet/routing.ts'
import type { CreateTask } from '../models/catalogue.ts'
import { featuresOf } from '../models/features.ts'
import type { VideoRequest } from '../models/model.ts'
import { type Prices, priceOf } from '../models/prices.ts'
import { insertTasks, isTaskStored, searchTextOf, virtualStartOfFirstWaiting } from './store/store.ts'
import { prepareQueue } from './store/task-jobs.ts'
import type { TaskRow } from './store/task-row.ts'

/** A parsed creation with what its route adds. */
export interface NewTask extends CreateTask {
  idempotency: Idempotency | null
  /** The task that this one extends. */
  parentId?: string
  via?: TaskRow['via']
  /** Features that must be enabled, in addition to those that the request itself needs. */
  features?: string[]
  /** The trace that the task belongs to. */
  traceparent?: string
}

/** Rejects with an ApiError when the task is refused. */
export type SubmitTask = (caller: Principal, task: NewTask) => Promise<Admitted>

/** The columns of a task's row that its request decides. */
export type TaskDetails = Pick<
  TaskRow,
  'parent_id' | 'model' | 'engine' | 'param' | 'request' | 'search_text' | 'ignored_fields' | 'via' | 'traceparent'
>

export function createSubmitTask(deps: {
  admission: Pick<Admission, 'submit'>
  prices: Prices
  fleet: Fleet
}): SubmitTask {
  return (caller, task) => {
    const { model, request, callBackUrl, idempotency } = task
    const { engine, refusal } = chooseEngine(deps.fleet, model.id, request)
    return deps.admission.submit({
      kind: tasks,
      accountId: caller.accountId,
      keyId: caller.keyId,
      price: priceOf(request, model, deps.prices),
      features: [...(task.features ?? []), ...featuresOf(request, model.id)],
      callBackUrl,
      idempotency,
      refusal,
      details: {
        parent_id: task.parentId ?? null,
        model: model.id,
        engine,
        param: JSON.stringify(task.body),
        request: JSON.stringify(request),
        search_text: searchTextOf(request),
        ignored_fields: JSON.stringify(task.ignoredFields),
        via: task.via ?? 'task',
        traceparent: task.traceparent ?? null,
      },
    })
  }
}

interface EngineChoice {
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

/** Tasks as work that can be admitted. */
export const tasks: Admittable<TaskDetails> = {
  name: 'task',
  async store(tx, accepted) {
    await insertTasks(tx, accepted.map(rowOf))
    return accepted.map(({ id, accountId, keyId, virtualFinish }) => ({
      queue: prepareQueue,
      subject: id,
      // The slow input files of one sub-key must not delay the tasks of another.
      group: keyId,
      owner: accountId,
      order: virtualFinish,
    }))
  },
  isStored: isTaskStored,
  /** The virtual start of the first waiting task; if none waits, the virtual finish of the last admitted one. */
  virtualNow: async (tx) => (await virtualStartOfFirstWaiting(tx)) ?? (await latestVirtualFinish(tx)),
}

function rowOf({ id, createdAt, details, ...accepted }: Accepted<TaskDetails>) {
  return {
    ...details,
    id,
    account_id: accepted.accountId,
    key_id: accepted.keyId,
    state: 'wait',
    callback_url: accepted.callBackUrl,
    price: accepted.price,
    virtual_start: accepted.virtualStart,
    virtual_finish: accepted.virtualFinish,
    progress: 0,
    attempt: 0,
    created_at: createdAt,
    updated_at: createdAt,
    state_at: createdAt,
  }
}
