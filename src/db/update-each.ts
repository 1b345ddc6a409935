// Updates many rows in one statement, each with values of its own.
import { inArray, inList, type Param, type RowTypes, rowsParam, type Sql, type Tx } from './db.ts'

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
  const byId = Object.fromEntries(rows.map((row) => [row.id, row]))
  const param = rowsParam(byId)
  return tx.dialect === 'sqlite'
    ? tx.all(sqliteText(update), [param])
    : tx.all(postgresText(tx, update), [param, JSON.stringify(Object.keys(byId))])
}

/** Goes through the rows of the parameter and finds each in the table. */
function sqliteText<Name extends string>(update: EachUpdate<Name>): string {
  const { table, by = 'id', columns, set, where, returning } = update
  const names = Object.keys(columns) as Name[]
  const given = names.map((name) => `json_extract(value, '$.${name}') as v_${name}`)
  const own = sqlOfEach(columns, (name) => `v_${name}`)
  return `update ${table} set ${set(own)}
    from (select key as v_key, ${given.join(', ')} from json_each(?)) as given
    where ${by} = v_key${where ? ` and ${where(own)}` : ''}${returning ? ` returning ${returning.join(', ')}` : ''}`
}

/**
 * Goes through the rows of the table and looks up each one's values in the parameter. PostgreSQL would plan a join with the
 * parameter as a loop that compares each row with all the others, because it expects few of them.
 */
function postgresText<Name extends string>(sql: Sql, update: EachUpdate<Name>): string {
  const { table, by = 'id', columns, set, where, returning, areLocked } = update
  const own = sqlOfEach(columns, (name) => `(given.rows -> ${table}.${by} ->> '${name}')::${columns[name]}`)
  const found = areLocked
    ? inArray(sql, by)
    : `${by} = any(array(select ${by} from ${table} where ${inList(sql, by)} order by ${by} for update))`
  const ending = returning ? ` returning ${returning.map((column) => `${table}.${column}`).join(', ')}` : ''
  return `update ${table} set ${set(own)} from (select ?::jsonb as rows) as given
    where ${found}${where ? ` and ${where(own)}` : ''}${ending}`
}

function sqlOfEach<Name extends string>(columns: Record<Name, unknown>, sqlOf: (name: Name) => string) {
  const names = Object.keys(columns) as Name[]
  return Object.fromEntries(names.map((name) => [name, sqlOf(name)])) as Record<Name, string>
}
