// How many streams an account may have open. Its sub-keys share a part, so that neither one of them nor all of them
// together can take every stream of the account.
import type { ServerResponse } from 'node:http'
import { whenClosed } from './when-closed.ts'

interface StreamCaller {
  accountId: string
  keyId: string
  isSubKey: boolean
}

interface StreamShare {
  /** Counts the response until it is closed. False when the caller has no room left. */
  enter(caller: StreamCaller, response: ServerResponse): boolean
}

/** Parts of the account's maximum. */
const ofOneSubKey = 0.2
const ofAllSubKeys = 0.8

export function createStreamShare(max: number): StreamShare {
  const open = new Map<string, number>()
  const change = (name: string, by: number) => {
    const left = (open.get(name) ?? 0) + by
    if (left === 0) open.delete(name)
    else open.set(name, left)
  }
  return {
    enter({ accountId, keyId, isSubKey }, response) {
      const limits: [name: string, max: number][] = [[accountId, max]]
      if (isSubKey) limits.push([`${accountId} sub-keys`, max * ofAllSubKeys], [`key ${keyId}`, max * ofOneSubKey])
      if (limits.some(([name, most]) => (open.get(name) ?? 0) >= most)) return false
      for (const [name] of limits) change(name, 1)
      whenClosed(response, () => {
        for (const [name] of limits) change(name, -1)
      })
      return true
    },
  }
}
