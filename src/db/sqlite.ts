// SQLite through node:sqlite. One writer connection behind a queue of transactions, one reader connection that only
// ever sees committed rows. Does not own the schema (db/migrate.ts) nor the one-server lock (db/server-lock.ts).
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import {
  type ChangeListener,
  DatabaseBusyError,
  type Db,
  type Param,
  type Sql,
  type TransactionOptions,
  type Tx,
} from './db.ts'

/** node:sqlite blocks the event loop while it waits for another process's lock, so it waits briefly and we retry. */
const busyTimeoutMs = 20
const busyRetryMs = 10
const busyGiveUpMs = 10_000
const changePollMs = 200

export function openSqlite(path: string): Db {
  const writer = connect(path)
  const reader = connect(path)
  reader.exec('PRAGMA query_only = on')
  const writes = sqlOn(writer)
  const snapshot = sharedSnapshot(reader)
  const reads = sqlOn(reader, snapshot.open)
  const listeners = new Set<ChangeListener>()
  let tail: Promise<unknown> = Promise.resolve()

  const tell: ChangeListener = (topic, subjects) => {
    for (const listener of listeners) listener(topic, subjects)
  }
  const changes = watchOtherProcesses(writer, () => tell(null))

  async function runTransaction<T>(
    work: (tx: Tx) => Promise<T>,
    options: { durable: boolean; giveUpAtMs: number },
  ): Promise<T> {
    // Without the sync at its end; the next durable transaction brings this one to the disk with it.
    if (!options.durable) writer.exec('PRAGMA synchronous = normal')
    try {
      return await commitTransaction(work, options.giveUpAtMs)
    } finally {
      if (!options.durable) writer.exec('PRAGMA synchronous = full')
    }
  }

  async function commitTransaction<T>(work: (tx: Tx) => Promise<T>, giveUpAtMs: number): Promise<T> {
    await begin(writer, giveUpAtMs)
    const hooks: (() => void)[] = []
    const tx: Tx = {
      ...writes,
      afterCommit: (hook) => hooks.push(hook),
      announce: async (topic, subject) => {
        hooks.push(() => tell(topic, subject === undefined ? undefined : [subject]))
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
    // Writes outside a transaction get one of their own.
    run: (text, params) => transaction((tx) => tx.run(text, params)),
    insert: (table, rows) => transaction((tx) => tx.insert(table, rows)),
    transaction,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    // Other processes see that the file has changed, whatever it was.
    announce: (topic, subject) => tell(topic, subject === undefined ? undefined : [subject]),
    async close() {
      changes.stop()
      await tail
      snapshot.end()
      reader.close()
      writer.close()
    },
  }

  function transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    // Those that queue up behind a locked database have waited too when their turn comes.
    const giveUpAtMs = performance.now() + busyGiveUpMs
    const result = tail.then(() => runTransaction(work, { durable: options.durable ?? true, giveUpAtMs }))
    tail = result.catch(() => {})
    return result
  }
}

function connect(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs })
  // FULL: an acknowledged task survives a power cut. A larger WAL checkpoints less often (8,000 pages, 32 MB).
  db.exec('PRAGMA journal_mode = wal; PRAGMA synchronous = full; PRAGMA foreign_keys = on')
  db.exec('PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -65536; PRAGMA temp_store = memory')
  return db
}

async function begin(db: DatabaseSync, giveUpAtMs: number): Promise<void> {
  for (;;) {
    try {
      db.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() >= giveUpAtMs) throw new DatabaseBusyError('the database is locked', { cause: error })
    }
    await new Promise((resolve) => setTimeout(resolve, busyRetryMs))
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5 // SQLITE_BUSY
}

/**
 * Reads of one turn of the event loop share a read transaction: taking and giving back its locks costs three system
 * calls, about as much as reading a row. It ends with the turn, and before that when we commit, so that whoever has
 * seen a commit reads what it wrote.
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

function sqlOn(db: DatabaseSync, beforeRead = () => {}): Sql {
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

/** `data_version` moves when another connection commits; on the writer that can only be another process. */
function watchOtherProcesses(db: DatabaseSync, onChange: () => void): { stop(): void } {
  const statement = db.prepare('PRAGMA data_version')
  const version = () => (statement.get() as { data_version: number }).data_version
  let last = version()
  const timer = setInterval(() => {
    const current = version()
    if (current === last) return
    last = current
    onChange()
  }, changePollMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
