// How statements reach PostgreSQL: named and prepared once per connection, their values typed, sent together.
import { hash } from 'node:crypto'
import pg from 'pg'
import type { Param, Sql } from '../db.ts'
import { type ColumnType, givenRows, storable } from '../given-rows.ts'

// Counts and epoch milliseconds stay far below 2^53.
const parseNumber = (text: string) => Number(text)
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 || oid === 1700 ? parseNumber : pg.types.getTypeParser(oid, format as 'text'),
}

/**
 * Statements that are sent in the same tick go out in one write. One write for each took an eighth of a busy worker's
 * time.
 */
export function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as pg.Client).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

const preparedTexts = new Map<string, { name: string; text: string }>()

/** `?` → `$1, $2, …`, with a stable name so that each connection prepares it once. PostgreSQL logs the name. */
function prepared(text: string): { name: string; text: string } {
  let entry = preparedTexts.get(text)
  if (!entry) {
    let position = 0
    entry = { name: statementName(text), text: text.replace(/\?/g, () => `$${++position}`) }
    preparedTexts.set(text, entry)
  }
  return entry
}

/** `update_tasks_1f0c2a9b`: verb, first table and, because many statements share those, part of a hash. */
function statementName(text: string): string {
  const [lead = '', verb] = /^\s*(select|insert|update|delete)(?: into| from)?\s+/.exec(text) ?? []
  const table = (verb === 'select' ? /\bfrom ([a-z_]+)/ : /^([a-z_]+)/).exec(text.slice(lead.length))?.[1]
  return [verb ?? 'statement', table, hash('sha1', text).slice(0, 8)].filter((word) => word !== undefined).join('_')
}

/** The longest time that a timer can wait. */
export const foreverMs = 2 ** 31 - 1

interface Queryable {
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>
}

export function sqlOn(
  client: Queryable,
  { isNamed, cell }: { isNamed: boolean; cell: string | null },
  answerWithinMs?: number,
): Sql {
  const limit = answerWithinMs === undefined ? {} : { query_timeout: answerWithinMs }
  const query = (text: string, params: readonly Param[] = []) => {
    const statement = prepared(text)
    const named = isNamed ? statement : { text: statement.text }
    return client.query({ ...named, ...limit, values: params.map(storable) })
  }
  const sql: Sql = {
    dialect: 'postgres',
    cell,
    all: async <Row>(text: string, params?: readonly Param[]) => (await query(text, params)).rows as Row[],
    one: async <Row>(text: string, params?: readonly Param[]) => (await query(text, params)).rows[0] as Row | undefined,
    run: async (text, params) => (await query(text, params)).rowCount ?? 0,
    async insert(table, rows) {
      if (rows.length === 0) return
      const columns = Object.keys(rows[0]!)
      const types = typesOf(columns, rows)
      const given = givenRows(sql, types, rows)
      const selected = columns.map((column) => (column in types ? `v_${column}` : 'null'))
      await query(
        `insert into ${table} (${columns.join(', ')}) select ${selected.join(', ')} from ${given.from}`,
        given.params,
      )
    },
  }
  return sql
}

/**
 * Numbers are sent as double precision, which holds every integer that we store and is converted to the column's own type. A
 * column without values has no type.
 */
function typesOf(columns: string[], rows: readonly Record<string, Param>[]): Record<string, ColumnType> {
  const types: Record<string, ColumnType> = {}
  for (const column of columns) {
    const value = rows.find((row) => (row[column] ?? null) !== null)?.[column]
    if (value !== undefined) types[column] = typeof value === 'number' ? 'double precision' : 'text'
  }
  return types
}
