// GET /api/v1/jobs/list
import { listTasksQuery, taskPage } from '../../../contract/tasks.ts'
import { unifiedRecord } from '../../../tasks/record/records.ts'
import { listTasks, queuePosition } from '../../../tasks/store/read.ts'
import { cutPage } from '../../server/paging.ts'
import { type Route, route } from '../../server/route.ts'
import type { RecordDeps } from './records.ts'

export function listTasksRoute(deps: RecordDeps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/jobs/list',
    docs: {
      operationId: 'listTasks',
      summary: 'List tasks, newest first',
      description: 'Unified records of the tasks of the account, or of the sub-key that asks.',
      tag: 'Tasks',
    },
    access: 'key',
    query: listTasksQuery,
    answer: taskPage,
    async handler({ caller, query }) {
      const { limit, cursor } = query
      const found = await listTasks(deps.db, caller, {
        limit: limit + 1,
        ...(cursor === undefined ? {} : { before: cursor }),
        ...(query.state === undefined ? {} : { state: query.state }),
        ...(query.model === undefined ? {} : { model: query.model }),
      })
      const { rows, nextCursor } = cutPage(found, limit)
      const items = await Promise.all(
        rows.map(async (task) => unifiedRecord(task, deps.publicUrl(), await queuePosition(deps.db, task))),
      )
      return { items, nextCursor }
    },
  })
}
