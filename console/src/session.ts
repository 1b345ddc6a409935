// Who is signed in: the key stays in this tab's sessionStorage and goes nowhere but to the service.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Api, createApi, isProblem } from './api.ts'
import type { ModelInfo } from './api-types.ts'

const storageKey = 'dailies-key'

export interface Session {
  api: Api
  models: ModelInfo[]
  isOperator: boolean
  balance: number
  refreshBalance(): void
  signOut(): void
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('not signed in')
  return session
}

export const storedKey = () => sessionStorage.getItem(storageKey)
export const keepKey = (key: string) => sessionStorage.setItem(storageKey, key)
export const forgetKey = () => sessionStorage.removeItem(storageKey)

/** What every view needs, read with the key; fails when the key is not good. */
export async function openSession(key: string) {
  const api = createApi(key)
  const [models, balance, isOperator] = await Promise.all([
    api.models(),
    api.credit(),
    api.operatorStatus().then(
      () => true,
      (error) => {
        // Keys without the right are told that there is nothing here.
        if (isProblem(error) && error.code === 404) return false
        throw error
      },
    ),
  ])
  return { api, models: models.filter((model) => model.kind === 'video'), balance, isOperator }
}
