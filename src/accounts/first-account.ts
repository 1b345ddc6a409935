// The account and key of a new installation.
import { type Actor, recordAct } from '../audit/audit.ts'
import { advisoryLocks, type Db } from '../db/db.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { createAccount, findAccount } from './accounts.ts'
import { createKeyBy } from './keys/key-acts.ts'
import { stateOfSecret } from './keys/read-keys.ts'

export const firstAccountName = 'default'

interface FirstAccountOptions {
  /** The operator's own key, if one is set. */
  apiKey: string | null
  credits: number
  secretBox: SecretBox
  /** Whether a database without accounts gets one with a random key. */
  makeKey: boolean
  /** Who starts the service, for the audit log. */
  by: Actor
  nowMs: number
}

/** Returns the key if one was created. It cannot be shown again. */
export function ensureFirstAccount(db: Db, options: FirstAccountOptions): Promise<string | null> {
  const { apiKey, credits, secretBox, makeKey, by, nowMs } = options
  return db.transaction(async (tx) => {
    // Several servers may start on an empty database at once. The lock of migrations must not be waited for.
    if (tx.dialect === 'postgres') await tx.all(`select pg_advisory_xact_lock(${advisoryLocks.firstAccount})`)
    const isFirst = (await tx.one('select 1 as found from accounts limit 1')) === undefined
    if (apiKey === null && !(isFirst && makeKey)) return null
    let account = await findAccount(tx, firstAccountName)
    if (!account) {
      account = await createAccount(tx, firstAccountName, credits, nowMs, secretBox)
      const act = { action: 'account.create', target: account.name, after: { credits } } as const
      await recordAct(tx, by, act, nowMs)
    }
    // A key that was rotated or revoked stays invalid, whatever the settings say.
    if (apiKey !== null && (await stateOfSecret(tx, apiKey)) !== 'unknown') return null
    // Accounts created on the command line before the first start have keys, but none with the operator right.
    const operator = (await tx.one('select 1 as found from keys where operator = 1 limit 1')) === undefined
    const secret = apiKey === null ? {} : { secret: apiKey }
    const { key } = await createKeyBy(tx, by, { accountId: account.id, name: 'first key', operator, ...secret }, nowMs)
    return apiKey === null ? key : null
  })
}
