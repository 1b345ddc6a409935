// Fills a database with finished tasks: copies of every row that a real one left, each with ids and times of its own,
// evenly over the 90 days for which records are kept. Files and idempotency records only where they would still be there.
import type { Db, Param, Tx } from '../../src/db/db.ts'
import { isId } from '../../src/platform/ids.ts'
import { type Row, recordKeptMs, type Sample } from './sample-task.ts'

const otherAccounts = 997
const rowsAtOnce = 50_000

export interface FillOptions {
  count: number
  /** Every so many'th task is of the sample's account, the others are those of many. */
  ownEvery: number
}

export async function fill(db: Db, sample: Sample, { count, ownEvery }: FillOptions): Promise<void> {
  const words = createWords(db.dialect, sample, { count, ownEvery })
  await insertOtherAccounts(db)
  for (let from = 0; from < count; from += rowsAtOnce) {
    const to = Math.min(count, from + rowsAtOnce) - 1
    await db.transaction(async (tx) => {
      // Rows that point at nothing cannot come about here, and looking for them takes half of the time.
      if (db.dialect === 'postgres') await tx.run('set local session_replication_role = replica')
      for (const { table, rows, keptMs } of sample.left) {
        const firstKept = Math.floor(count * (1 - keptMs / recordKeptMs))
        if (to < firstKept) continue
        for (const row of rows) await insertCopies(tx, table, words(row), Math.max(from, firstKept), to)
      }
    })
  }
  await settleDown(db)
}

interface Copied {
  column: string
  /** In terms of `n`, the number of the copy. */
  sql: string
  params: Param[]
}

/** What stands for each value of the sample's rows in the copy number `n`. */
function createWords(dialect: Db['dialect'], sample: Sample, { count, ownEvery }: FillOptions) {
  const stepMs = Math.floor(recordKeptMs / count)
  const firstMs = Date.now() - stepMs * count
  const hex = (value: string, digits: number) =>
    dialect === 'sqlite' ? `printf('%0${digits}x', ${value})` : `lpad(to_hex(${value}), ${digits}, '0')`
  const timeHex = hex(`${firstMs} + n * ${stepMs}`, 12)
  // An odd factor scatters the numbers over 48 bits and gives no two the same.
  const tail = (salt: number) => hex(`((n * 16 + ${salt}) * 2654435761) & 281474976710655`, 12)
  const id = (salt: number) =>
    `substr(${timeHex}, 1, 8) || '-' || substr(${timeHex}, 9, 4) || '-7000-8000-' || ${tail(salt)}`
  const random = dialect === 'sqlite' ? 'lower(hex(randomblob(16)))' : 'md5(random()::text)'
  const owned = (mine: string, others: string) =>
    `case when n % ${ownEvery} = 0 then '${mine}' else '${others}' || (n % ${otherAccounts}) end`
  const known = new Map<Param, string>([
    [sample.taskId, id(0)],
    [sample.accountId, owned(sample.accountId, 'other-')],
    [sample.keyId, owned(sample.keyId, 'key-')],
  ])
  let salts = 0

  return (row: Row): Copied[] => {
    const key = row.id ?? row.token!
    // Its own id is made once, and stands wherever else the sample has it.
    if (!known.has(key)) known.set(key, isId(String(key)) ? id(++salts) : random)
    return Object.entries(row).map(([column, value]) => {
      const word = known.get(value)
      if (word !== undefined && value !== null) return { column, sql: word, params: [] }
      if (column === 'storage_key') return { column, sql: `'xx/' || ${random}`, params: [] }
      if (/(^|_)at$/.test(column) && value !== null) {
        return { column, sql: `${firstMs + Number(value) - sample.createdAt} + n * ${stepMs}`, params: [] }
      }
      return { column, sql: '?', params: [value] }
    })
  }
}

async function insertCopies(tx: Tx, table: string, copied: Copied[], from: number, to: number): Promise<void> {
  const numbers =
    tx.dialect === 'sqlite'
      ? `(with recursive s(n) as (select cast(? as integer) union all select n + 1 from s where n < ?) select n from s)`
      : '(select n from generate_series(?::bigint, ?::bigint) as s(n))'
  await tx.run(
    `insert into ${table} (${copied.map(({ column }) => column).join(', ')})
     select ${copied.map(({ sql }) => sql).join(', ')} from ${numbers} as numbers`,
    [...copied.flatMap(({ params }) => params), from, to],
  )
}

async function insertOtherAccounts(db: Db): Promise<void> {
  const accounts = Array.from({ length: otherAccounts }, (_, i) => ({
    id: `other-${i}`,
    name: `other ${i}`,
    balance: 0,
    webhook_secret: 's',
    created_at: 0,
  }))
  await db.transaction((tx) => tx.insert('accounts', accounts))
}

/** What PostgreSQL does by itself sooner or later. SQLite does what it must when the database is closed. */
async function settleDown(db: Db): Promise<void> {
  if (db.dialect === 'sqlite') return
  await db.run('vacuum analyze')
  await db.run('checkpoint')
}
