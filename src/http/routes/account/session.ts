// /console/session: signing a browser in with an API key, and out again. Programs send their key instead.
import { z } from 'zod'
import type { Authenticator } from '../../../accounts/keys/authenticate.ts'
import type { Sessions } from '../../../accounts/sessions.ts'
import { apiError } from '../../../contract/errors.ts'
import { type Route, route } from '../../route.ts'
import { consoleHeader, sessionCookie, sessionToken } from '../../server/session-cookie.ts'

export interface SessionRouteDeps {
  authenticator: Authenticator
  sessions: Sessions
  publicUrl(): string
}

const dayMs = 86_400_000
const rememberedMs = 30 * dayMs

export function sessionRoutes(deps: SessionRouteDeps): Route[] {
  const isSecure = () => deps.publicUrl().startsWith('https:')
  return [
    route({
      method: 'POST',
      path: '/console/session',
      access: 'open',
      body: z.object({ key: z.string().min(1).max(512), remember: z.boolean().default(false) }),
      answer: z.object({ account: z.string() }),
      async handler({ body, request, reply }) {
        if (request.headers[consoleHeader] === undefined) throw apiError('invalid_api_key')
        const caller = await deps.authenticator.authenticate(body.key)
        if (!caller) throw apiError('invalid_api_key')
        const token = await deps.sessions.open(body.key, body.remember ? rememberedMs : dayMs)
        const maxAgeS = body.remember ? rememberedMs / 1000 : null
        reply.header('set-cookie', sessionCookie(token, { secure: isSecure(), maxAgeS }))
        return { account: caller.accountName }
      },
    }),
    route({
      method: 'DELETE',
      path: '/console/session',
      access: 'open',
      answer: z.null(),
      async handler({ request, reply }) {
        const token = sessionToken(request.headers)
        if (token) await deps.sessions.close(token)
        reply.header('set-cookie', sessionCookie('', { secure: isSecure(), maxAgeS: 0 }))
        return null
      },
    }),
  ]
}
