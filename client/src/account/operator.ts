// What keys with the operator right can see and switch.
import type {
  Account,
  AccountKey,
  AccountLedgerEntry,
  AuditEntry,
  Delivery,
  DeliveryState,
  EngineHistory,
  MadeAccount,
  NewAccount,
  OperatorQueues,
  OperatorStatus,
  OperatorTask,
  OwnedSecret,
} from '../contract.ts'
import type { TaskFilter } from '../tasks/tasks.ts'
import { type Connection, pathPart, type RequestOptions } from '../transport/connection.ts'
import { allOf, type PageOptions, type Pages, pagesBy, pagesOf } from '../transport/pages.ts'
import { type AllKeys, createKeyActs } from './keys.ts'
import type { DeliveryFilter } from './webhooks.ts'

export interface AuditFilter {
  actor?: string | undefined
  /** An action such as `key.create`, or its subject, such as `key`. */
  action?: string | undefined
  /** Epoch milliseconds. */
  since?: number | undefined
  until?: number | undefined
}

export interface AllTasksFilter extends Omit<TaskFilter, 'key'> {
  /** The name of an account. */
  account?: string | undefined
}

/** The account or the key whose callbacks a secret signs. */
export type SecretOwner = { account: string } | { keyId: string }

export interface Operator {
  status(options?: RequestOptions): Promise<OperatorStatus>
  setMaintenance(on: boolean, options?: RequestOptions): Promise<{ maintenance: boolean }>
  setFeature(name: string, enabled: boolean, options?: RequestOptions): Promise<{ name: string; enabled: boolean }>
  /** Oldest first; reads page after page. */
  accounts(options?: RequestOptions): Promise<Account[]>
  /** The same page by page. */
  accountPages(options?: PageOptions): Pages<Account>
  /** A new account with its first key, which is shown only once. */
  createAccount(account: NewAccount, options?: RequestOptions): Promise<MadeAccount>
  /** Grants credits to the account of this name; a negative number withdraws them. */
  grant(name: string, credits: number, options?: RequestOptions): Promise<{ name: string; balance: number }>
  /** Main keys and sub-keys of the account of this name, oldest first; reads page after page. */
  accountKeys(name: string, options?: RequestOptions): Promise<AccountKey[]>
  /** The same page by page. */
  accountKeyPages(name: string, options?: PageOptions): Pages<AccountKey>
  /** Revokes a key of the account of this name, and its sub-keys. */
  revokeAccountKey(name: string, keyId: string, options?: RequestOptions): Promise<{ id: string }>
  keys: AllKeys
  /** Ledger entries of every account, newest first. */
  ledger(
    filter?: { account?: string | undefined; taskId?: string | undefined } & PageOptions,
  ): Pages<AccountLedgerEntry>
  /** Callbacks of every account, newest first; `id` is the end of an id. */
  deliveries(filter?: DeliveryFilter & { account?: string | undefined } & PageOptions): Pages<Delivery>
  resend(id: string, options?: RequestOptions): Promise<{ id: string; state: DeliveryState }>
  webhookSecret(owner: SecretOwner, options?: RequestOptions): Promise<OwnedSecret>
  rotateWebhookSecret(owner: SecretOwner, options?: RequestOptions): Promise<OwnedSecret>
  queues(options?: RequestOptions): Promise<OperatorQueues>
  pauseQueue(name: string, options?: RequestOptions): Promise<{ queue: string; paused: boolean }>
  resumeQueue(name: string, options?: RequestOptions): Promise<{ queue: string; paused: boolean }>
  /** Jobs that wait for a later time, such as a retry, become due now. */
  retryQueue(name: string, options?: RequestOptions): Promise<{ queue: string; retried: number }>
  /** Tasks of every account, newest first. */
  tasks(filter?: AllTasksFilter & PageOptions): Pages<OperatorTask>
  /** How each engine did in the last `hours`; 24 by default. */
  engineHistory(options?: { hours?: number } & RequestOptions): Promise<EngineHistory[]>
  /** Entries of the audit log, newest first. */
  audit(filter?: AuditFilter & PageOptions): Pages<AuditEntry>
}

export function createOperator(connection: Connection): Operator {
  const base = '/api/v1/operator'
  const accountPages: Operator['accountPages'] = (options) => pagesOf(connection, `${base}/accounts`, { ...options })
  const accountKeyPages: Operator['accountKeyPages'] = (name, options) =>
    pagesOf(connection, `${base}/accounts/${pathPart(name)}/keys`, { ...options })
  const act = <T>(path: string, json: object, options?: RequestOptions) =>
    connection.call<T>({ method: 'POST', path: `${base}/${path}`, json, repeat: 'if-refused', ...options })
  return {
    status: (options) => connection.call({ method: 'GET', path: `${base}/status`, ...options }),
    setMaintenance: (on, options) =>
      connection.call({ method: 'POST', path: `${base}/maintenance`, json: { on }, ...options }),
    setFeature: (name, enabled, options) =>
      connection.call({ method: 'POST', path: `${base}/features`, json: { name, enabled }, ...options }),
    accounts: (options) => allOf(accountPages(options)),
    accountPages,
    createAccount: (account, options) => act('accounts', account, options),
    grant: (name, credits, options) => act(`accounts/${pathPart(name)}/credit`, { credits }, options),
    accountKeys: (name, options) => allOf(accountKeyPages(name, options)),
    accountKeyPages,
    revokeAccountKey: (name, keyId, options) =>
      connection.call({
        method: 'DELETE',
        path: `${base}/accounts/${pathPart(name)}/keys/${pathPart(keyId)}`,
        repeat: 'if-refused',
        ...options,
      }),
    keys: createKeyActs(connection, `${base}/keys`),
    ledger: (filter = {}) => pagesOf(connection, `${base}/ledger`, { ...filter }),
    deliveries: (filter = {}) => pagesOf(connection, `${base}/webhooks/deliveries`, { ...filter }),
    resend: (id, options) => act(`webhooks/deliveries/${pathPart(id)}/resend`, {}, options),
    webhookSecret: (owner, options) =>
      connection.call({ method: 'GET', path: `${base}/webhooks/secret`, query: owner, ...options }),
    rotateWebhookSecret: (owner, options) => act('webhooks/secret/rotate', owner, options),
    queues: (options) => connection.call({ method: 'GET', path: `${base}/queues`, ...options }),
    pauseQueue: (name, options) => act(`queues/${pathPart(name)}/pause`, {}, options),
    resumeQueue: (name, options) => act(`queues/${pathPart(name)}/resume`, {}, options),
    retryQueue: (name, options) => act(`queues/${pathPart(name)}/retry`, {}, options),
    tasks: (filter = {}) => pagesOf(connection, `${base}/tasks`, { ...filter }),
    async engineHistory({ hours, signal } = {}) {
      const call = { method: 'GET', path: `${base}/engines/history`, query: { hours }, signal } as const
      return (await connection.call<{ items: EngineHistory[] }>(call)).items
    },
    audit: ({ signal, ...filter } = {}) =>
      pagesBy(async (cursor) => {
        const query = { ...filter, cursor }
        const call = { method: 'GET', path: `${base}/audit`, query, signal } as const
        const page = await connection.call<{ items: AuditEntry[]; cursor: string | null }>(call)
        return { items: page.items, nextCursor: page.cursor }
      }),
  }
}
