// /api/v1/account/sessions: the browsers that are signed in with the calling key or its sub-keys.
import { endSession, listSessions } from '../../../accounts/sessions/own-sessions.ts'
import { sessionId } from '../../../accounts/sessions/sessions.ts'
import { accountSessionList, endedSession } from '../../../contract/accounts.ts'
import { apiError } from '../../../contract/errors.ts'
import type { Db } from '../../../db/db.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type Route, route } from '../../route.ts'
import { callingSession } from '../../server/browsers.ts'
import { requestActor } from '../../server/guard.ts'

const sessions = { tag: 'Account', access: 'key', scope: 'any', sharesLoop: true } as const

export function ownSessionRoutes({ db, clock }: { db: Db; clock: Clock }): Route[] {
  return [
    route({
      endpoint: 'GET /api/v1/account/sessions',
      operationId: 'listSessions',
      summary: 'List the browsers that are signed in',
      description: 'Sessions of the console that the calling key or one of its sub-keys opened, newest first.',
      ...sessions,
      answer: accountSessionList,
      async handler({ caller, request }) {
        const token = callingSession(request)
        const current = token === null ? null : sessionId(token)
        return { items: await listSessions(db, caller.keyId, { current, nowMs: clock.now() }) }
      },
    }),
    route({
      endpoint: 'DELETE /api/v1/account/sessions/:id',
      operationId: 'endSession',
      summary: 'Sign a browser out',
      description: 'Its requests are refused at once, and its open streams end within a second.',
      ...sessions,
      actsOnKeys: true,
      answer: endedSession,
      async handler({ caller, params, request }) {
        const id = params.id!
        const by = requestActor(request)
        const ended = await db.transaction((tx) => endSession(tx, by, caller.keyId, id, clock.now()))
        if (!ended) throw apiError('no_session')
        return { id }
      },
    }),
  ]
}
