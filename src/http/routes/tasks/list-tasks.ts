// GET /api/v1/jobs/list
import { z } from 'zod'
import { unifiedRecord } from '../../../tasks/record/records.ts'
import { listTasks, queuePosition } from '../../../tasks/store/read.ts'
import { cutPage, pageOf, pageQuery, readPage } from '../../server/paging.ts'
import { type Route, route } from '../../server/route.ts'
import { lookupText, type RecordDeps, unifiedRecordAnswer } from './records.ts'

export function listTasksRoute(deps: RecordDeps): Route {
  return route({
    method: 'GET',
    path: '/api/v1/jobs/list',
    summary: 'List tasks, newest first',
    tag: 'Tasks',
    access: 'key',
    query: z.object({
      ...pageQuery,
      state: z.enum(['wait', 'queueing', 'generating', 'success', 'fail']).optional(),
      model: lookupText.optional(),
    }),
    answer: pageOf(unifiedRecordAnswer),
    async handler({ caller, query }) {
      const { limit, before } = readPage(query)
      const found = await listTasks(deps.db, caller, {
        limit: limit + 1,
        ...(before === undefined ? {} : { before }),
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
