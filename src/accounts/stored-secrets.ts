// The secrets of accounts and keys as they are stored: encrypted where the operator has set a key.
import { forUpdate, type Sql, type Tx } from '../db/db.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

interface SecretRow {
  id: string
  webhook_secret: string
  old_webhook_secret: string | null
}

/** Deleted accounts have no secret, and few keys have one of their own. */
const owners = [
  {
    select: `select id, webhook_secret, old_webhook_secret from accounts where webhook_secret <> ''`,
    update: 'update accounts set webhook_secret = ?, old_webhook_secret = ? where id = ?',
  },
  {
    select: 'select id, webhook_secret, old_webhook_secret from keys where webhook_secret is not null',
    update: 'update keys set webhook_secret = ?, old_webhook_secret = ? where id = ?',
  },
]

/** Encrypts every secret with the newest key. Returns how many accounts and keys had secrets to change. */
export async function encryptSecrets(tx: Tx, box: SecretBox): Promise<number> {
  const again = (stored: string) => (box.isCurrent(stored) ? stored : box.seal(box.open(stored)))
  let changed = 0
  for (const { select, update } of owners) {
    const rows = await tx.all<SecretRow>(`${select} order by id ${forUpdate(tx)}`)
    for (const row of rows) {
      if (isCurrent(row, box)) continue
      const { id, webhook_secret: secret, old_webhook_secret: old } = row
      await tx.run(update, [again(secret), old === null ? null : again(old), id])
      changed++
    }
  }
  return changed
}

/** How many accounts and keys have secrets that are not stored as they would be now, and secrets that cannot be read. */
export async function countStaleSecrets(sql: Sql, box: SecretBox): Promise<{ stale: number; unreadable: number }> {
  const rows = (await Promise.all(owners.map(({ select }) => sql.all<SecretRow>(select)))).flat()
  return {
    stale: rows.filter((row) => !isCurrent(row, box)).length,
    unreadable: rows.filter((row) => !storedIn(row).every(box.canOpen)).length,
  }
}

const storedIn = ({ webhook_secret: secret, old_webhook_secret: old }: SecretRow) =>
  old === null ? [secret] : [secret, old]

const isCurrent = (row: SecretRow, box: SecretBox) => storedIn(row).every(box.isCurrent)
