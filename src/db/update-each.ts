// Updates many rows in one statement, each with values of its own.
import { waitForAll } from '../platform/wait-for-all.ts'
import { arrayParam, inList, type Param, type RowTypes, rowsParam, type Sql, type Tx } from './db.ts'

interface EachUpdate<Name extends string> {
  table: string
  /** The indexed column that finds the rows; `id` unless it is another one. */
  by?: string
  /** The types of the values. */
  columns: Record<Name, RowTypes[string]>
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

/** Each row has its id and its own values. Returns the updated rows if `returning` names columns of them. */
export async function updateEach<Row, Name extends string>(
  tx: Tx,
  update: EachUpdate<Name>,
  rows: readonly ({ id: string } & Record<NoInfer<Name>, Param>)[],
): Promise<Row[]> {
  if (rows.length === 0) return []
  if (tx.dialect === 'sqlite') {
    const byId = Object.fromEntries(rows.map((row) => [row.id, row]))
    return tx.all(sqliteText(update), [rowsParam(byId)])
  }
  const names = ['id', ...Object.keys(update.columns)] as ('id' | Name)[]
  const arrays = names.map((name) => arrayParam(rows.map((row) => row[name])))
  const locking = update.areLocked ? [] : tx.all(lockText(tx, update), [JSON.stringify(rows.map(({ id }) => id))])
  const [, updated] = await waitForAll([locking, tx.all<Row>(postgresText(update), arrays)])
  return updated
}

/** Goes through the rows of the parameter and finds each in the table. */
function sqliteText<Name extends string>(update: EachUpdate<Name>): string {
  const { table, by = 'id', columns, set, where, returning } = update
  const given = Object.keys(columns).map((name) => `json_extract(value, '$.${name}') as v_${name}`)
  const own = sqlOfEach(columns)
  return `update ${table} set ${set(own)}
    from (select key as v_id, ${given.join(', ')} from json_each(?)) as given
    where ${by} = v_id${where ? ` and ${where(own)}` : ''}${returning ? ` returning ${returning.join(', ')}` : ''}`
}

/** Goes through the rows of the parameters and finds each in the table, which is cheap while `by` is indexed. */
function postgresText<Name extends string>(update: EachUpdate<Name>): string {
  const { table, by = 'id', columns, set, where, returning } = update
  const given = Object.entries({ id: 'text', ...columns })
  const own = sqlOfEach(columns)
  return `update ${table} set ${set(own)}
    from unnest(${given.map(([, type]) => `?::${type}[]`).join(', ')}) as given(${given.map(([name]) => `v_${name}`).join(', ')})
    where ${table}.${by} = v_id${where ? ` and ${where(own)}` : ''}${
      returning ? ` returning ${returning.map((column) => `${table}.${column}`).join(', ')}` : ''
    }`
}

function lockText(sql: Sql, { table, by = 'id' }: Pick<EachUpdate<string>, 'table' | 'by'>): string {
  return `select ${by} from ${table} where ${inList(sql, by)} order by ${by} for update`
}

function sqlOfEach<Name extends string>(columns: Record<Name, unknown>): Record<Name, string> {
  const names = Object.keys(columns) as Name[]
  return Object.fromEntries(names.map((name) => [name, `v_${name}`])) as Record<Name, string>
}
