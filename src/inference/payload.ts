// What an inference request says on the wire: that it is queued, and how it ended. The latter is both the answer of a
// request that waits and the body of its callback. Pure functions of rows.

import { creditUsd } from '../models/prices.ts'
import { fileUrl } from '../storage/files.ts'
import type { StoredVideo, TaskRow } from '../tasks/store/task-row.ts'
import type { RequestRow } from './requests.ts'

export interface EndedPayload {
  request_id: string
  inference_status: { status: 'succeeded' | 'failed'; runtime_ms: number; cost: number }
  /** Absent on failure. */
  results?: unknown
}

export interface QueuedPayload {
  request_id: string
  status: 'queued'
  inference_status: { status: 'queued'; runtime_ms: 0; cost: 0 }
}

export function queuedPayload(requestId: string): QueuedPayload {
  return { request_id: requestId, status: 'queued', inference_status: { status: 'queued', runtime_ms: 0, cost: 0 } }
}

/** As JSON, because the results are stored as such and can be large. Null while the request is queued. */
export function requestPayload(request: RequestRow): string | null {
  if (request.state === 'queued') return null
  if (request.state === 'failed') return JSON.stringify(failed(request.id))
  const status = { status: 'succeeded', runtime_ms: request.runtime_ms, cost: request.cost_usd }
  return `{"request_id":${JSON.stringify(request.id)},"inference_status":${JSON.stringify(status)},"results":${request.results}}`
}

/** `generatingSince`: when an engine last began with it. Null while the task has not ended. */
export function taskPayload(task: TaskRow, publicUrl: string, generatingSince: number | null): string | null {
  if (task.state === 'fail') return JSON.stringify(failed(task.id))
  if (task.state !== 'success') return null
  const video = JSON.parse(task.video!) as StoredVideo
  const runtimeMs = task.completed_at! - (generatingSince ?? task.created_at)
  const payload: EndedPayload = {
    request_id: task.id,
    inference_status: {
      status: 'succeeded',
      runtime_ms: Math.max(1, runtimeMs),
      // Prices are whole credits: this is exact to the tenth of a cent.
      cost: Math.round(task.price * creditUsd * 1000) / 1000,
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

function failed(requestId: string): EndedPayload {
  return { request_id: requestId, inference_status: { status: 'failed', runtime_ms: 0, cost: 0 } }
}
