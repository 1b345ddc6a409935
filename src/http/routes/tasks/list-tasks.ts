// GET /api/v1/jobs/list

import { listTasksQuery, taskPage } from '../../../contract/tasks/tasks.ts'
import { scannedMax } from '../../../db/where-clause.ts'
import { listTasks } from '../../../tasks/store/read.ts'
import { type Route, route } from '../../route.ts'
import { type RecordDeps, recordPage } from './records.ts'

export function listTasksRoute(deps: RecordDeps): Route {
  return route({
    endpoint: 'GET /api/v1/jobs/list',
    operationId: 'listTasks',
    summary: 'List tasks, newest first',
    description:
      'Unified records of the tasks of the account, or of the calling sub-key. A page is at most 1 MiB, and ' +
      `with \`state\`, \`model\` or \`q\` it reads at most ${scannedMax} tasks: it may be short, and \`nextCursor\` leads on until it is null.`,
    tag: 'Tasks',
    access: 'key',
    scope: 'tasks:read',
    sharesLoop: true,
    query: listTasksQuery,
    answer: taskPage,
    async handler({ caller, query }) {
      const { limit, cursor, state, model, q, key, since, until } = query
      const found = await listTasks(deps.db, caller, {
        state,
        model,
        text: q,
        keyId: key,
        sinceMs: since,
        untilMs: until,
        before: cursor,
        limit: limit + 1,
      })
      return recordPage(deps, found, limit, (record) => record)
    },
  })
}
