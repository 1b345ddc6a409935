// The request of an earlier task, sent again or to be changed.
import { isObject, promptOf } from '../../../../client/src/records.ts'
import type { Api } from '../../api.ts'
import type { ExtendTask, ModelInfo, TaskRecord } from '../../api-types.ts'
import { bodyOf, parentOf } from '../../task-facts.ts'
import { bodyOfDraft, type Draft } from '../request/draft.ts'

/** Returns the id of the new task. */
export async function repeat(api: Api, task: TaskRecord, models: ModelInfo[]): Promise<string> {
  const parentId = parentOf(task)
  if (parentId !== null) return api.extend(extensionOf(task, parentId))
  const draft = draftOf(task, models)
  if (draft === null) throw new Error(`The model ${task.model} is not offered now.`)
  return api.create(bodyOfDraft(draft))
}

function extensionOf(task: TaskRecord, parentId: string): ExtendTask {
  const { duration, callBackUrl } = bodyOf(task)
  return {
    taskId: parentId,
    prompt: promptOf(task),
    duration: duration as ExtendTask['duration'],
    callBackUrl: callBackUrl as ExtendTask['callBackUrl'],
  }
}

/** The request of a task, to be sent or edited again; null for an extension, which has another kind of request. */
export function draftOf(task: TaskRecord, models: ModelInfo[]): Draft | null {
  const body = bodyOf(task)
  if (parentOf(task) !== null || !isObject(body.input) || !models.some(({ id }) => id === task.model)) return null
  const { image_urls: otherSpelling, ...input } = body.input
  if (otherSpelling !== undefined) input.image_url ??= otherSpelling
  return { modelId: task.model, input, callBackUrl: typeof body.callBackUrl === 'string' ? body.callBackUrl : '' }
}
