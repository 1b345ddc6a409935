// GET /api/v1/operator/tasks: the tasks of every account.
import { findAccount, namesOfAccounts } from '../../../accounts/accounts.ts'
import { listAllTasksQuery, operatorTaskPage } from '../../../contract/operator.ts'
import { taskPageBytesMax } from '../../../contract/tasks/tasks.ts'
import { unifiedRecord } from '../../../tasks/record/records.ts'
import { listAllTasks } from '../../../tasks/store/all-tasks.ts'
import { type Route, route } from '../../route.ts'
import { cutBytes, cutPage } from '../../server/paging.ts'
import type { RecordDeps } from '../tasks/records.ts'

export function allTasksRoute(deps: RecordDeps): Route {
  return route({
    endpoint: 'GET /api/v1/operator/tasks',
    operationId: 'listAllTasks',
    summary: 'List the tasks of every account, newest first',
    description:
      'Unified records with the name of their account and the id of their key. A page reads 5000 tasks: it may be ' +
      'short, and `nextCursor` leads on until it is null.',
    tag: 'Operator',
    access: 'operator',
    scope: 'operator',
    query: listAllTasksQuery,
    answer: operatorTaskPage,
    async handler({ query: { limit, cursor, account, q, since, until, ...filter } }) {
      const accountId = account === undefined ? undefined : (await findAccount(deps.db, account))?.id
      // An account that does not exist has no tasks.
      if (account !== undefined && accountId === undefined) return { items: [], nextCursor: null }
      const { rows, searchedTo } = await listAllTasks(deps.db, {
        ...{ ...filter, accountId, text: q, sinceMs: since, untilMs: until, before: cursor },
        limit: limit + 1,
      })
      const page = cutPage(rows, limit)
      const names = await namesOfAccounts(
        deps.db,
        page.rows.map((task) => task.account_id),
      )
      const items = await Promise.all(
        page.rows.map(async (task) => ({
          ...unifiedRecord(task, deps.publicUrl(), await deps.findQueuePlace(task)),
          account: names.get(task.account_id) ?? '',
          keyId: task.key_id,
        })),
      )
      const shown = cutBytes(items, taskPageBytesMax)
      if (shown < items.length) return { items: items.slice(0, shown), nextCursor: items[shown - 1]!.taskId }
      return { items, nextCursor: page.nextCursor ?? searchedTo }
    },
  })
}
