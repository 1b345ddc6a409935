// The account's signing secret: reads it, and rotates it with an overlap in which both secrets sign.
import { replaceWebhookSecret } from '../accounts/accounts.ts'
import type { Sql, Tx } from '../db/db.ts'
import type { SigningSecrets } from './sign.ts'

/** After a rotation, callbacks carry both signatures for this long, so that receivers can switch over. */
export const overlapMs = 24 * 3_600_000

export interface WebhookSecret {
  secret: string
  /** Until when callbacks are also signed with the previous secret. */
  previousUntil: number | null
}

export interface SecretColumns {
  webhook_secret: string
  webhook_secret_old: string | null
  webhook_secret_old_until: number | null
}

const columns = 'webhook_secret, webhook_secret_old, webhook_secret_old_until'

export async function readSecret(sql: Sql, accountId: string, nowMs: number): Promise<WebhookSecret> {
  return toSecret(await readRow(sql, accountId), nowMs)
}

/** A second rotation within the overlap drops the oldest secret: only the last two ever sign. */
export async function rotateSecret(tx: Tx, accountId: string, nowMs: number): Promise<WebhookSecret> {
  const secret = await replaceWebhookSecret(tx, accountId, nowMs + overlapMs)
  return { secret, previousUntil: nowMs + overlapMs }
}

export function signingSecrets(row: SecretColumns, nowMs: number): SigningSecrets {
  const overlaps = row.webhook_secret_old_until !== null && row.webhook_secret_old_until > nowMs
  return { current: row.webhook_secret, previous: overlaps ? row.webhook_secret_old : null }
}

export async function readSigningSecrets(sql: Sql, accountId: string, nowMs: number): Promise<SigningSecrets> {
  return signingSecrets(await readRow(sql, accountId), nowMs)
}

async function readRow(sql: Sql, accountId: string): Promise<SecretColumns> {
  return (await sql.one<SecretColumns>(`select ${columns} from accounts where id = ?`, [accountId]))!
}

function toSecret(row: SecretColumns, nowMs: number): WebhookSecret {
  return {
    secret: row.webhook_secret,
    previousUntil: signingSecrets(row, nowMs).previous === null ? null : row.webhook_secret_old_until,
  }
}
