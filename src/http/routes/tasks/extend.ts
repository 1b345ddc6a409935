// POST /api/v1/video/extend: a new task that continues from the last frame of a successful video.
import { invalid, invalidField } from '../../../contract/errors.ts'
import { createdTask } from '../../../contract/tasks/tasks.ts'
import { extendBody, extendRequest, parseExtend } from '../../../models/extend-request.ts'
import { fileUrl } from '../../../storage/files.ts'
import { readTask } from '../../../tasks/store/read.ts'
import { requestOf, type TaskRow, videoOf } from '../../../tasks/store/task-row.ts'
import { type Route, route } from '../../route.ts'
import { addCreationHeaders, readCreation } from '../../server/creation.ts'
import { type CreateTaskDeps, creditsOfRepeat, submitAnnounced } from './create-task.ts'
import type { RecordDeps } from './records.ts'

export function extendRoute(deps: CreateTaskDeps & RecordDeps): Route {
  return route({
    endpoint: 'POST /api/v1/video/extend',
    operationId: 'extendVideo',
    summary: 'Continue a finished video from its last frame',
    description: 'Creates a task whose result is the new part, in the same size; it is priced like its model.',
    tag: 'Tasks',
    access: 'key',
    scope: 'tasks:write',
    createsWork: true,
    idempotent: true,
    bodyDocs: extendBody,
    answer: createdTask,
    codes: [402, 404, 408, 505],
    async handler({ caller, request, reply }) {
      const { accepted, idempotency } = readCreation(caller, request, parseExtend(request.body))
      const { taskId, body, ignoredFields, callBackUrl } = accepted
      // A replay comes before the lookup of the parent, which may have been deleted since.
      const before = await deps.admission.findRepeat(idempotency)
      if (before !== null) {
        addCreationHeaders(reply, await creditsOfRepeat(deps.db, caller, before), ignoredFields)
        return { taskId: before }
      }
      const parent = await readTask(deps.db, caller, taskId)
      const lastFrame = lastFrameOf(parent, deps)
      const model = deps.catalogue.get(parent.model)
      if (!model) throw invalidField('taskId', `the model ${parent.model} of this task is no longer served`)
      const extended = extendRequest(model, requestOf(parent), accepted, lastFrame)
      if (!extended.ok) throw invalid(extended.problems)
      return submitAnnounced(deps, caller, reply, {
        model,
        request: extended.value,
        body,
        ignoredFields,
        callBackUrl,
        idempotency,
        parentId: parent.id,
        features: ['extend'],
      })
    },
  })
}

function lastFrameOf(parent: TaskRow, deps: RecordDeps) {
  const video = videoOf(parent)
  if (video === null) {
    throw invalidField('taskId', `only a finished video can be extended; this task is in state ${parent.state}`)
  }
  if (parent.expires_at! <= deps.clock.now()) throw invalidField('taskId', 'the video of this task has expired')
  const { lastFrame, momentum, wideFrame } = video
  const urlOf = (file: { token: string; name: string }) => fileUrl(deps.publicUrl(), file)
  return {
    url: urlOf(lastFrame),
    momentum,
    ...(wideFrame && { wideFrame: { url: urlOf(wideFrame), area: wideFrame.area } }),
  }
}
