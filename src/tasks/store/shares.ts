// Share links as rows: an unguessable token leads to the video of one task. Only the hash of the token is stored.
import type { Sql, Tx } from '../../db/db.ts'
import { isId, newId, newToken, sha256Hex } from '../../platform/ids.ts'
import type { StoredVideo } from './task-row.ts'

export interface ShareRow {
  id: string
  hash: string
  task_id: string
  created_at: number
  expires_at: number
}

/** Stores a link and returns it with its token, which cannot be read again. Expired links of the task are deleted. */
export async function insertShare(
  tx: Tx,
  share: { taskId: string; expiresAt: number },
  nowMs: number,
): Promise<ShareRow & { token: string }> {
  await tx.run('delete from task_shares where task_id = ? and expires_at <= ?', [share.taskId, nowMs])
  const token = newToken(tx.cell)
  const row = {
    id: newId(nowMs),
    hash: sha256Hex(token),
    task_id: share.taskId,
    created_at: nowMs,
    expires_at: share.expiresAt,
  }
  await tx.insert('task_shares', [row])
  return { ...row, token }
}

/** Unexpired links of a task, oldest first. */
export function listShares(sql: Sql, taskId: string, nowMs: number): Promise<ShareRow[]> {
  return sql.all('select * from task_shares where task_id = ? and expires_at > ? order by id', [taskId, nowMs])
}

/** False where the task has no such link. */
export async function deleteShare(tx: Tx, taskId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false
  return (await tx.run('delete from task_shares where id = ? and task_id = ?', [id, taskId])) > 0
}

/** The video that a link leads to; null when the link is unknown, revoked or expired. */
export async function sharedVideo(sql: Sql, token: string, nowMs: number): Promise<StoredVideo | null> {
  const row = await sql.one<{ video: string | null }>(
    `select t.video from task_shares s join tasks t on t.id = s.task_id where s.hash = ? and s.expires_at > ?`,
    [sha256Hex(token), nowMs],
  )
  return row?.video ? JSON.parse(row.video) : null
}
