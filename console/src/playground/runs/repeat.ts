// The request of an earlier task, to be sent or changed again. Pure.

import { isObject, promptOf } from '../../../../client/src/records.ts'
import type { ExtendTask, ModelInfo, TaskRecord } from '../../api-types.ts'
import { bodyOf, parentOf } from '../../task-facts.ts'
import type { Draft } from '../request/draft.ts'

/** The request of a task that extends another. */
export function extensionOf(task: TaskRecord): ExtendTask {
  const { duration } = bodyOf(task)
  return {
    taskId: parentOf(task) ?? '',
    prompt: promptOf(task),
    duration: duration as ExtendTask['duration'],
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
