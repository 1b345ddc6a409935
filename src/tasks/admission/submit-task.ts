// Submits a request for a video from any route: createTask, extend or inference.
import type { Principal } from '../../accounts/keys/authenticate.ts'
import type { Admission, Admitted } from '../../admission/admission.ts'
import type { Idempotency } from '../../admission/idempotency.ts'
import { featuresOf } from '../../models/features.ts'
import type { VideoModel, VideoRequest } from '../../models/model.ts'
import { type Prices, priceOf } from '../../models/prices.ts'
import { searchTextOf } from '../store/store.ts'
import type { EngineChoice } from './engine-choice.ts'
import { taskKind } from './task-kind.ts'

export interface TaskSubmission {
  model: VideoModel
  request: VideoRequest
  /** The accepted body. */
  body: unknown
  ignoredFields: string[]
  callBackUrl: string | null
  idempotency: Idempotency | null
  /** The task that this one extends. */
  parentId?: string
  via?: 'inference'
  /** Features that must be enabled, in addition to those that the request itself needs. */
  features?: string[]
  /** The trace that the task belongs to. */
  traceparent?: string
}

/** Rejects with an ApiError when the task is refused. */
export type SubmitTask = (caller: Principal, submission: TaskSubmission) => Promise<Admitted>

interface SubmitDeps {
  admission: Pick<Admission, 'submit'>
  prices: Prices
  /** Which engine takes a request, or why none does. */
  engineFor(model: string, request: VideoRequest): EngineChoice
}

export function createSubmitTask(deps: SubmitDeps): SubmitTask {
  return (caller, submission) => {
    const { model, request, callBackUrl, idempotency } = submission
    const { engine, refusal } = deps.engineFor(model.id, request)
    return deps.admission.submit({
      kind: taskKind,
      accountId: caller.accountId,
      keyId: caller.keyId,
      price: priceOf(request, model, deps.prices),
      features: [...(submission.features ?? []), ...featuresOf(request, model.id)],
      callBackUrl,
      idempotency,
      refusal,
      details: {
        parentId: submission.parentId ?? null,
        model: model.id,
        engine,
        param: JSON.stringify(submission.body),
        videoRequest: JSON.stringify(request),
        searchText: searchTextOf(request),
        ignoredFields: submission.ignoredFields,
        ...(submission.via ? { via: submission.via } : {}),
        ...(submission.traceparent ? { traceparent: submission.traceparent } : {}),
      },
    })
  }
}
