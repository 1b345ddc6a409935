// Submits a request for a video from any route: createTask, extend or inference.
import type { Principal } from '../../accounts/keys/authenticate.ts'
import type { Admission } from '../../admission/admission.ts'
import type { Idempotency } from '../../admission/idempotency.ts'
import { featuresOf } from '../../models/features.ts'
import type { VideoModel, VideoOrder } from '../../models/model.ts'
import { type Prices, priceOf } from '../../models/prices.ts'
import type { EngineChoice } from './engine-choice.ts'
import { taskKind } from './task-kind.ts'

export interface VideoRequest {
  model: VideoModel
  order: VideoOrder
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
  /** See `Submission`. */
  waitForAnswerMs?: number
}

/** Returns the task's id; rejects with an ApiError when it is refused. */
export type SubmitTask = (caller: Principal, request: VideoRequest) => Promise<string>

export interface SubmitDeps {
  admission: Pick<Admission, 'submit'>
  prices: Prices
  /** Which engine takes a request, or why none does. */
  engineFor(model: string, order: VideoOrder): EngineChoice
}

export function createSubmitTask(deps: SubmitDeps): SubmitTask {
  return (caller, request) => {
    const { model, order, callBackUrl, idempotency } = request
    const { engine, refusal } = deps.engineFor(model.id, order)
    return deps.admission.submit({
      kind: taskKind,
      accountId: caller.accountId,
      keyId: caller.keyId,
      price: priceOf(order, model, deps.prices),
      features: [...(request.features ?? []), ...featuresOf(order, model.id)],
      callBackUrl,
      idempotency,
      refusal,
      waitForAnswerMs: request.waitForAnswerMs ?? 0,
      details: {
        parentId: request.parentId ?? null,
        model: model.id,
        engine,
        param: JSON.stringify(request.body),
        videoOrder: JSON.stringify(order),
        ignoredFields: request.ignoredFields,
        ...(request.via ? { via: request.via } : {}),
      },
    })
  }
}
