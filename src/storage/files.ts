// Rows of files: type, owner and expiry. The bytes are in the storage port.
import { anyOf, type Sql, type Tx } from '../db/db.ts'
import { newToken } from '../platform/ids.ts'

export interface FileRow {
  token: string
  account_id: string
  task_id: string | null
  purpose: 'input' | 'video' | 'thumbnail' | 'frame' | 'upload'
  storage_key: string
  name: string
  mime: string
  bytes: number
  created_at: number
  expires_at: number
}

export type NewFile = Pick<FileRow, 'account_id' | 'task_id' | 'purpose' | 'name' | 'mime' | 'bytes' | 'expires_at'>

const folderCount = 64

/**
 * Files of the same second share a folder. A file is durable once the entry in its folder is, and one write of that
 * entry's block serves all files that were added together. The folders take turns, so that files are spread evenly.
 */
const folderAt = (nowMs: number) => (Math.floor(nowMs / 1000) % folderCount).toString(36)

/** Inserts the row before the bytes exist, so that bytes left by a crash are found and swept when the row expires. */
export async function reserveFiles(tx: Tx, files: NewFile[], nowMs: number): Promise<FileRow[]> {
  const folder = folderAt(nowMs)
  const rows = files.map((file) => {
    const token = newToken(tx.cell)
    return { token, ...file, storage_key: `${folder}/${token}`, created_at: nowMs }
  })
  await tx.insert('files', rows)
  return rows
}

/** Finds an unexpired file by its token. */
export function findFile(sql: Sql, token: string, nowMs: number): Promise<FileRow | undefined> {
  return sql.one('select * from files where token = ? and expires_at > ?', [token, nowMs])
}

export async function setFileExpiry(sql: Sql, tokens: string[], expiresAt: number): Promise<void> {
  if (tokens.length === 0) return
  await sql.run(`update files set expires_at = ? where ${anyOf(sql, 'token')}`, [expiresAt, JSON.stringify(tokens)])
}

/** Expires the files of these tasks now, except those to keep; the sweeper deletes the bytes. */
export async function expireTaskFiles(tx: Tx, taskIds: string[], keptTokens: string[], nowMs: number): Promise<void> {
  if (taskIds.length === 0) return
  await tx.run(
    // `+expires_at` keeps query planners off the index by expiry: most files expire later than now, so it excludes few.
    `update files set expires_at = ? where ${anyOf(tx, 'task_id')} and +expires_at > ? and not ${anyOf(tx, 'token')}`,
    [nowMs, JSON.stringify(taskIds), nowMs, JSON.stringify(keptTokens)],
  )
}

/** Expires every file of an account, and returns how many there were. */
export function expireAccountFiles(tx: Tx, accountId: string, nowMs: number): Promise<number> {
  return tx.run('update files set expires_at = ? where account_id = ? and expires_at > ?', [nowMs, accountId, nowMs])
}

/** Unexpired uploads of an account, newest first; older than `before`, where that is given. */
export function listUploads(
  sql: Sql,
  accountId: string,
  page: { before: { createdAt: number; token: string } | null; limit: number },
  nowMs: number,
): Promise<FileRow[]> {
  const { createdAt, token } = page.before ?? { createdAt: Number.MAX_SAFE_INTEGER, token: '' }
  return sql.all(
    `select * from files where account_id = ? and purpose = 'upload' and expires_at > ?
       and (created_at < ? or (created_at = ? and token < ?)) order by created_at desc, token desc limit ?`,
    [accountId, nowMs, createdAt, createdAt, token, page.limit],
  )
}

/** The upload expires now; the sweeper removes the bytes. False where the account has no such upload. */
export async function deleteUpload(tx: Tx, accountId: string, token: string, nowMs: number): Promise<boolean> {
  const changed = await tx.run(
    `update files set expires_at = ? where token = ? and account_id = ? and purpose = 'upload' and expires_at > ?`,
    [nowMs, token, accountId, nowMs],
  )
  return changed > 0
}

/** `/files/<token>/<name>`: the name is only for people and download dialogs. */
export function fileUrl(publicUrl: string, file: { token: string; name: string }): string {
  return `${publicUrl}/files/${file.token}/${encodeURIComponent(file.name)}`
}

/** The token in one of our own file URLs, however it is spelled; null for any other URL. */
export function tokenOfUrl(publicUrl: string, url: string): string | null {
  if (!URL.canParse(url)) return null
  const ours = new URL(publicUrl)
  const { origin, pathname } = new URL(url)
  const base = ours.pathname.replace(/\/$/, '')
  if (origin !== ours.origin || !pathname.startsWith(`${base}/files/`)) return null
  return pathname.slice(base.length).split('/')[2] || null
}
