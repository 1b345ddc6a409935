// GET /api/v1/operator/audit
import { Readable } from 'node:stream'
import { type AuditFilter, exportActs, listActs } from '../../../audit/audit.ts'
import { auditPage, listAuditQuery } from '../../../contract/audit.ts'
import type { Db } from '../../../db/db.ts'
import { withErrorListener } from '../../../platform/errors.ts'
import { answered, type Route, route } from '../../route.ts'
import { cutPage } from '../../server/paging.ts'
import { operator } from './operator.ts'

const ndjson = 'application/x-ndjson'

export function auditRoute({ db }: { db: Db }): Route {
  return route({
    endpoint: 'GET /api/v1/operator/audit',
    operationId: 'listAudit',
    summary: 'List the audit log, newest first',
    description:
      'Every act on accounts, keys, credits, switches and secrets, every deletion, and logins to the console that ' +
      'failed: who, from where, what, on what, and what it changed. With `format=ndjson`, every matching entry is ' +
      'streamed as one JSON object per line, without the envelope and without pages.',
    ...operator,
    streams: true,
    query: listAuditQuery,
    answer: auditPage,
    async handler({ query, request, reply }) {
      const { actor, action, since: sinceMs, until: untilMs, cursor: before, limit } = query
      const filter: AuditFilter = { actor, action, sinceMs, untilMs, before }
      const format = query.format ?? (request.headers.accept?.includes(ndjson) ? 'ndjson' : 'json')
      if (format === 'ndjson') {
        reply.header('content-type', ndjson).send(withErrorListener(Readable.from(exportActs(db, filter))))
        return answered
      }
      const { rows, nextCursor } = cutPage(await listActs(db, filter, limit + 1), limit)
      return { items: rows, cursor: nextCursor }
    },
  })
}
