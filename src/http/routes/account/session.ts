// /console/session: whether a browser is signed in, and signing it in with an API key and out. Programs send their key instead.
import { z } from 'zod'
import type { Authenticator } from '../../../accounts/keys/authenticate.ts'
import { comesFrom } from '../../../accounts/keys/rights.ts'
import type { Sessions } from '../../../accounts/sessions/sessions.ts'
import { recordAct, unknownActor } from '../../../audit/audit.ts'
import { apiError } from '../../../contract/errors.ts'
import type { Db } from '../../../db/db.ts'
import { windows } from '../../../limits/table.ts'
import { createQuietWindow, type Window } from '../../../limits/window.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logger.ts'
import { type Route, route } from '../../route.ts'
import { consoleHeader, sessionCookie, sessionToken } from '../../server/browsers.ts'
import { clientAddress } from '../../server/connections/request-origin.ts'
import { countFailure } from '../../server/guard.ts'

export interface SessionRouteDeps {
  authenticator: Authenticator
  sessions: Sessions
  failedAttempts: Window
  db: Db
  clock: Clock
  log: Logger
  publicUrl(): string
}

const dayMs = 86_400_000
const rememberedMs = 30 * dayMs

export function sessionRoutes(deps: SessionRouteDeps): Route[] {
  const failures = createFailedLogins(deps)
  const isSecure = () => deps.publicUrl().startsWith('https:')
  return [
    route({
      endpoint: 'GET /console/session',
      access: 'open',
      answer: z.object({
        signedIn: z.boolean(),
        key: z.object({ isSubKey: z.boolean(), scopes: z.array(z.string()) }).nullable(),
      }),
      async handler({ request }) {
        const token = sessionToken(request)
        const keyHash = token === null ? null : await deps.sessions.keyHashOf(token)
        const caller = keyHash === null ? null : await deps.authenticator.authenticateHash(keyHash)
        const key = caller && { isSubKey: caller.isSubKey, scopes: [...caller.scopes] }
        return { signedIn: keyHash !== null, key }
      },
    }),
    route({
      endpoint: 'POST /console/session',
      access: 'open',
      body: z.object({ key: z.string().min(1).max(512), remember: z.boolean().default(false) }),
      answer: z.object({ account: z.string() }),
      sharesLoop: true,
      async findCaller({ body, request }) {
        if (request.headers[consoleHeader] === undefined) throw apiError('invalid_api_key')
        const address = clientAddress(request)
        const caller = await deps.authenticator.authenticate(body.key)
        if (!caller || !comesFrom(address, caller.networks)) {
          await failures.record(address)
          const reason = caller ? 'address_not_allowed' : 'invalid_api_key'
          throw countFailure(deps, address, apiError(reason))
        }
        return caller
      },
      async handler({ caller, body, request, reply }) {
        const userAgent = request.headers['user-agent'] ?? null
        const browser = { address: clientAddress(request), userAgent }
        const token = await deps.sessions.open(body.key, body.remember ? rememberedMs : dayMs, browser)
        const maxAgeS = body.remember ? rememberedMs / 1000 : null
        reply.header('set-cookie', sessionCookie(request, token, { secure: isSecure(), maxAgeS }))
        return { account: caller.accountName }
      },
    }),
    route({
      endpoint: 'DELETE /console/session',
      access: 'open',
      answer: z.null(),
      async handler({ request, reply }) {
        const token = sessionToken(request)
        if (token) await deps.sessions.close(token)
        reply.header('set-cookie', sessionCookie(request, '', { secure: isSecure(), maxAgeS: 0 }))
        return null
      },
    }),
  ]
}

/** Anyone can fail to sign in, so entries of the audit log are bounded; further failures are counted in the log. */
function createFailedLogins({ db, clock, log }: Pick<SessionRouteDeps, 'db' | 'clock' | 'log'>) {
  const { of: rate } = windows.loggedLogins
  const mayLog = createQuietWindow(rate, (logins) =>
    log.warn({ logins, seconds: rate.perMs / 1000 }, 'more logins to the console failed'),
  )
  return {
    async record(address: string): Promise<void> {
      if (!mayLog()) return
      const act = { action: 'session.failed', target: null } as const
      await db.transaction((tx) => recordAct(tx, unknownActor(address), act, clock.now()))
    },
  }
}
