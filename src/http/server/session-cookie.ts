// The cookie of a signed-in browser. It is valid only on requests with a custom header, which other sites
// cannot send without permission by CORS. SameSite=Strict and this header each prevent forged requests.
import type { IncomingHttpHeaders } from 'node:http'

const cookieName = 'dailies_session'
export const consoleHeader = 'x-dailies-console'

/** The token of a request that comes from the console. */
export function sessionToken(headers: IncomingHttpHeaders): string | null {
  if (headers[consoleHeader] === undefined) return null
  const pair = (headers.cookie ?? '').split(/; */).find((part) => part.startsWith(`${cookieName}=`))
  return pair?.slice(cookieName.length + 1) || null
}

/** The same where it counts: a key that is presented takes precedence. */
export function callingSession(headers: IncomingHttpHeaders): string | null {
  return headers.authorization === undefined ? sessionToken(headers) : null
}

/** `maxAgeS` null: until the browser is closed; 0 removes it. */
export function sessionCookie(token: string, options: { secure: boolean; maxAgeS: number | null }): string {
  return [
    `${cookieName}=${token}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(options.secure ? ['Secure'] : []),
    ...(options.maxAgeS === null ? [] : [`Max-Age=${options.maxAgeS}`]),
  ].join('; ')
}
