// GET /api/v1/operator/tasks: the tasks of every account.

import { findAccount, namesOfAccounts } from '../../../accounts/accounts.ts'
import { listAllTasksQuery, operatorTaskPage } from '../../../contract/operator.ts'
import { scannedMax } from '../../../db/where-clause.ts'
import { listAllTasks } from '../../../tasks/store/read.ts'
import { type Route, route } from '../../route.ts'
import { type RecordDeps, recordPage } from '../tasks/records.ts'
import { operator } from './operator.ts'

export function allTasksRoute(deps: RecordDeps): Route {
  return route({
    endpoint: 'GET /api/v1/operator/tasks',
    operationId: 'listAllTasks',
    summary: 'List the tasks of every account, newest first',
    description:
      `Unified records with the name of their account and the id of their key. A page reads at most ${scannedMax} tasks: it may be ` +
      'short, and `nextCursor` leads on until it is null.',
    ...operator,
    query: listAllTasksQuery,
    answer: operatorTaskPage,
    async handler({ query: { limit, cursor, account, q, since, until, ...filter } }) {
      const accountId = account === undefined ? undefined : (await findAccount(deps.db, account))?.id
      // An account that does not exist has no tasks.
      if (account !== undefined && accountId === undefined) return { items: [], nextCursor: null }
      const found = await listAllTasks(deps.db, {
        ...filter,
        accountId,
        text: q,
        sinceMs: since,
        untilMs: until,
        before: cursor,
        limit: limit + 1,
      })
      const accountIds = found.rows.map((task) => task.account_id)
      const names = await namesOfAccounts(deps.db, accountIds)
      return recordPage(deps, found, limit, (record, task) => ({
        ...record,
        account: names.get(task.account_id) ?? '',
        keyId: task.key_id,
      }))
    },
  })
}
