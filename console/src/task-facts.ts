// Reads the JSON texts of a task's record. Pure, and tolerant of malformed texts.
import type { CreateTaskBody, TaskRecord, TaskState } from './api-types.ts'
import { fieldLabel } from './format.ts'

export function bodyOf(task: Pick<TaskRecord, 'param'>): Partial<CreateTaskBody> & Record<string, unknown> {
  const body = parseObject(task.param)
  return { ...body, input: isObject(body.input) ? body.input : {} }
}

/** The prompt of a task or of an extension. */
export function promptOf(task: Pick<TaskRecord, 'param'>): string {
  const body = parseObject(task.param)
  const input = isObject(body.input) ? body.input : body
  // With custom shots, their prompts describe the video; the prompt beside them is not used.
  const shots = input.customize_multi_shots === true && Array.isArray(input.multi_prompt) ? input.multi_prompt : []
  const ofShots = shots.map((shot) => (isObject(shot) ? String(shot.prompt ?? '') : '')).filter(Boolean)
  if (ofShots.length > 0) return ofShots.join(' / ')
  return typeof input.prompt === 'string' ? input.prompt : ''
}

/** The state that people see: a canceled task is a failed one on the wire, but nothing went wrong with it. */
export function shownState(task: { state: TaskState; failReason?: string }): TaskState | 'canceled' {
  return task.state === 'fail' && task.failReason === 'canceled' ? 'canceled' : task.state
}

/** A name for the video's file: `slow-push-in-on-the-boat-1a2b3c4d.mp4`. */
export function fileNameOf(task: Pick<TaskRecord, 'taskId' | 'param'>): string {
  const words = promptOf(task)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
  const slug = [...words].slice(0, 48).join('').replace(/^-|-$/g, '')
  return `${slug || 'video'}-${task.taskId.slice(-8)}.mp4`
}

/** Whether the task extends another. */
export function parentOf(task: Pick<TaskRecord, 'param'>): string | null {
  const body = parseObject(task.param)
  return typeof body.taskId === 'string' && !isObject(body.input) ? body.taskId : null
}

export function videoUrlOf(task: Pick<TaskRecord, 'resultJson'>): string | null {
  const urls = parseObject(task.resultJson).resultUrls
  const url = Array.isArray(urls) ? urls[0] : null
  return typeof url === 'string' ? url : null
}

/** Why a task failed, with the field that it begins with named as in the form: `First frame: The image …`. */
export function failureOf({ failMsg }: { failMsg: string }): string {
  const [, path, sentence] = /^([a-z][\w.[\]]*): ([\s\S]*)$/.exec(failMsg) ?? []
  return path && sentence ? `${partName(path)}: ${sentence}` : failMsg
}

function partName(path: string): string {
  const [, subject, file] = /^elements\[(\d+)\](?:\.element_input_urls\[(\d+)\])?/.exec(path) ?? []
  if (subject) return `Subject ${Number(subject) + 1}${file ? `, picture ${Number(file) + 1}` : ''}`
  if (path === 'taskId') return 'The video'
  return fieldLabel(path.endsWith('[1]') ? 'tail_image_url' : path.replace(/\[.*$/, ''))
}

/** The service's sentence for each wrong field: `path: sentence; path: sentence`. */
export function problemsByPath(message: string): Map<string, string> {
  const problems = new Map<string, string>()
  for (const part of message.split(/; (?=[A-Za-z_][\w.[\]]*: )/)) {
    const [, path, sentence] = /^([A-Za-z_][\w.[\]]*): ([\s\S]*)$/.exec(part) ?? []
    if (path && sentence) problems.set(path, sentence)
  }
  return problems
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
