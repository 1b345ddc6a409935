// The stored task, and one attempt of it on an engine.
import type { FailReason } from '../../contract/tasks/fail-reasons.ts'
import type { TaskState } from '../../contract/tasks/states.ts'
import type { VideoRequest } from '../../models/model.ts'

export interface TaskRow {
  id: string
  account_id: string
  key_id: string
  parent_id: string | null
  model: string
  engine: string
  state: TaskState
  /** JSON of the accepted body. */
  param: string
  /** JSON of the `VideoRequest` that the body was read as; see `requestOf`. */
  request: string
  /** What searches look through; null: they read the request (see `searchTextOf`). */
  search_text: string | null
  ignored_fields: string
  callback_url: string | null
  /** Created by createTask or through the inference endpoint; decides the form of its callback. */
  via: 'task' | 'inference'
  price: number
  virtual_start: number
  virtual_finish: number
  progress: number
  /** The number of the current or last attempt; 0 before the first. */
  attempt: number
  plan: string | null
  handle: string | null
  video: string | null
  /** JSON of `Understood` (contract/tasks/records.ts): what an engine read from the prompt. */
  understood: string | null
  /** JSON of `DeliveredVideo` (contract/tasks/records.ts). */
  delivered: string | null
  fail_code: string | null
  fail_reason: string | null
  fail_msg: string | null
  created_at: number
  updated_at: number
  state_at: number
  /** When its input files were stored. */
  queued_at: number | null
  completed_at: number | null
  expires_at: number | null
  /** The W3C trace context that its spans belong to; null when tracing is off. */
  traceparent: string | null
}

export const requestOf = (task: Pick<TaskRow, 'request'>) => JSON.parse(task.request) as VideoRequest

/** The stored data of a finished video; URLs are built when the record is read. */
export interface StoredVideo {
  id: string
  video: { token: string; name: string }
  thumbnail: { token: string; name: string }
  lastFrame: { token: string; name: string }
  /** How the camera moves on the last frame, where the engine reported it. */
  momentum?: Record<string, number>
  /** The last frame with what is around it, and where the last frame lies in it, where the engine made one. */
  wideFrame?: { token: string; name: string; area: { x: number; y: number; width: number; height: number } }
  width: number
  height: number
  seconds: number
}

export const videoOf = (task: Pick<TaskRow, 'video'>) =>
  task.video === null ? null : (JSON.parse(task.video) as StoredVideo)

/** The tokens of its files. */
export const fileTokensOf = ({ video, thumbnail, lastFrame, wideFrame }: StoredVideo) =>
  [video, thumbnail, lastFrame, ...(wideFrame ? [wideFrame] : [])].map(({ token }) => token)

/** Why a task failed. The reasons and their codes are in contract/tasks/fail-reasons.ts. */
export interface TaskFailure {
  reason: FailReason
  /** Says what was found and what is allowed; shown to the client. */
  message: string
}

/** The outcome of an attempt. `task_ended`: the task was canceled or failed for another reason meanwhile. */
export type Outcome =
  | 'succeeded'
  | 'failed'
  | 'unavailable'
  | 'silent'
  | 'worker_crashed'
  | 'worker_stopped'
  | 'task_ended'

export interface AttemptRow {
  task_id: string
  number: number
  engine: string
  worker: string
  claim: string
  started_at: number
  ended_at: number | null
  outcome: Outcome | null
  reason: string | null
}
