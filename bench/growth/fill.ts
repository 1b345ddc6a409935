// Fills a database with finished tasks: copies of every row that a real one left, each with ids and times of its own,
// evenly over the 90 days for which records are kept. Files and idempotency records only where they would still be there.
import { anyOf, type Db, type Param, type Tx } from '../../src/db/db.ts'
import { isId } from '../../src/platform/ids.ts'
import { type Row, recordKeptMs, type Sample } from './sample-task.ts'

const otherAccounts = 997
const rowsAtOnce = 50_000

interface FillOptions {
  count: number
  /** Every so many'th task is of the sample's account, the others are those of many. */
  ownEvery: number
}

export async function fill(db: Db, sample: Sample, { count, ownEvery }: FillOptions): Promise<void> {
  const words = createWords(db.dialect, sample, { count, ownEvery })
  await insertOtherAccounts(db)
  const tables = sample.left.map(({ table }) => table)
  // Rows are inserted in their final length, which is about half more than they begin with.
  if (db.dialect === 'postgres') await db.run('alter table tasks set (fillfactor = 60)')
  const indexes = await dropIndexes(db, tables)
  for (let from = 0; from < count; from += rowsAtOnce) {
    const to = Math.min(count, from + rowsAtOnce) - 1
    const insert = async (tx: Tx) => {
      // Rows that point at nothing cannot come about here, and looking for them takes half of the time.
      if (db.dialect === 'postgres') await tx.run('set local session_replication_role = replica')
      for (const { table, rows, keptMs } of sample.left) {
        const firstKept = Math.floor(count * (1 - keptMs / recordKeptMs))
        if (to < firstKept) continue
        for (const row of rows) await insertCopies(tx, table, row, words(row), [Math.max(from, firstKept), to])
      }
    }
    await db.transaction(insert, { unhurried: true })
  }
  for (const { definition } of indexes) await db.transaction((tx) => tx.run(definition), { unhurried: true })
  await settleDown(db)
}

/**
 * Building indexes at the end takes a fraction of the time. The one that lists tasks stays in SQLite: an account's part
 * of it would lie in one piece, as it never does in use.
 */
async function dropIndexes(db: Db, tables: string[]): Promise<{ definition: string }[]> {
  const indexes = await db.all<{ name: string; definition: string }>(
    db.dialect === 'sqlite'
      ? `select name, sql as definition from sqlite_master
         where type = 'index' and sql is not null and name <> 'tasks_by_account' and ${anyOf(db, 'tbl_name')}`
      : `select indexname as name, indexdef as definition from pg_indexes where schemaname = 'public'
         and ${anyOf(db, 'tablename')} and indexname not in (select conname from pg_constraint)`,
    [JSON.stringify(tables)],
  )
  for (const { name } of indexes) await db.run(`drop index ${name}`)
  return indexes
}

/** By column, what stands in the copy number `n` of the row `s`. */
type Words = Record<string, string>

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

  function word(column: string, value: Param): string {
    // Taken from the row and not sent along, PostgreSQL need not compress it again for every copy.
    if (value === null) return `s.${column}`
    if (column === 'storage_key') return `'xx/' || ${random}`
    if (/(^|_)at$/.test(column)) return `${firstMs - sample.createdAt} + s.${column} + n * ${stepMs}`
    return known.get(value) ?? `s.${column}`
  }

  return (row: Row): Words => {
    // Its own id is made once, and stands wherever else the sample has it.
    const key = row[keyColumn(row)]!
    if (!known.has(key)) known.set(key, isId(String(key)) ? id(++salts) : random)
    return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, word(column, value)]))
  }
}

/** The sample's task has one attempt. */
const keyColumn = (row: Row) => ['token', 'id', 'task_id'].find((column) => column in row)!

async function insertCopies(tx: Tx, table: string, row: Row, words: Words, range: [number, number]): Promise<void> {
  const numbers =
    tx.dialect === 'sqlite'
      ? '(with recursive m(n) as (select cast(? as integer) union all select n + 1 from m where n < ?) select n from m)'
      : '(select n from generate_series(?::bigint, ?::bigint) as m(n))'
  await tx.run(
    `insert into ${table} (${Object.keys(words).join(', ')})
     select ${Object.values(words).join(', ')} from ${numbers} as numbers, ${table} as s where s.${keyColumn(row)} = ?`,
    [...range, row[keyColumn(row)]!],
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
  await db.run('alter table tasks set (fillfactor = 40)')
  await db.outsideTransaction!('vacuum analyze')
  await db.outsideTransaction!('checkpoint')
}
