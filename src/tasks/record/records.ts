// The two records of a task that a client can read: the video record and the unified record. Pure functions of a row.
import type { FailReason } from '../../contract/tasks/fail-reasons.ts'
import type { DeliveredVideo, TaskRecord, Understood, VideoRecord } from '../../contract/tasks/records.ts'
import { fileUrl } from '../../storage/files.ts'
import { requestOf, type TaskRow, videoOf } from '../store/task-row.ts'
import type { QueuePlace } from './queue-place.ts'

/** The columns of the two records, for statements that read nothing else. */
export const videoColumns = [
  ...(['id', 'parent_id', 'request', 'state', 'state_at'] as const),
  ...(['video', 'fail_code', 'fail_msg', 'expires_at'] as const),
]
export const unifiedColumns = [
  ...(['id', 'model', 'state', 'param', 'video', 'fail_code', 'fail_msg', 'fail_reason', 'progress'] as const),
  ...(['ignored_fields', 'price', 'created_at', 'updated_at', 'completed_at', 'understood', 'delivered'] as const),
]

export function videoRecordOf(
  task: Pick<TaskRow, (typeof videoColumns)[number]>,
  publicUrl: string,
  nowMs: number,
): VideoRecord {
  const request = requestOf(task)
  const video = videoOf(task)
  return {
    taskId: task.id,
    parentTaskId: task.parent_id ?? '',
    generateParam: { prompt: request.prompt, imageUrl: request.firstFrame.url, expandPrompt: false },
    state: task.state,
    generateTime: formatUtc(task.state_at),
    videoInfo: video && {
      videoId: video.id,
      taskId: task.id,
      videoUrl: fileUrl(publicUrl, video.video),
      imageUrl: fileUrl(publicUrl, video.thumbnail),
    },
    failCode: task.fail_code,
    failMsg: task.fail_msg,
    expireFlag: task.expires_at !== null && task.expires_at <= nowMs ? 1 : 0,
  }
}

export function unifiedRecord(
  task: Pick<TaskRow, (typeof unifiedColumns)[number]>,
  publicUrl: string,
  place: QueuePlace,
): TaskRecord {
  const video = videoOf(task)
  return {
    taskId: task.id,
    model: task.model,
    state: task.state,
    param: task.param,
    resultJson: video ? JSON.stringify({ resultUrls: [fileUrl(publicUrl, video.video)] }) : '',
    failCode: task.fail_code ?? '',
    failMsg: task.fail_msg ?? '',
    failReason: (task.fail_reason ?? '') as FailReason | '',
    progress: task.progress,
    queuePosition: place.queuePosition,
    timeLeftMs: place.timeLeftMs,
    ignoredFields: JSON.parse(task.ignored_fields),
    // A failed task is free; an unfinished task holds its price.
    creditsConsumed: task.state === 'fail' ? 0 : task.price,
    costTime: task.completed_at === null ? null : task.completed_at - task.created_at,
    createTime: task.created_at,
    updateTime: task.updated_at,
    completeTime: task.completed_at,
    understood: understoodOf(task),
    video: task.delivered === null ? null : (JSON.parse(task.delivered) as DeliveredVideo),
  }
}

/** Once the task has ended, an engine that reports nothing counts as having read nothing. */
function understoodOf({ understood, state }: Pick<TaskRow, 'understood' | 'state'>): Understood | null {
  if (understood !== null) return JSON.parse(understood)
  return state === 'success' ? { moves: [], effects: [], framing: null, notDone: [] } : null
}

/** `YYYY-MM-DD HH:mm:ss`, UTC. `toISOString` is slower: it takes 3 % of the time of a whole request. */
function formatUtc(ms: number): string {
  const at = new Date(ms)
  const date = `${at.getUTCFullYear()}-${twoDigits(at.getUTCMonth() + 1)}-${twoDigits(at.getUTCDate())}`
  return `${date} ${twoDigits(at.getUTCHours())}:${twoDigits(at.getUTCMinutes())}:${twoDigits(at.getUTCSeconds())}`
}

const twoDigits = (value: number) => String(value).padStart(2, '0')
