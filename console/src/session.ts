// Who is signed in. The browser holds a cookie that scripts cannot read; the key itself is sent once and kept nowhere.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Api, baseUrl, consoleHeaders } from './api.ts'
import type { KeyScope, ModelInfo } from './api-types.ts'
import { toProblem } from './hooks.ts'

export interface Session {
  api: Api
  models: ModelInfo[]
  isOperator: boolean
  /** A sub-key has no ledger, callbacks and keys. */
  isSubKey: boolean
  /** Whether the key has the right: what it may not do is not offered. */
  may(right: KeyScope): boolean
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

/** Exchanges a key for the cookie of a session. A proxy in front of several cells finds the key's own by the header. */
export async function signIn(key: string, remember: boolean): Promise<void> {
  const isRandom = /^dk_\w+$/.test(key)
  await sessionCall('POST', { key, remember }, isRandom ? { authorization: `Bearer ${key}` } : {})
}

export const signOut = () => sessionCall('DELETE').catch(() => {})

interface SignedInKey {
  isSubKey: boolean
  scopes: KeyScope[]
}

/** The key of the browser's session; null without one, so that the page need not be refused to find out. */
async function signedInKey(): Promise<SignedInKey | null> {
  const { signedIn, key } = await sessionCall('GET')
  if (!signedIn) return null
  // The key has expired, or its account was deleted: the next request says so.
  return key ?? { isSubKey: false, scopes: [] }
}

async function sessionCall(method: 'GET' | 'POST' | 'DELETE', body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${baseUrl()}/console/session`, {
    method,
    headers: { ...consoleHeaders, ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body ? JSON.stringify(body) : null,
  }).catch(() => null)
  if (response?.ok) return (await response.json()).data
  const { msg } = response ? await response.json().catch(() => ({})) : {}
  const message = msg ?? 'The service cannot be reached.'
  throw Object.assign(toProblem(new Error(message)), { code: response?.status ?? 0 })
}

/** What every view needs; null without a session. */
export async function openSession(onSignedOut: () => void) {
  const key = await signedInKey()
  if (key === null) return null
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
  const rights = new Set(key.scopes)
  return { api, allModels, status, balance, isOperator, isSubKey: key.isSubKey, may: rights.has.bind(rights) }
}
