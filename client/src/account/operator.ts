// What keys with the operator right can see and switch.
import type { Account, AuditEntry, MadeAccount, NewAccount, OperatorStatus } from '../contract.ts'
import { type Connection, pathPart, type RequestOptions } from '../transport/connection.ts'
import { type PageOptions, type Pages, pagesBy } from '../transport/pages.ts'

export interface AuditFilter {
  actor?: string
  /** An action such as `key.create`, or its subject, such as `key`. */
  action?: string
  /** Epoch milliseconds. */
  since?: number
  until?: number
}

export interface Operator {
  status(options?: RequestOptions): Promise<OperatorStatus>
  setMaintenance(on: boolean, options?: RequestOptions): Promise<{ maintenance: boolean }>
  setFeature(name: string, enabled: boolean, options?: RequestOptions): Promise<{ name: string; enabled: boolean }>
  accounts(options?: RequestOptions): Promise<Account[]>
  /** A new account with its first key, which is shown this once. */
  createAccount(account: NewAccount, options?: RequestOptions): Promise<MadeAccount>
  /** Gives credits to the account of this name. */
  grant(name: string, credits: number, options?: RequestOptions): Promise<{ name: string; balance: number }>
  /** What was done, newest first. */
  audit(filter?: AuditFilter & PageOptions): Pages<AuditEntry>
}

export function createOperator(connection: Connection): Operator {
  const base = '/api/v1/operator'
  return {
    status: (options) => connection.call({ method: 'GET', path: `${base}/status`, ...options }),
    setMaintenance: (on, options) =>
      connection.call({ method: 'POST', path: `${base}/maintenance`, json: { on }, ...options }),
    setFeature: (name, enabled, options) =>
      connection.call({ method: 'POST', path: `${base}/features`, json: { name, enabled }, ...options }),
    async accounts(options) {
      const path = `${base}/accounts`
      return (await connection.call<{ items: Account[] }>({ method: 'GET', path, ...options })).items
    },
    createAccount: (account, options) =>
      connection.call({
        method: 'POST',
        path: `${base}/accounts`,
        json: account,
        repeat: 'if-refused',
        ...options,
      }),
    grant(name, credits, options) {
      const path = `${base}/accounts/${pathPart(name)}/credit`
      return connection.call({ method: 'POST', path, json: { credits }, repeat: 'if-refused', ...options })
    },
    audit: ({ signal, ...filter } = {}) =>
      pagesBy(async (cursor) => {
        const query = { ...filter, cursor }
        const page: { items: AuditEntry[]; cursor: string | null } = await connection.call({
          ...{ method: 'GET', path: `${base}/audit`, query, signal },
        })
        return { items: page.items, nextCursor: page.cursor }
      }),
  }
}
