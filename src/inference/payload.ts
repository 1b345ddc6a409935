// An inference request on the wire: that it is queued, and its result. The result is both the response to a request
// that waits and the body of its callback. Pure functions of rows.
import type { InferenceAnswer } from '../contract/inference.ts'
import type { FailReason } from '../contract/tasks/fail-reasons.ts'
import { usdOfCredits } from '../models/prices.ts'
import { fileUrl } from '../storage/files.ts'
import { type TaskRow, videoOf } from '../tasks/store/task-row.ts'
import type { RequestFailure, RequestRow } from './requests.ts'

export function queuedPayload(requestId: string): InferenceAnswer {
  return { request_id: requestId, status: 'queued', inference_status: { status: 'queued', runtime_ms: 0, cost: 0 } }
}

/** As JSON, because the results are stored as JSON and can be large. Null while the request is queued. */
export function requestPayload(request: RequestRow): string | null {
  if (request.state === 'queued') return null
  if (request.state === 'failed') return JSON.stringify(failed(request.id))
  const status = { status: 'succeeded', runtime_ms: request.runtime_ms, cost: request.cost_usd }
  return `{"request_id":${JSON.stringify(request.id)},"inference_status":${JSON.stringify(status)},"results":${request.results}}`
}

/** The same, with the results of embeddings at the top level too: for a client that waited for them. */
export function waitedPayload(request: RequestRow): string | null {
  const end = requestPayload(request)
  if (end === null || request.results === null) return end
  // infer.ts writes `results` with `model` last; what precedes it is repeated unchanged.
  const repeated = request.results.slice(1, request.results.lastIndexOf(',"model":'))
  return `${end.slice(0, -1)},${repeated}}`
}

const failureMessages: Record<RequestFailure, string> = {
  internal: 'An internal error occurred; nothing was charged.',
  canceled: 'The client disconnected before the result was ready; nothing was charged.',
  too_few_credits: 'The credits were used up by other requests before this one ended; nothing was charged.',
}

/** A failed request as it is read again: why it failed is added. */
export function failedRequestPayload(request: RequestRow): InferenceAnswer {
  const reason = request.fail_reason as RequestFailure
  return { ...failed(request.id), error: { reason, message: failureMessages[reason] } }
}

export function failedTaskPayload(task: TaskRow): InferenceAnswer {
  return { ...failed(task.id), error: { reason: task.fail_reason as FailReason, message: task.fail_msg! } }
}

/** `generatingSince`: when an engine last started it. Null while the task has not ended. */
export function taskPayload(task: TaskRow, publicUrl: string, generatingSince: number | null): string | null {
  if (task.state === 'fail') return JSON.stringify(failed(task.id))
  if (task.state !== 'success') return null
  const video = videoOf(task)!
  const runtimeMs = task.completed_at! - (generatingSince ?? task.created_at)
  const payload: InferenceAnswer = {
    request_id: task.id,
    inference_status: {
      status: 'succeeded',
      runtime_ms: Math.max(1, runtimeMs),
      cost: usdOfCredits(task.price),
    },
    results: {
      video_url: fileUrl(publicUrl, video.video),
      thumbnail_url: fileUrl(publicUrl, video.thumbnail),
      seconds: video.seconds,
      model: task.model,
    },
  }
  return JSON.stringify(payload)
}

function failed(requestId: string): InferenceAnswer {
  return { request_id: requestId, inference_status: { status: 'failed', runtime_ms: 0, cost: 0 } }
}
