// Who is signed in. The browser holds a cookie that scripts cannot read; the key itself is sent once and kept nowhere.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Api, baseUrl, consoleHeaders } from './api.ts'
import type { ModelInfo } from './api-types.ts'
import { toProblem } from './hooks.ts'

export interface Session {
  api: Api
  models: ModelInfo[]
  isOperator: boolean
  /** Whether new work is refused for now. */
  maintenance: boolean
  /** What an operator has switched off. */
  disabledFeatures: readonly string[]
  balance: number | null
  refreshBalance(): void
  signOut(): void
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('not signed in')
  return session
}

/** Exchanges a key for the cookie of a session. */
export async function signIn(key: string, remember: boolean): Promise<void> {
  await sessionCall('POST', { key, remember })
}

export const signOut = () => sessionCall('DELETE').catch(() => {})

/** Whether the browser has a session, so that a page without one need not be refused to find out. */
async function hasSession(): Promise<boolean> {
  const { signedIn } = await sessionCall('GET')
  return signedIn
}

async function sessionCall(method: 'GET' | 'POST' | 'DELETE', body?: unknown) {
  const response = await fetch(`${baseUrl()}/console/session`, {
    method,
    headers: { ...consoleHeaders, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body ? JSON.stringify(body) : null,
  }).catch(() => null)
  if (response?.ok) return (await response.json()).data
  const { msg } = response ? await response.json().catch(() => ({})) : {}
  const message = msg ?? 'The service cannot be reached.'
  throw Object.assign(toProblem(new Error(message)), { code: response?.status ?? 0 })
}

/** What every view needs; null without a session. */
export async function openSession(onSignedOut: () => void) {
  if (!(await hasSession())) return null
  const api = new Api(onSignedOut)
  const [allModels, status, balance, isOperator] = await Promise.all([
    api.models() as Promise<ModelInfo[]>,
    api.status(),
    api.credit(),
    api.operator.status().then(
      () => true,
      (error) => {
        // For keys without the right, operator routes do not exist.
        if (toProblem(error).code === 404) return false
        throw error
      },
    ),
  ])
  return { api, allModels, status, balance, isOperator }
}
