// Updates many rows in one statement, each with values of its own.
import { waitForAll } from '../platform/wait-for-all.ts'
import { lockRows, type Param, type Tx } from './db.ts'
import { type ColumnType, givenRows } from './given-rows.ts'

interface EachUpdate<Name extends string> {
  table: string
  /** The indexed column that finds the rows; `id` unless it is another one. */
  by?: string
  /** The types of the values. */
  columns: Record<Name, ColumnType>
  /** The assignments. `own` has the SQL of each of the row's own values. */
  set(own: Record<Name, string>): string
  /** What must also hold for a row to be updated. */
  where?(own: Record<Name, string>): string
  /** Columns of the updated rows. */
  returning?: readonly string[]
  /**
   * The transaction has locked these rows, or others that they belong to. Rows that are not locked yet are locked in the
   * order of their ids first, so that two batches cannot deadlock.
   */
  areLocked: boolean
}

/**
 * Each row has its id and its own values. Returns the updated rows if `returning` names columns of them. The statement goes
 * through the given rows and finds each in the table, which is cheap while `by` is indexed.
 */
export async function updateEach<Row, Name extends string>(
  tx: Tx,
  { table, by = 'id', columns, set, where, returning, areLocked }: EachUpdate<Name>,
  rows: readonly ({ id: string } & Record<NoInfer<Name>, Param>)[],
): Promise<Row[]> {
  if (rows.length === 0) return []
  const given = givenRows<Name | 'id'>(tx, { id: 'text', ...columns } as Record<Name | 'id', ColumnType>, rows)
  const own = Object.fromEntries(Object.keys(columns).map((name) => [name, `v_${name}`])) as Record<Name, string>
  const condition = where ? ` and ${where(own)}` : ''
  // On PostgreSQL, `*` alone would include the given values.
  const returned = returning?.map((column) => (column === '*' && tx.dialect === 'postgres' ? `${table}.*` : column))
  const text = `update ${table} set ${set(own)} from ${given.from} where ${table}.${by} = v_id${condition}${
    returned ? ` returning ${returned.join(', ')}` : ''
  }`
  const ids = areLocked ? [] : rows.map(({ id }) => id)
  const [, updated] = await waitForAll([lockRows(tx, table, ids, by), tx.all<Row>(text, given.params)])
  return updated
}
