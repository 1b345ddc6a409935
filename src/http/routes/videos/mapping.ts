// OpenAI's videos in terms of tasks, and tasks as OpenAI's videos. Pure.
import type { CreateOpenAIVideo, OpenAIVideo } from '../../../contract/openai-videos.ts'
import { resolutionOf, secondsDefault, type VideoModel } from '../../../models/model.ts'
import type { Problem } from '../../../schema/problem.ts'
import { requestOf, type TaskRow, videoOf } from '../../../tasks/store/task-row.ts'

/** Stands for the URL of an image that is not stored yet. */
export const anyImageUrl = 'https://image.example/image.png'

/** The body of createTask for a video request whose image lies at `imageUrl`; null where it has none. */
export function createTaskBody(video: Partial<CreateOpenAIVideo>, model: VideoModel, imageUrl: string | null): object {
  const input = model.toWire({
    prompt: video.prompt,
    firstFrame: imageUrl ?? undefined,
    seconds: video.seconds ?? secondsDefault,
    resolution: video.size ? resolutionOf(Math.min(...video.size.split('x').map(Number))) : undefined,
  })
  return { model: model.id, input }
}

const partOfReference = /^input_reference\[(\w+)\]$/

/** In a form, OpenAI's clients send `{"image_url": …}` as a field `input_reference[image_url]`. */
export function joinedReference(fields: Record<string, string>): Record<string, unknown> {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const part = partOfReference.exec(name)?.[1]
    return part === undefined ? [] : [[part, value]]
  })
  if (parts.length === 0) return fields
  const others = Object.entries(fields).filter(([name]) => !partOfReference.test(name))
  return { input_reference: Object.fromEntries(parts), ...Object.fromEntries(others) }
}

/** Problems of a createTask body, with the names that an OpenAI client used. */
export function renameProblems(problems: Problem[], { fields }: VideoModel): Problem[] {
  const names = new Map([
    [fields.prompt, 'prompt'],
    [fields.seconds, 'seconds'],
    ...fields.firstFrame.map((name) => [name, 'input_reference'] as const),
  ])
  return problems.map(({ field, message }) => {
    const [, name = ''] = /^input\.(\w+)(\[0\])?$/.exec(field) ?? []
    return { message, field: names.get(name) ?? field }
  })
}

/** The problems of the request, and those of the task in fields that have none yet. */
export function joinProblems(ofRequest: Problem[], ofTask: Problem[]): Problem[] {
  const fieldOf = ({ field }: Problem) => field.split('.')[0]!
  const named = new Set(ofRequest.map(fieldOf))
  // Only an object has fields.
  if (named.has('body')) return ofRequest
  return [...ofRequest, ...ofTask.filter((problem) => !named.has(fieldOf(problem)))]
}

const statuses = {
  wait: 'queued',
  queueing: 'queued',
  generating: 'in_progress',
  success: 'completed',
  fail: 'failed',
} as const satisfies Record<TaskRow['state'], OpenAIVideo['status']>

const epochSeconds = (ms: number | null) => (ms === null ? null : Math.floor(ms / 1000))

export function openaiVideoOf(task: TaskRow): OpenAIVideo {
  const request = requestOf(task)
  const video = videoOf(task)
  return {
    id: task.id,
    object: 'video',
    model: task.model,
    status: statuses[task.state],
    progress: task.state === 'success' ? 100 : Math.floor(task.progress),
    prompt: request.prompt,
    seconds: String(video?.seconds ?? request.seconds),
    size: video === null ? '' : `${video.width}x${video.height}`,
    created_at: Math.floor(task.created_at / 1000),
    completed_at: epochSeconds(task.completed_at),
    expires_at: epochSeconds(task.expires_at),
    remixed_from_video_id: task.parent_id,
    error:
      task.state === 'fail'
        ? { code: task.fail_reason ?? 'internal', message: task.fail_msg ?? 'The video could not be generated.' }
        : null,
  }
}
