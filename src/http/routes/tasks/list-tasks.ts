// GET /api/v1/jobs/list
import { listTasksQuery, taskPage, taskPageBytesMax } from '../../../contract/tasks/tasks.ts'
import { unifiedRecord } from '../../../tasks/record/records.ts'
import { listTasks } from '../../../tasks/store/read.ts'
import { type Route, route } from '../../route.ts'
import { cutBytes, cutPage } from '../../server/paging.ts'
import type { RecordDeps } from './records.ts'

export function listTasksRoute(deps: RecordDeps): Route {
  return route({
    endpoint: 'GET /api/v1/jobs/list',
    operationId: 'listTasks',
    summary: 'List tasks, newest first',
    description:
      'Unified records of the tasks of the account, or of the calling sub-key. A page is at most 1 MiB, and a search ' +
      'by `q` reads 5000 tasks per page: a page may be short, and `nextCursor` leads on until it is null.',
    tag: 'Tasks',
    access: 'key',
    scope: 'tasks:read',
    sharesLoop: true,
    query: listTasksQuery,
    answer: taskPage,
    async handler({ caller, query }) {
      const { limit, cursor, state, model, q, key, since, until } = query
      const { rows, searchedTo } = await listTasks(deps.db, caller, {
        ...{ state, model, text: q, keyId: key, sinceMs: since, untilMs: until, before: cursor },
        limit: limit + 1,
      })
      const page = cutPage(rows, limit)
      const items = await Promise.all(
        page.rows.map(async (task) => unifiedRecord(task, deps.publicUrl(), await deps.findQueuePlace(task))),
      )
      const shown = cutBytes(items, taskPageBytesMax)
      if (shown < items.length) return { items: items.slice(0, shown), nextCursor: items[shown - 1]!.taskId }
      return { items, nextCursor: page.nextCursor ?? searchedTo }
    },
  })
}
