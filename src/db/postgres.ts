// PostgreSQL through node-postgres. Statements are named and prepared once per connection, except through a pooler in
// transaction mode. Notifications between processes are in db/postgres-changes.ts.
import { hash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { waitForAll } from '../platform/wait-for-all.ts'
import {
  CommitUnknownError,
  DatabaseBusyError,
  type Db,
  type Param,
  rowsParam,
  type Sql,
  storable,
  type TransactionOptions,
  type Tx,
} from './db.ts'
import { detectPooling } from './pooler.ts'
import { openChanges } from './postgres-changes.ts'

/** Serialization failures and deadlocks: the whole transaction may be run again. */
const retryableStates = new Set(['40001', '40P01'])
const attemptsMax = 4
/** How long to wait for a server that is restarting, being promoted, or out of connections. */
const outage = { waitMs: 5_000, everyMs: 200 }
/** A standby that is not promoted yet refuses writes with this SQLSTATE. Nothing was written. */
const readOnlyState = '25006'

/**
 * Transactions wait only for their own statements. A process that hangs during a transaction, or a machine that loses
 * power, keeps its locks for at most this long. That is less than a lease, so that processes waiting for those locks
 * keep their own leases. Set per transaction, because poolers refuse it as a startup parameter.
 */
const begin = "begin; set local idle_in_transaction_session_timeout = '10s'"
/**
 * Transactions look up rows by their ids, or the first ones in the order of an index. Plans that were made while a table
 * was small read all of it, to join or to sort it, and connections keep their plans while the table grows.
 */
const byIndex = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin']
  .map((way) => `set local enable_${way} = off`)
  .join('; ')
const beginWithIndexes = `${begin}; ${byIndex}`
const beginNotDurable = `${beginWithIndexes}; set local synchronous_commit = off`

/**
 * A migration by a newer release has changed the columns of a prepared statement. Nothing was done, and a new connection
 * prepares it again.
 */
const isStalePlan = (error: unknown) =>
  stateOf(error) === '0A000' && (error as pg.DatabaseError).routine === 'RevalidateCachedQuery'

/** The connection broke before COMMIT was sent: nothing was stored, and the transaction may be run again. */
class CutOffError extends Error {}

// Counts and epoch milliseconds stay far below 2^53.
const parseNumber = (text: string) => Number(text)
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 || oid === 1700 ? parseNumber : pg.types.getTypeParser(oid, format as 'text'),
}

interface PostgresOptions {
  connectionsMax: number
  /** PostgreSQL's own address, for LISTEN, where `url` is a pooler in transaction mode. */
  directUrl?: string | null | undefined
  /** A statement without a response for this long is treated as a broken connection. */
  answerWithinMs?: number | undefined
}

export async function openPostgres(url: string, options: PostgresOptions): Promise<Db> {
  const pooling = await detectPooling(url)
  const isNamed = pooling !== 'transaction'
  const listenUrl = options.directUrl ?? (pooling === 'transaction' ? null : url)
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax,
    types,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    // Statements are sent without waiting for the responses of earlier ones (see `Tx`).
    pipeline: true,
    query_timeout: options.answerWithinMs,
  })
  // A connection that breaks while idle is replaced, or fails the next statement. Without these listeners the error
  // would end the process; the pool itself listens only to idle connections.
  pool.on('error', () => {})
  // Connections that were open when another one went silent have probably lost the same route. They are replaced
  // instead of costing a statement's time limit each.
  let era = 0
  const eras = new WeakMap<pg.PoolClient, number>()
  pool.on('connect', (client) => {
    client.on('error', () => {})
    eras.set(client, era)
  })
  const changes = await openChanges({ listenUrl, pool, isNamed }).catch(async (error) => {
    await pool.end()
    throw error
  })

  async function connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect().catch((error) => {
        throw hasNoneFree(error) ? new DatabaseBusyError('no connection is free', { cause: error }) : error
      })
      if (eras.get(client)! >= era) return client
      client.release(true)
    }
  }
  const suspectOthers = (client: pg.PoolClient) => {
    era = Math.max(era, eras.get(client)! + 1)
  }

  /** As the pool's own `query`, which drops a connection whose statement failed. */
  async function queryOn(connecting: Promise<pg.PoolClient>, statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const client = await connecting
    let failure: Error | undefined
    try {
      return await client.query(statement)
    } catch (error) {
      failure = error as Error
      if (isTimeout(error)) suspectOthers(client)
      throw error
    } finally {
      client.release(failure)
    }
  }
  const direct = sqlOn({ query: (statement) => queryOn(connectPatiently(connect), statement) }, isNamed)
  // Repeated as a whole, so they need no patience of their own.
  const reads = sqlOn({ query: (statement) => queryOn(connect(), statement) }, isNamed)
  let reportWait = (_waitedMs: number) => {}

  async function attempt<T>(
    work: (tx: Tx) => Promise<T>,
    { durable = true, unhurried = false }: TransactionOptions,
  ): Promise<T> {
    const askedAtMs = performance.now()
    const client = await connectPatiently(connect).finally(() => reportWait(performance.now() - askedAtMs))
    const hooks: (() => void)[] = []
    const send = (statement: pg.QueryConfig | string) => {
      sendTogether(client)
      return client.query(statement)
    }
    const tx: Tx = {
      ...sqlOn({ query: send }, isNamed, unhurried ? foreverMs : undefined),
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
      // The first statement follows at once: PostgreSQL does not refuse BEGIN.
      const beginning = send(unhurried ? begin : durable ? beginWithIndexes : beginNotDurable)
      const [result] = await waitForAll([work(tx), beginning])
      if (cutOff) throw cutOff
      await commit(client)
      for (const hook of hooks) hook()
      return result
    } catch (error) {
      if (isTimeout(error) || isTimeout((error as Error).cause)) suspectOthers(client)
      if (error instanceof CommitUnknownError) broken = error
      // A rollback on an unresponsive connection would wait just as long again.
      else if (isTimeout(error)) broken = error as Error
      else await client.query('rollback').catch((cause) => (broken = cause))
      if (broken && !(error instanceof CommitUnknownError))
        throw new CutOffError('the connection broke', { cause: error })
      // The next attempt opens a new connection, which may reach the new primary.
      if (stateOf(error) === readOnlyState || isStalePlan(error)) broken = error as Error
      throw error
    } finally {
      client.off('error', onCutOff)
      client.release(broken)
    }
  }

  return {
    ...direct,
    // Reads change nothing, so a read that met a broken connection is repeated on another one.
    all: (text, params) => readAgain(() => reads.all(text, params)),
    one: (text, params) => readAgain(() => reads.one(text, params)),
    async transaction(work, transactionOptions = {}) {
      const giveUpAtMs = performance.now() + outage.waitMs
      for (let attempts = 1; ; attempts++) {
        try {
          return await attempt(work, transactionOptions)
        } catch (error) {
          if (stateOf(error) === readOnlyState && performance.now() < giveUpAtMs) {
            await delay(outage.everyMs)
            continue
          }
          // Every connection of the pool may have the old plan; each of them is replaced once.
          if (isStalePlan(error)) {
            attempts--
            continue
          }
          const again = error instanceof CutOffError || retryableStates.has(stateOf(error))
          if (attempts >= attemptsMax || !again) throw error
        }
      }
    },
    statement: (text, params) => withFreshPlan(() => direct.all(text, params)),
    async outsideTransaction(text) {
      await queryOn(connectPatiently(connect), { text, query_timeout: foreverMs } as pg.QueryConfig)
    },
    onConnectionWait(listener) {
      reportWait = listener
    },
    connections: () => ({ open: pool.totalCount, waiting: pool.waitingCount }),
    onChange: changes.onChange,
    announce: changes.announce,
    async close() {
      await changes.stop()
      await pool.end()
    },
  }
}

/**
 * Statements that are sent in the same tick go out in one write. One write for each took an eighth of a busy worker's
 * time.
 */
function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as pg.Client).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

async function connectPatiently(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  const giveUpAtMs = performance.now() + outage.waitMs
  for (;;) {
    try {
      return await connect()
    } catch (error) {
      if (!isPassing(error) || performance.now() >= giveUpAtMs) throw error
    }
    await delay(outage.everyMs)
  }
}

/** Connection refused, server starting or stopping, or no free connection. */
const passingStates = new Set(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P02', '57P03'])
const isPassing = (error: unknown) => error instanceof DatabaseBusyError || passingStates.has(stateOf(error))

/** The server has as many connections as it may, or every connection of this process is in use. */
const hasNoneFree = (error: unknown) =>
  stateOf(error) === '53300' || (error as Error).message === 'timeout exceeded when trying to connect'

const stateOf = (error: unknown): string => (error as { code?: string }).code ?? ''

/** node-postgres gives its own time-outs no code. */
const isTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/** The pool drops a connection whose statement failed, so the statement is prepared again on another one. */
async function withFreshPlan<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!isStalePlan(error)) throw error
    }
  }
}

async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  const giveUpAtMs = performance.now() + outage.waitMs
  for (let attempts = 1; ; attempts++) {
    try {
      return await withFreshPlan(read)
    } catch (error) {
      const again = isPassing(error) || (attempts === 1 && !isRefusal(error))
      // One silent connection has taken longer than the wait for a server; the next one is new.
      const isLast = attempts > 1 || error instanceof DatabaseBusyError
      if (!again || (isLast && performance.now() >= giveUpAtMs)) throw error
      if (attempts > 1) await delay(outage.everyMs)
    }
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('commit')
  } catch (error) {
    // A refused COMMIT has an SQLSTATE, so its outcome is certain; a broken connection leaves it unknown.
    if (isRefusal(error)) throw error
    throw new CommitUnknownError('the connection broke while committing', { cause: error })
  }
}

/** The server refused the statement, and the connection stays usable. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity !== 'FATAL'
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
const foreverMs = 2 ** 31 - 1

interface Queryable {
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>
}

function sqlOn(client: Queryable, isNamed: boolean, answerWithinMs?: number): Sql {
  const limit = answerWithinMs === undefined ? {} : { query_timeout: answerWithinMs }
  const query = (text: string, params: readonly Param[] = []) => {
    const statement = prepared(text)
    const named = isNamed ? statement : { text: statement.text }
    return client.query({ ...named, ...limit, values: params.map(storable) })
  }
  return {
    dialect: 'postgres',
    all: async <Row>(text: string, params?: readonly Param[]) => (await query(text, params)).rows as Row[],
    one: async <Row>(text: string, params?: readonly Param[]) => (await query(text, params)).rows[0] as Row | undefined,
    run: async (text, params) => (await query(text, params)).rowCount ?? 0,
    async insert(table, rows) {
      if (rows.length === 0) return
      // One parameter for any number of rows: prepared once, typed by the table itself.
      const columns = Object.keys(rows[0]!).join(', ')
      await query(
        `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, ?::json)`,
        [rowsParam(rows)],
      )
    },
  }
}
