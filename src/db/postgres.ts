// PostgreSQL through node-postgres. Statements are named and prepared once a connection. News between processes are
// db/postgres-changes.ts.
import { hash } from 'node:crypto'
import pg from 'pg'
import { CommitUnknownError, type Db, type Param, type Sql, type TransactionOptions, type Tx } from './db.ts'
import { openChanges } from './postgres-changes.ts'

/** Serialization failures and deadlocks: the whole transaction may be run again. */
const retryableStates = new Set(['40001', '40P01'])
const triesMax = 4
/** A server that restarts is waited for this long; nothing has been asked of it yet. */
const connectPatience = { forMs: 5_000, everyMs: 200 }

/**
 * Transactions wait for nothing but their own statements. A process that stands still in the middle of one, or a machine
 * that lost its power there, keeps its locks for this long and no longer: less than a lease, so that those who wait
 * for them lose no work of their own.
 */
const standStillMaxMs = 10_000

class CutOffError extends Error {}

// Counts and epoch milliseconds are far below 2^53.
const parseNumber = (text: string) => Number(text)
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 || oid === 1700 ? parseNumber : pg.types.getTypeParser(oid, format as 'text'),
}

export interface PostgresOptions {
  connectionsMax: number
  /** A statement without an answer for this long has lost its connection, although nobody said so. */
  answerWithinMs?: number | undefined
}

export async function openPostgres(url: string, options: PostgresOptions): Promise<Db> {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax,
    types,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    query_timeout: options.answerWithinMs,
    idle_in_transaction_session_timeout: standStillMaxMs,
  })
  // A connection that breaks while nobody waits for it is replaced, or fails the next statement; without listeners it
  // would end the process. The pool listens only to those that lie idle.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const changes = await openChanges(url, pool).catch(async (error) => {
    await pool.end()
    throw error
  })

  async function attempt<T>(
    work: (tx: Tx) => Promise<T>,
    { durable = true, unhurried = false }: TransactionOptions,
  ): Promise<T> {
    const client = await connectPatiently(pool)
    const hooks: (() => void)[] = []
    const tx: Tx = {
      ...sqlOn(client, unhurried ? foreverMs : undefined),
      afterCommit: (hook) => hooks.push(hook),
      announce: async (topic, subject) => {
        hooks.push(() => changes.announce(topic, subject))
        if (topic === 'settings') await client.query(changes.notification(topic))
      },
    }
    let broken: Error | undefined
    let cutOff: Error | undefined
    const onCutOff = (error: Error) => {
      cutOff = error
    }
    client.on('error', onCutOff)
    try {
      await client.query(durable ? 'begin' : 'begin; set local synchronous_commit = off')
      const result = await work(tx)
      if (cutOff) throw cutOff
      await commit(client)
      for (const hook of hooks) hook()
      return result
    } catch (error) {
      if (error instanceof CommitUnknownError) broken = error
      else await client.query('rollback').catch((cause) => (broken = cause))
      // Cut off before COMMIT was sent: certainly nothing was kept.
      if (broken && broken !== error) throw new CutOffError('the connection broke', { cause: error })
      throw error
    } finally {
      client.off('error', onCutOff)
      client.release(broken)
    }
  }

  return {
    ...sqlOn(pool),
    // Reads change nothing, so one that met a broken connection is asked again on another.
    all: (text, params) => readAgain(() => sqlOn(pool).all(text, params)),
    one: (text, params) => readAgain(() => sqlOn(pool).one(text, params)),
    async transaction(work, transactionOptions = {}) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(work, transactionOptions)
        } catch (error) {
          const again = error instanceof CutOffError || retryableStates.has((error as { code?: string }).code ?? '')
          if (tries >= triesMax || !again) throw error
        }
      }
    },
    onChange: changes.onChange,
    announce: changes.announce,
    async close() {
      await changes.stop()
      await pool.end()
    },
  }
}

async function connectPatiently(pool: pg.Pool): Promise<pg.PoolClient> {
  const giveUpAtMs = performance.now() + connectPatience.forMs
  for (;;) {
    try {
      return await pool.connect()
    } catch (error) {
      if (!comesBack(error) || performance.now() >= giveUpAtMs) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, connectPatience.everyMs))
  }
}

/** Refused connections, and a server that says that it is starting or stopping. */
function comesBack(error: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', '57P01', '57P02', '57P03'].includes((error as { code?: string }).code ?? '')
}

async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  const giveUpAtMs = performance.now() + connectPatience.forMs
  for (let tries = 1; ; tries++) {
    try {
      return await read()
    } catch (error) {
      if (saidNo(error) || (tries > 1 && !comesBack(error)) || performance.now() >= giveUpAtMs) throw error
      if (tries > 1) await new Promise((resolve) => setTimeout(resolve, connectPatience.everyMs))
    }
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('commit')
  } catch (error) {
    // A refused COMMIT has an SQLSTATE and is certain; a connection that breaks or is ended leaves the outcome open.
    if (saidNo(error)) throw error
    throw new CommitUnknownError('the connection broke while committing', { cause: error })
  }
}

/** The server looked at the statement and refused it, and the connection lives on. */
function saidNo(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity !== 'FATAL'
}

const preparedTexts = new Map<string, { name: string; text: string }>()

/** `?` → `$1, $2, …`, with a stable name so that each connection prepares it once. */
function prepared(text: string): { name: string; text: string } {
  let entry = preparedTexts.get(text)
  if (!entry) {
    let position = 0
    entry = { name: `d_${hash('sha1', text).slice(0, 20)}`, text: text.replace(/\?/g, () => `$${++position}`) }
    preparedTexts.set(text, entry)
  }
  return entry
}

/** The longest that a timer can wait. */
const foreverMs = 2 ** 31 - 1

function sqlOn(client: pg.Pool | pg.PoolClient, answerWithinMs?: number): Sql {
  const patience = answerWithinMs === undefined ? {} : { query_timeout: answerWithinMs }
  const query = (text: string, params: readonly Param[] = []) =>
    client.query({ ...prepared(text), ...patience, values: params.map(storable) })
  return {
    dialect: 'postgres',
    all: async <Row>(text: string, params?: readonly Param[]) => (await query(text, params)).rows as Row[],
    one: async <Row>(text: string, params?: readonly Param[]) => (await query(text, params)).rows[0] as Row | undefined,
    run: async (text, params) => (await query(text, params)).rowCount ?? 0,
    async insert(table, rows) {
      if (rows.length === 0) return
      // One parameter whatever the number of rows: prepared once, typed by the table itself.
      const columns = Object.keys(rows[0]!).join(', ')
      await query(
        `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, ?::json)`,
        [rowsAsJson(rows)],
      )
    },
  }
}

const maybeUnstorable = /\\u(0000|d[89a-f])/

function rowsAsJson(rows: readonly Record<string, Param>[]): string {
  const json = JSON.stringify(rows)
  return maybeUnstorable.test(json) ? JSON.stringify(rows, (_column, value) => storable(value)) : json
}

/** PostgreSQL's text has neither U+0000 nor halves of surrogate pairs: a replacement character stands for them. */
function storable<T>(value: T): T | string {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value
}
