// Signs callbacks according to the Standard Webhooks specification: with which secret, and how secrets are rotated. For a
// while, the old and the new one both sign. Callbacks of a main key are signed with the account's secret, those of a sub-key with one derived from it. A key that has a secret of
// its own uses that instead.
import { createHmac } from 'node:crypto'
import { replaceWebhookSecret } from '../accounts/accounts.ts'
import { lockKey, replaceKeyWebhookSecret } from '../accounts/keys/keys.ts'
import { type Actor, recordAct } from '../audit/audit.ts'
import { anyOf, type Sql, type Tx } from '../db/db.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

/** After a rotation, callbacks carry both signatures for this long, so that receivers can switch over. */
const overlapMs = 24 * 3_600_000

interface WebhookSecret {
  secret: string
  /** Until when callbacks are also signed with the previous secret. */
  previousUntil: number | null
}

/** The secrets of an account (`a`), and of one of its keys (`k`), if there is one. */
export interface SecretColumns {
  webhook_secret: string
  old_webhook_secret: string | null
  old_webhook_secret_until: number | null
  signer_id: string | null
  signer_parent_id: string | null
  signer_secret: string | null
  signer_old_secret: string | null
  signer_old_secret_until: number | null
}

const columns = `a.webhook_secret, a.old_webhook_secret, a.old_webhook_secret_until, k.id as signer_id,
  k.parent_id as signer_parent_id, k.webhook_secret as signer_secret, k.old_webhook_secret as signer_old_secret,
  k.old_webhook_secret_until as signer_old_secret_until`

/** Deliveries with what signs them, by a JSON array of their ids. */
export const selectSendable = (
  sql: Sql,
) => `select d.*, ${columns} from deliveries d join accounts a on a.id = d.account_id
  left join keys k on k.id = d.key_id where ${anyOf(sql, 'd.id')}`

export function signingSecrets(row: SecretColumns, nowMs: number, box: SecretBox): SigningSecrets {
  const { current, previous } = signing(row, nowMs, box)
  return { current, previous }
}

function signing(row: SecretColumns, nowMs: number, box: SecretBox) {
  const isOwn = row.signer_secret !== null
  const until = isOwn ? row.signer_old_secret_until : row.old_webhook_secret_until
  const old = isOwn ? row.signer_old_secret : row.old_webhook_secret
  const previous = until !== null && until > nowMs ? old : null
  const isDerived = !isOwn && row.signer_parent_id !== null
  const finished = (stored: string) => {
    const secret = box.open(stored)
    return isDerived ? derivedSecret(secret, row.signer_id!) : secret
  }
  return {
    current: finished(isOwn ? row.signer_secret! : row.webhook_secret),
    previous: previous === null ? null : finished(previous),
    previousUntil: previous === null ? null : until,
  }
}

/** Differs from key to key, and reveals nothing about the account's secret. */
function derivedSecret(accountSecret: string, keyId: string): string {
  const bytes = createHmac('sha256', accountSecret).update(`sub-key ${keyId}`).digest()
  return `whsec_${bytes.toString('base64')}`
}

/** The account, or one of its keys. */
interface SecretOwner {
  accountId: string
  keyId: string | null
}

export async function readSecret(
  sql: Sql,
  { accountId, keyId }: SecretOwner,
  nowMs: number,
  box: SecretBox,
): Promise<WebhookSecret> {
  const row = await sql.one<SecretColumns>(
    `select ${columns} from accounts a left join keys k on k.account_id = a.id and k.id = ? where a.id = ?`,
    [keyId, accountId],
  )
  const { current: secret, previousUntil } = signing(row!, nowMs, box)
  return { secret, previousUntil }
}

/**
 * A key has a secret of its own from its first rotation on. A second rotation within the overlap drops the oldest
 * secret: only the last two ever sign.
 */
export async function rotateSecret(
  tx: Tx,
  by: Actor,
  owner: SecretOwner & { accountName: string },
  nowMs: number,
  box: SecretBox,
): Promise<WebhookSecret> {
  const { accountId, keyId } = owner
  const previousUntil = nowMs + overlapMs
  // Before its secret is read: of two rotations at the same time, the second must replace the secret of the first.
  if (keyId !== null) await lockKey(tx, keyId)
  const secret =
    keyId === null
      ? await replaceWebhookSecret(tx, accountId, previousUntil, box)
      : await replaceKeyWebhookSecret(tx, keyId, (await readSecret(tx, owner, nowMs, box)).secret, previousUntil, box)
  const target = keyId ?? owner.accountName
  await recordAct(tx, by, { action: 'secret.rotate', target, after: { previousUntil } }, nowMs)
  return { secret, previousUntil }
}

interface SigningSecrets {
  current: string
  /** The secret before the last rotation, while receivers may still verify with it. */
  previous: string | null
}

interface SignedHeaders {
  'content-type': string
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** Headers of one attempt: the id is stable, the timestamp is the attempt's. One signature per valid secret. */
export function signedHeaders(id: string, body: string, secrets: SigningSecrets, nowMs: number): SignedHeaders {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signed = `${id}.${timestamp}.${body}`
  const signatures = [secrets.current, ...(secrets.previous === null ? [] : [secrets.previous])].map(
    (secret) => `v1,${hmac(secret, signed)}`,
  )
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

// Uses Node's HMAC instead of a JavaScript package, because a callback with many vectors is megabytes long.
function hmac(secret: string, text: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(text).digest('base64')
}
