// What the views show of a task's record, in the words of the form. Pure; the client reads its JSON texts.
import { fieldProblems } from '../../client/src/errors.ts'
import { isObject, parseObject } from '../../client/src/records.ts'
import type { CreateTaskBody, DeliveredVideo, TaskRecord, TaskState } from './api-types.ts'
import { fieldLabel } from './format.ts'

export function bodyOf(task: Pick<TaskRecord, 'param'>): Partial<CreateTaskBody> & Record<string, unknown> {
  const body = parseObject(task.param)
  return { ...body, input: isObject(body.input) ? body.input : {} }
}

/** The state that people see: a canceled task is a failed one on the wire, but nothing went wrong with it. */
export function shownState(task: { state: TaskState; failReason?: string }): TaskState | 'canceled' {
  return task.state === 'fail' && task.failReason === 'canceled' ? 'canceled' : task.state
}

/** Whether the task extends another. */
export function parentOf(task: Pick<TaskRecord, 'param'>): string | null {
  const body = parseObject(task.param)
  return typeof body.taskId === 'string' && !isObject(body.input) ? body.taskId : null
}

/** Why a task failed, with the field that it begins with named as in the form: `First frame: The image …`. */
export function failureOf({ failMsg }: { failMsg: string }): string {
  const [, path, sentence] = /^([a-z][\w.[\]]*): ([\s\S]*)$/.exec(failMsg) ?? []
  return path && sentence ? `${partName(path)}: ${sentence}` : failMsg
}

/** `1280 × 720, 24 fps, h264`, without what is not known. */
export function pictureOf({ width, height, fps, codec }: PictureFacts): string {
  return [`${width} × ${height}`, fps === null ? '' : `${fps} fps`, codec ?? ''].filter(Boolean).join(', ')
}

type PictureFacts = Pick<DeliveredVideo, 'width' | 'height' | 'fps' | 'codec'>

function partName(path: string): string {
  const [, subject, file] = /^elements\[(\d+)\](?:\.element_input_urls\[(\d+)\])?/.exec(path) ?? []
  if (subject) return `Subject ${Number(subject) + 1}${file ? `, picture ${Number(file) + 1}` : ''}`
  if (path === 'taskId') return 'The video'
  return fieldLabel(path.endsWith('[1]') ? 'tail_image_url' : path.replace(/\[.*$/, ''))
}

/** The service's sentence for each wrong field: `path: sentence; path: sentence`. */
export function problemsByPath(message: string): Map<string, string> {
  return new Map(fieldProblems(message).map(({ field, sentence }) => [field, sentence]))
}
