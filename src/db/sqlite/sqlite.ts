// SQLite through node:sqlite: one writer connection behind a queue of transactions, and one reader connection that sees
// only committed rows. Does not own the schema (db/migrate.ts) or the server lock (db/sqlite/server-lock.ts).
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type ChangeListener,
  DatabaseBusy,
  type Db,
  type Param,
  type Sql,
  type TransactionOptions,
  type Tx,
} from '../db.ts'
import { retrying } from '../retry.ts'

/** node:sqlite blocks the event loop while it waits for another process's lock, so each wait is short and we retry. */
const busyTimeoutMs = 20
const changePollMs = 200

export function openSqlite(path: string, cell: string | null = null): Db {
  const writer = connect(path)
  const reader = connect(path)
  reader.exec('PRAGMA query_only = on')
  const writes = sqlOn(writer, cell)
  const snapshot = sharedSnapshot(reader)
  const reads = sqlOn(reader, cell, snapshot.open)
  const listeners = new Set<ChangeListener>()
  let tail: Promise<unknown> = Promise.resolve()

  const notifyListeners: ChangeListener = (topic, subjects) => {
    for (const listener of listeners) listener(topic, subjects)
  }
  const changes = watchOtherProcesses(writer, () => notifyListeners(null))

  async function runTransaction<T>(
    work: (tx: Tx) => Promise<T>,
    options: { durable: boolean; sinceMs: number },
  ): Promise<T> {
    // Skips the sync at the end; the next durable transaction writes this one to disk as well.
    if (!options.durable) writer.exec('PRAGMA synchronous = normal')
    try {
      return await commitTransaction(work, options.sinceMs)
    } finally {
      if (!options.durable) writer.exec('PRAGMA synchronous = full')
    }
  }

  async function commitTransaction<T>(work: (tx: Tx) => Promise<T>, sinceMs: number): Promise<T> {
    await begin(writer, sinceMs)
    const hooks: (() => void)[] = []
    const tx: Tx = {
      ...writes,
      afterCommit: (hook) => hooks.push(hook),
      announce: async (topic, subject) => {
        hooks.push(() => notifyListeners(topic, subject === undefined ? undefined : [subject]))
      },
    }
    let result: T
    try {
      result = await work(tx)
      writer.exec('COMMIT')
      snapshot.end()
    } catch (error) {
      if (writer.isTransaction) writer.exec('ROLLBACK')
      throw error
    }
    for (const hook of hooks) hook()
    return result
  }

  return {
    ...reads,
    // A write outside a transaction runs in its own.
    run: (text, params) => transaction((tx) => tx.run(text, params)),
    insert: (table, rows) => transaction((tx) => tx.insert(table, rows)),
    transaction,
    statement: (text, params) => transaction((tx) => tx.all(text, params), { durable: false }),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    // Other processes only see that the file has changed, not what changed.
    announce: (topic, subject) => notifyListeners(topic, subject === undefined ? undefined : [subject]),
    async close() {
      changes.stop()
      await tail
      snapshot.end()
      reader.close()
      writer.close()
    },
  }

  function transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    // Transactions queued behind a locked database have already waited when their turn comes.
    const sinceMs = performance.now()
    const result = tail.then(() => runTransaction(work, { durable: options.durable ?? true, sinceMs }))
    tail = result.catch(() => {})
    return result
  }
}

function connect(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs })
  // FULL: an acknowledged task survives a power cut. A larger WAL (8,000 pages, 32 MB) checkpoints less often.
  db.exec('PRAGMA journal_mode = wal; PRAGMA synchronous = full; PRAGMA foreign_keys = on')
  // What is deleted is overwritten: prompts would stay readable in free pages of the file.
  db.exec('PRAGMA secure_delete = on')
  db.exec('PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -65536; PRAGMA temp_store = memory')
  return db
}

function begin(db: DatabaseSync, sinceMs: number): Promise<void> {
  const failureOf = (error: unknown) => (isBusy(error) ? 'busy' : 'final')
  return retrying('begin', () => db.exec('BEGIN IMMEDIATE'), { failureOf, sinceMs }).catch((error) => {
    throw isBusy(error) ? new DatabaseBusy('the database is locked', { cause: error }) : error
  })
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5 // SQLITE_BUSY
}

/**
 * Reads in the same turn of the event loop share a read transaction, because taking and releasing its locks costs three
 * system calls, about as much as reading a row. It ends with the turn or when we commit, whichever is first, so that a
 * caller that has seen a commit reads what it wrote.
 */
function sharedSnapshot(reader: DatabaseSync): { open(): void; end(): void } {
  const begin = reader.prepare('BEGIN')
  const commit = reader.prepare('COMMIT')
  let endOfTurn: NodeJS.Immediate | null = null
  const end = () => {
    if (endOfTurn === null) return
    clearImmediate(endOfTurn)
    endOfTurn = null
    commit.run()
  }
  return {
    open() {
      if (endOfTurn !== null) return
      begin.run()
      endOfTurn = setImmediate(end)
    },
    end,
  }
}

function sqlOn(db: DatabaseSync, cell: string | null, beforeRead = () => {}): Sql {
  const statements = new Map<string, StatementSync>()
  const prepared = (text: string) => {
    let statement = statements.get(text)
    if (!statement) {
      statement = db.prepare(text)
      statements.set(text, statement)
    }
    return statement
  }
  const none: readonly Param[] = []
  return {
    dialect: 'sqlite',
    cell,
    async all<Row>(text: string, params = none) {
      beforeRead()
      return prepared(text).all(...params) as Row[]
    },
    async one<Row>(text: string, params = none) {
      beforeRead()
      return prepared(text).get(...params) as Row | undefined
    },
    run: async (text, params = none) => Number(prepared(text).run(...params).changes),
    async insert(table, rows) {
      if (rows.length === 0) return
      const columns = Object.keys(rows[0]!)
      const statement = prepared(
        `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      )
      for (const row of rows) statement.run(...columns.map((column) => row[column]!))
    },
  }
}

/** `data_version` changes when another connection commits; seen from the writer, that is another process. */
function watchOtherProcesses(db: DatabaseSync, onChange: () => void): { stop(): void } {
  const statement = db.prepare('PRAGMA data_version')
  const version = () => (statement.get() as { data_version: number }).data_version
  let last = version()
  const timer = setInterval(() => {
    const before = last
    try {
      last = version()
    } catch {
      // Statements of requests and jobs fail for the same reason, and report it.
    }
    if (last !== before) onChange()
  }, changePollMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
