// What an account owns, as lines of JSON and as files. Neither keys nor secrets are in it, nor the attempts of tasks and
// callbacks.
import { copyFile, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '../contract/accounts.ts'
import type { Sql } from '../db/db.ts'
import type { FileRow } from '../storage/files.ts'
import type { Storage } from '../storage/storage.ts'

type Row = Record<string, unknown>

/** What a line is about, the table that it is from, and its key. */
const tables = [
  { record: 'key', table: 'keys', key: 'id' },
  { record: 'task', table: 'tasks', key: 'id' },
  { record: 'request', table: 'inference_requests', key: 'id' },
  { record: 'delivery', table: 'deliveries', key: 'id' },
  { record: 'ledger', table: 'ledger', key: 'id' },
  { record: 'file', table: 'files', key: 'token' },
] as const

/** Hashes and secrets would be of use only to a thief. */
const leftOut = /hash|secret/
const pageRows = 200

async function* accountRecords(sql: Sql, account: Account): AsyncGenerator<Row> {
  yield { record: 'account', ...account }
  for (const { record, table, key } of tables) {
    let after = ''
    for (;;) {
      const rows = await sql.all<Row>(
        `select * from ${table} where account_id = ? and ${key} > ? order by ${key} limit ${pageRows}`,
        [account.id, after],
      )
      for (const row of rows) yield { record, ...withoutSecrets(row) }
      if (rows.length < pageRows) break
      after = String(rows.at(-1)![key])
    }
  }
}

const withoutSecrets = (row: Row) => Object.fromEntries(Object.entries(row).filter(([name]) => !leftOut.test(name)))

interface ExportedAccount {
  records: number
  files: number
}

/** Writes `records.ndjson` and `files/<token>/<name>` into a folder. */
export async function exportAccount(
  deps: { db: Sql; storage: Storage; nowMs: number },
  account: Account,
  folder: string,
): Promise<ExportedAccount> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const out = await open(join(folder, 'records.ndjson'), 'wx', 0o600)
  const count: ExportedAccount = { records: 0, files: 0 }
  try {
    for await (const record of accountRecords(deps.db, account)) {
      await out.write(`${JSON.stringify(record)}\n`)
      count.records++
      if (record.record === 'file' && (await copyStored(deps, record as unknown as FileRow, folder))) count.files++
    }
  } finally {
    await out.close()
  }
  return count
}

async function copyStored(deps: { storage: Storage; nowMs: number }, file: FileRow, folder: string): Promise<boolean> {
  if (file.expires_at <= deps.nowMs) return false
  const dir = join(folder, 'files', file.token)
  try {
    const source = await deps.storage.localPath(file.storage_key)
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await copyFile(source, join(dir, safeName(file.name)))
    return true
  } catch (error) {
    // It expired, or was deleted, in the meantime.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Names come from clients: no path, nothing hidden. */
const safeName = (name: string) =>
  name
    .replace(/[/\\\0]/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, 100) || 'file'
