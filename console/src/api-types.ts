// What the public API answers, as far as the console reads it.
import type { JsonSchema } from './json-schema.ts'

export type TaskState = 'wait' | 'queueing' | 'generating' | 'success' | 'fail'
export const taskStates: readonly TaskState[] = ['wait', 'queueing', 'generating', 'success', 'fail']

export interface TaskRecord {
  taskId: string
  model: string
  state: TaskState
  param: string
  resultJson: string
  failCode: string
  failMsg: string
  failReason: string
  progress: number
  queuePosition: number | null
  ignoredFields: string[]
  creditsConsumed: number
  costTime: number | null
  createTime: number
  updateTime: number
  completeTime: number | null
}

export interface VideoRecord {
  taskId: string
  parentTaskId: string
  generateParam: { prompt: string; imageUrl: string; expandPrompt: boolean }
  state: TaskState
  generateTime: string
  videoInfo: { videoId: string; taskId: string; videoUrl: string; imageUrl: string } | null
  failCode: string | null
  failMsg: string | null
  expireFlag: 0 | 1
}

export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

export interface ModelInfo {
  id: string
  kind: string
  title: string
  description: string
  prices: Record<string, number>
  example: Record<string, unknown>
  inputSchema: JsonSchema
}

export interface CreateTaskBody {
  model: string
  input: Record<string, unknown>
  callBackUrl?: string
}

export interface ExtendBody {
  taskId: string
  prompt: string
  duration?: string
}

export interface UploadedFile {
  fileName: string
  mimeType: string
  fileSize: number
  downloadUrl: string
  expiresAt: number
}

export interface TimelineMove {
  at: number
  state: TaskState
  attempt: number
  note: string | null
}

export interface LedgerEntry {
  id: string
  kind: 'grant' | 'hold' | 'settle' | 'release' | 'charge'
  amount: number
  balanceAfter: number
  taskId: string | null
  keyId: string | null
  createTime: number
}

export interface UsageCount {
  tasks: number
  credits: number
}

export interface Usage {
  days: (UsageCount & { day: string })[]
  states: (UsageCount & { state: string })[]
  models: (UsageCount & { model: string })[]
}

export interface RequestLimit {
  requests: number
  per: 'hour' | 'day' | 'total'
}

export interface SubKey {
  id: string
  name: string
  hint: string
  creditLimit: number | null
  creditUsed: number
  requestLimit: RequestLimit | null
  requestsUsed: number
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
}

export interface NewSubKey {
  name: string
  creditLimit?: number
  requestLimit?: RequestLimit
}

export type DeliveryState = 'pending' | 'delivered' | 'failed'

export interface Delivery {
  id: string
  kind: 'task' | 'inference'
  taskId: string
  url: string
  state: DeliveryState
  tries: number
  nextTryTime: number | null
  createTime: number
  endTime: number | null
  attempts: {
    time: number
    durationMs: number
    status: number | null
    error: string | null
    answer: string | null
  }[]
}

export interface WebhookSecret {
  secret: string
  previousUntil: number | null
}

export interface OperatorStatus {
  maintenance: boolean
  queues: { queue: string; waiting: number; running: number; oldestMs: number }[]
  features: { name: string; enabled: boolean }[]
  /** Further lists, such as workers and engines, are shown as they come. */
  [more: string]: unknown
}

export interface AccountInfo {
  id: string
  name: string
  balance: number
  openTasks: number
  createdAt: number
}
