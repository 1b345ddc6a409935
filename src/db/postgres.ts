// PostgreSQL through node-postgres. Statements are named and prepared once a connection. Changes are announced with
// NOTIFY inside the transaction and heard on one connection of our own, which is opened anew when it breaks.
import { hash } from 'node:crypto'
import pg from 'pg'
import { CommitUnknownError, type Db, type Param, type Sql, type Topic, type Tx } from './db.ts'

const channel = 'dailies_changes'
const reconnectMs = 500
/** Serialization failures and deadlocks: the whole transaction may be run again. */
const retryableStates = new Set(['40001', '40P01'])
const triesMax = 4

class CutOffError extends Error {}

// Counts and epoch milliseconds are far below 2^53.
const parseNumber = (text: string) => Number(text)
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 || oid === 1700 ? parseNumber : pg.types.getTypeParser(oid, format as 'text'),
}

export async function openPostgres(url: string, options: { connectionsMax: number }): Promise<Db> {
  const pool = new pg.Pool({ connectionString: url, max: options.connectionsMax, types, connectionTimeoutMillis: 5000 })
  // A connection that breaks while nobody waits for it is replaced, or fails the next statement; without listeners it
  // would end the process. The pool listens only to those that lie idle.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const listeners = new Set<(topic: Topic | null) => void>()
  const tell = (topic: Topic | null) => {
    for (const listener of listeners) listener(topic)
  }
  const changes = await listen(url, tell)

  async function attempt<T>(work: (tx: Tx) => Promise<T>, durable: boolean): Promise<T> {
    const client = await pool.connect()
    const hooks: (() => void)[] = []
    const tx: Tx = {
      ...sqlOn(client),
      afterCommit: (hook) => hooks.push(hook),
      announce: async (topic) => {
        await client.query({ name: 'announce', text: 'select pg_notify($1, $2)', values: [channel, topic] })
      },
    }
    let broken: Error | undefined
    try {
      await client.query(durable ? 'begin' : 'begin; set local synchronous_commit = off')
      const result = await work(tx)
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
      client.release(broken)
    }
  }

  return {
    ...sqlOn(pool),
    // Reads change nothing, so one that met a broken connection is asked again on another.
    all: (text, params) => readAgain(() => sqlOn(pool).all(text, params)),
    one: (text, params) => readAgain(() => sqlOn(pool).one(text, params)),
    async transaction(work, { durable = true } = {}) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(work, durable)
        } catch (error) {
          const again = error instanceof CutOffError || retryableStates.has((error as { code?: string }).code ?? '')
          if (tries >= triesMax || !again) throw error
        }
      }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      await changes.stop()
      await pool.end()
    },
  }
}

async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (saidNo(error)) throw error
    return read()
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

function sqlOn(client: pg.Pool | pg.PoolClient): Sql {
  const query = (text: string, params: readonly Param[] = []) =>
    client.query({ ...prepared(text), values: params.map(storable) })
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

async function listen(url: string, tell: (topic: Topic | null) => void): Promise<{ stop(): Promise<void> }> {
  let stopped = false
  let client: pg.Client

  async function connect() {
    client = new pg.Client({ connectionString: url, keepAlive: true })
    // A connection that is cut off reports it twice: the server's last words, then the end of the line.
    let isListening = false
    client.on('error', () => {
      if (isListening && !stopped) setTimeout(reconnect, reconnectMs).unref()
      isListening = false
    })
    client.on('notification', (message) => tell((message.payload ?? null) as Topic | null))
    await client.connect()
    await client.query(`listen ${channel}`)
    isListening = true
  }

  async function reconnect() {
    if (stopped) return
    try {
      await connect()
      tell(null) // whatever was announced meanwhile was missed
    } catch {
      setTimeout(reconnect, reconnectMs).unref()
    }
  }

  await connect()
  return {
    async stop() {
      stopped = true
      await client.end().catch(() => {})
    },
  }
}
