// The database port, implemented for SQLite and PostgreSQL. Statements are hand-written SQL in the subset that both
// support, with `?` placeholders.

/** Text may hold every character except U+0000, which PostgreSQL stores as U+FFFD. */
export type Param = string | number | null

export interface Sql {
  readonly dialect: 'sqlite' | 'postgres'
  /** The cell whose database this is (`DAILIES_CELL`); null where there are none. New keys and tokens begin with it. */
  readonly cell: string | null
  /** Returns all rows. Statement texts are prepared and cached, so never build one from values. */
  all<Row>(text: string, params?: readonly Param[]): Promise<Row[]>
  one<Row>(text: string, params?: readonly Param[]): Promise<Row | undefined>
  /** Returns the number of rows changed. */
  run(text: string, params?: readonly Param[]): Promise<number>
  /** Inserts rows that all have the same columns, in as few round trips as the database allows. */
  insert(table: string, rows: readonly Record<string, Param>[]): Promise<void>
}

/**
 * Statements run in the order in which they were called. Independent statements are called without waiting in between,
 * and then awaited with `waitForAll`: none of them may follow the end of the transaction.
 */
export interface Tx extends Sql {
  /** Runs once the transaction is durable; never after a rollback. */
  afterCommit(hook: () => void): void
  /**
   * Notifies every process on this database, including this one, once the transaction is durable (see `Db.onChange`).
   */
  announce(topic: Topic, subject?: string): Promise<void>
}

/**
 * `settings`: switches, keys or limits changed. `jobs`: there may be new work. `removed`: the jobs of these subjects
 * were deleted. `tasks`: these records changed. `callbacks`: those about these subjects wait for a response.
 */
export type Topic = 'settings' | 'jobs' | 'removed' | 'tasks' | 'callbacks'

/** Subjects name what changed; without them, anything in the topic may have changed. */
export type ChangeListener = (topic: Topic | null, subjects?: readonly string[]) => void

export interface TransactionOptions {
  /**
   * False skips the wait for the disk. A power cut (but not a crash of the process) may undo the transaction together
   * with all later ones. Use it for work that is simply repeated, such as claiming a job.
   */
  durable?: boolean
  /** Removes the statement time limit, for migrations of millions of rows. */
  unhurried?: boolean
}

export interface Db extends Sql {
  /** Runs `work` in one transaction. `work` must await only its own statements, because SQLite has one writer. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Runs one statement in its own transaction and returns its rows. On PostgreSQL the disk is waited for unless the
   * statement reads from `asyncCommit`; on SQLite it is not.
   */
  statement<Row>(text: string, params?: readonly Param[]): Promise<Row[]>
  /** Runs a statement that PostgreSQL refuses inside of a transaction, for as long as it takes. SQLite has none. */
  outsideTransaction?(text: string): Promise<void>
  /** Called when a process announces a change; `null` means that anything may have changed. */
  onChange(listener: ChangeListener): () => void
  /**
   * Announces a change that is already durable: at once in this process, soon in others. Lost if this process crashes
   * first.
   */
  announce(topic: Topic, subject?: string): void
  /** Open connections of this process and callers waiting for one. SQLite has no pool. */
  connections?(): { open: number; waiting: number }
  /** Called with the time that each transaction waited for its connection. */
  onConnectionWait?(listener: (waitedMs: number) => void): void
  close(): Promise<void>
}

/** COMMIT was sent but no response arrived: the transaction may or may not be durable. */
export class CommitUnknown extends Error {}

/** Another process kept the database locked, or no connection was free, for longer than we wait. Nothing was stored. */
export class DatabaseBusy extends Error {}

/** The connection broke before COMMIT was sent: nothing was stored, and the transaction may be run again. */
export class ConnectionLost extends Error {}

/** The database could not be reached for longer than we wait. Nothing was stored. */
export class Unreachable extends Error {}

/** Nothing was stored, and another attempt now would wait just as long. */
export const isUnavailable = (error: unknown) => error instanceof DatabaseBusy || error instanceof Unreachable

/** The numbers of PostgreSQL's advisory locks: arbitrary, each for one purpose. */
export const advisoryLocks = { migrations: 727046, firstAccount: 727048 }

// The SQL that differs between the two databases.

/** Locks the rows of a `select` until the transaction ends. SQLite has one writer. */
export function forUpdate(sql: Sql, mode: 'wait' | 'skip locked' = 'wait'): string {
  if (sql.dialect === 'sqlite') return ''
  return mode === 'wait' ? 'for update' : 'for update skip locked'
}

/**
 * A source for `from` that has one row, and lets the transaction of its statement end without waiting for the disk: the
 * same as `durable: false`, in one round trip.
 */
export function asyncCommit(sql: Sql): string {
  return sql.dialect === 'sqlite'
    ? '(select 1) as async_commit'
    : `(select set_config('synchronous_commit', 'off', true)) as async_commit`
}

/**
 * `column in (…)` with one parameter, a JSON array of strings, so that the statement text stays the same. PostgreSQL uses the
 * index of the column whatever the other conditions are. Where it scans, each row is compared with the whole list.
 */
export const anyOf = (sql: Sql, column: string): string =>
  anyIn(
    sql,
    column,
    sql.dialect === 'sqlite' ? 'select value from json_each(?)' : 'select json_array_elements_text(?::json)',
  )

/** The same for the results of a query. */
export function anyIn(sql: Sql, column: string, query: string): string {
  return sql.dialect === 'sqlite' ? `${column} in (${query})` : `${column} = any(array(${query}))`
}

/** Locks these rows in the order of their ids until the transaction ends. SQLite has one writer. */
export async function lockRows(tx: Sql, table: string, ids: readonly string[], by = 'id'): Promise<void> {
  if (ids.length === 0 || tx.dialect === 'sqlite') return
  await tx.all(`select ${by} from ${table} where ${anyOf(tx, by)} order by ${by} for update`, [JSON.stringify(ids)])
}

/** Whether a text contains another one. */
export function contains(sql: Sql, text: string, part: string): string {
  return `${sql.dialect === 'sqlite' ? 'instr' : 'strpos'}(${text}, ${part}) > 0`
}
