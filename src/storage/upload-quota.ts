// The upload quota: an account's unexpired uploads together stay within it.
import { forUpdate, type Sql, type Tx } from '../db/db.ts'

/** The bytes left for the account. Locks the account, so that two uploads cannot both use the last bytes. */
export async function uploadRoom(tx: Tx, accountId: string, quotaBytes: number, nowMs: number): Promise<number> {
  await tx.one(`select id from accounts where id = ? ${forUpdate(tx)}`, [accountId])
  return quotaBytes - (await uploadedBytes(tx, accountId, nowMs))
}

export async function uploadedBytes(sql: Sql, accountId: string, nowMs: number): Promise<number> {
  const used = await sql.one<{ bytes: number }>(
    `select coalesce(sum(bytes), 0) as bytes from files where account_id = ? and purpose = 'upload' and expires_at > ?`,
    [accountId, nowMs],
  )
  return used!.bytes
}
