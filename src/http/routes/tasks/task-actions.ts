// POST /api/v1/jobs/cancelTask, DELETE /api/v1/jobs/:taskId and GET /api/v1/jobs/timeline
import { timeline } from '../../../contract/tasks/records.ts'
import { canceledTask, cancelTaskBody, deletedTask, taskIdQuery } from '../../../contract/tasks/tasks.ts'
import type { Db } from '../../../db/db.ts'
import { type CancelDeps, cancelTask, type DeleteDeps, deleteTask } from '../../../tasks/finish/cancel-and-delete.ts'
import { readTask } from '../../../tasks/store/read.ts'
import { readTimeline } from '../../../tasks/store/timeline.ts'
import { type Route, route } from '../../route.ts'
import { requestActor } from '../../server/guard.ts'

const tasks = { tag: 'Tasks', access: 'key' } as const

export function cancelTaskRoute(deps: CancelDeps): Route {
  return route({
    endpoint: 'POST /api/v1/jobs/cancelTask',
    operationId: 'cancelTask',
    summary: 'Cancel a task that has not ended',
    description: 'The task ends in state `fail` with the reason `canceled`, and its credits are released.',
    ...tasks,
    scope: 'tasks:write',
    body: cancelTaskBody,
    answer: canceledTask,
    codes: [404],
    async handler({ caller, body }) {
      await cancelTask(deps, caller, body.taskId)
      return { taskId: body.taskId, state: 'fail' as const }
    },
  })
}

export function deleteTaskRoute(deps: DeleteDeps): Route {
  return route({
    endpoint: 'DELETE /api/v1/jobs/:taskId',
    operationId: 'deleteTask',
    summary: 'Delete the record and files of a task that has ended',
    description: 'The ledger stays. A task that has not ended must be canceled first.',
    ...tasks,
    sharesLoop: true,
    scope: 'tasks:write',
    answer: deletedTask,
    async handler({ caller, params, request }) {
      await deleteTask(deps, caller, requestActor(request), params.taskId!)
      return { taskId: params.taskId! }
    },
  })
}

export function timelineRoute(deps: { db: Db }): Route {
  return route({
    endpoint: 'GET /api/v1/jobs/timeline',
    operationId: 'getTimeline',
    summary: 'Read every state change of a task',
    description: 'Each change of state, with the number of the attempt and an optional note.',
    ...tasks,
    scope: 'tasks:read',
    query: taskIdQuery,
    answer: timeline,
    codes: [404],
    async handler({ caller, query }) {
      const task = await readTask(deps.db, caller, query.taskId)
      return { taskId: task.id, items: await readTimeline(deps.db, task) }
    },
  })
}
