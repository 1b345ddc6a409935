// The database port: what SQLite and PostgreSQL both do for us. Statements are hand-written SQL in the subset that
// both speak, with `?` placeholders.

/** Texts hold every character but U+0000, for which PostgreSQL keeps U+FFFD. */
export type Param = string | number | null

export interface Sql {
  readonly dialect: 'sqlite' | 'postgres'
  /** All rows. The text is prepared once and kept: never build it from values. */
  all<Row>(text: string, params?: readonly Param[]): Promise<Row[]>
  one<Row>(text: string, params?: readonly Param[]): Promise<Row | undefined>
  /** The number of rows changed. */
  run(text: string, params?: readonly Param[]): Promise<number>
  /** Inserts rows that all have the same columns, in as few round trips as the database allows. */
  insert(table: string, rows: readonly Record<string, Param>[]): Promise<void>
}

export interface Tx extends Sql {
  /** Runs once the transaction is durable; never after a rollback. */
  afterCommit(hook: () => void): void
  /** Tells every process on this database, this one included, once the transaction is durable (see `Db.onChange`). */
  announce(topic: Topic, subject?: string): Promise<void>
}

/**
 * `settings`: switches, keys or limits changed. `jobs`: there may be new work. `removed`: jobs about these subjects were
 * taken away. `tasks`: these records changed.
 */
export type Topic = 'settings' | 'jobs' | 'removed' | 'tasks'

/** Subjects say whom it is about; without them, anything of the topic may have changed. */
export type ChangeListener = (topic: Topic | null, subjects?: readonly string[]) => void

export interface TransactionOptions {
  /**
   * False spares the wait for the disk: a power cut (never a crash of ours) may undo it, as a whole and with nothing
   * after it kept. For what is simply done again then, such as taking a job.
   */
  durable?: boolean
  /** Its statements may take as long as they need, as those of a migration of millions of rows do. */
  unhurried?: boolean
}

export interface Db extends Sql {
  /** Runs `work` in one transaction. It must only await its own statements: SQLite has one writer. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Calls back when a process has announced a change; `null` means that anything may have changed. */
  onChange(listener: ChangeListener): () => void
  /** For what is durable already: tells this process at once, others soon. May be missed when this process dies. */
  announce(topic: Topic, subject?: string): void
  /** Connections of this process and callers that wait for one; SQLite has no pool. */
  connections?(): { open: number; waiting: number }
  close(): Promise<void>
}

/** A COMMIT whose answer never came: the transaction may or may not be durable. */
export class CommitUnknownError extends Error {}

/** Some other process kept the database locked for longer than we wait. */
export class DatabaseBusyError extends Error {}

/** SQL that differs between the two, kept in one place. */
export function forUpdate(sql: Sql, mode: 'wait' | 'skip locked' = 'wait'): string {
  if (sql.dialect === 'sqlite') return ''
  return mode === 'wait' ? 'for update' : 'for update skip locked'
}

/** `column in (…)` for one parameter that holds a JSON array of strings, so that the text stays the same. */
export function inList(sql: Sql, column: string): string {
  return sql.dialect === 'sqlite'
    ? `${column} in (select value from json_each(?))`
    : `${column} in (select json_array_elements_text(?::json))`
}

/** Column types of a batch of rows (see `rowsFrom`). */
export type RowTypes = Record<string, 'text' | 'bigint' | 'double precision'>

/**
 * A source for `from` with the alias `v`, whose rows are one parameter (see `rowsParam`): a batch is one statement
 * whatever its size, and its text is prepared once.
 */
export function rowsFrom(sql: Sql, columns: RowTypes): string {
  const names = Object.keys(columns)
  return sql.dialect === 'sqlite'
    ? `(select ${names.map((name) => `json_extract(value, '$.${name}') as ${name}`).join(', ')} from json_each(?)) as v`
    : `json_to_recordset(?::json) as v(${names.map((name) => `${name} ${columns[name]}`).join(', ')})`
}

const maybeUnstorable = /\\u(0000|d[89a-f])/

/** Rows as one JSON parameter, without the characters that PostgreSQL's text cannot hold. */
export function rowsParam(rows: readonly Record<string, Param>[]): string {
  const json = JSON.stringify(rows)
  return maybeUnstorable.test(json) ? JSON.stringify(rows, (_column, value) => storable(value)) : json
}

/** U+0000 and halves of surrogate pairs become replacement characters. */
export function storable<T>(value: T): T | string {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value
}

/**
 * The condition `id = v_id` of an update from `rowsFrom`, for one more parameter, the JSON array of the ids. PostgreSQL
 * locks the rows in the order of their ids first, so that two batches cannot wait for each other.
 */
export function lockedById(sql: Sql, table: string): string {
  if (sql.dialect === 'sqlite') return 'id = v_id and id in (select value from json_each(?))'
  return `id = v_id and id = any(array(select id from ${table} where ${inList(sql, 'id')} order by id for update))`
}
