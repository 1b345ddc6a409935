// POST /api/v1/jobs/cancelTask, DELETE /api/v1/jobs/:taskId and GET /api/v1/jobs/timeline
import { z } from 'zod'
import type { Db } from '../../../db/db.ts'
import { cancelTask, deleteTask } from '../../../tasks/finish/cancel-and-delete.ts'
import type { FinishDeps } from '../../../tasks/finish/finish.ts'
import { readTask, readTimeline } from '../../../tasks/store/read.ts'
import { type Route, route } from '../../server/route.ts'
import { taskIdQuery } from './records.ts'

type Deps = FinishDeps & { db: Db }

export function cancelTaskRoute(deps: Deps): Route {
  return route({
    method: 'POST',
    path: '/api/v1/jobs/cancelTask',
    summary: 'Cancel a task that has not ended',
    tag: 'Tasks',
    access: 'key',
    body: taskIdQuery,
    answer: z.object({ taskId: z.string(), state: z.literal('fail') }),
    codes: [404],
    async handler({ caller, body }) {
      const task = await cancelTask(deps, caller, body.taskId)
      return { taskId: task.id, state: task.state }
    },
  })
}

export function deleteTaskRoute(deps: Deps): Route {
  return route({
    method: 'DELETE',
    path: '/api/v1/jobs/:taskId',
    summary: 'Delete the record and files of a task that has ended',
    tag: 'Tasks',
    access: 'key',
    answer: z.object({ taskId: z.string() }),
    codes: [404],
    async handler({ caller, params }) {
      await deleteTask(deps, caller, params.taskId!)
      return { taskId: params.taskId }
    },
  })
}

export function timelineRoute(deps: Deps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/jobs/timeline',
    summary: 'Read every move of a task',
    tag: 'Tasks',
    access: 'key',
    query: taskIdQuery,
    answer: z.object({
      taskId: z.string(),
      items: z.array(z.object({ at: z.int(), state: z.string(), attempt: z.int(), note: z.string().nullable() })),
    }),
    codes: [404],
    async handler({ caller, query }) {
      const task = await readTask(deps.db, caller, query.taskId)
      return { taskId: task.id, items: await readTimeline(deps.db, task) }
    },
  })
}
