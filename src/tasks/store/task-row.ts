// A task as it is stored.
import type { TaskState } from '../../contract/task-states.ts'

export interface TaskRow {
  id: string
  account_id: string
  key_id: string
  parent_id: string | null
  model: string
  engine: string
  state: TaskState
  param: string
  video_order: string
  ignored_fields: string
  call_back_url: string | null
  /** Asked for by createTask or through the inference endpoint: decides how its end is told. */
  via: 'task' | 'inference'
  price: number
  virtual_start: number
  virtual_finish: number
  progress: number
  attempt: number
  plan: string | null
  handle: string | null
  video: string | null
  fail_code: string | null
  fail_reason: string | null
  fail_msg: string | null
  created_at: number
  updated_at: number
  state_at: number
  completed_at: number | null
  expires_at: number | null
}
