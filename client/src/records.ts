// What the service tells of tasks: the two records, the timeline, and reading the video's URL.

export type TaskState = 'wait' | 'queueing' | 'generating' | 'success' | 'fail'

/** The unified record. Times are epoch milliseconds. */
export interface TaskRecord {
  taskId: string
  model: string
  state: TaskState
  /** The accepted body, as JSON. */
  param: string
  /** `{"resultUrls":[…]}` as JSON; empty until success. `videoUrlOf` reads it. */
  resultJson: string
  /** These three are empty unless the state is `fail`. */
  failCode: string
  failMsg: string
  failReason: string
  /** 0 to 100. */
  progress: number
  /** 1 + the tasks ahead, at most 1000; null unless the state is `queueing`. */
  queuePosition: number | null
  /** Fields of the request that the service does not know. */
  ignoredFields: string[]
  creditsConsumed: number
  /** Milliseconds from creation to end. */
  costTime: number | null
  createTime: number
  updateTime: number
  completeTime: number | null
}

export interface VideoRecord {
  taskId: string
  /** The task that this one extends; empty for others. */
  parentTaskId: string
  generateParam: { prompt: string; imageUrl: string; expandPrompt: boolean }
  state: TaskState
  /** When the task entered its present state, `YYYY-MM-DD HH:mm:ss` in UTC. */
  generateTime: string
  /** Null until success; stays after expiry. `imageUrl` is the thumbnail. */
  videoInfo: { videoId: string; taskId: string; videoUrl: string; imageUrl: string } | null
  failCode: string | null
  failMsg: string | null
  /** 1 once the video is no longer available. */
  expireFlag: 0 | 1
}

export interface Timeline {
  taskId: string
  items: { at: number; state: TaskState; attempt: number; note: string | null }[]
}

export function isFinal(record: { state: TaskState }): boolean {
  return record.state === 'success' || record.state === 'fail'
}

/** The video of a successful task; null for every other. */
export function videoUrlOf(record: TaskRecord): string | null {
  if (record.resultJson === '') return null
  return (JSON.parse(record.resultJson) as { resultUrls: string[] }).resultUrls[0] ?? null
}
