// PostgreSQL through node-postgres: transactions, and reads that survive a broken connection. Statements are named and
// prepared once per connection, except through a pooler in transaction mode.
import type pg from 'pg'
import { waitForAll } from '../../platform/wait-for-all.ts'
import { CommitUnknown, ConnectionLost, type Db, type TransactionOptions, type Tx } from '../db.ts'
import { retrying } from '../retry.ts'
import { openChanges } from './changes.ts'
import { asUnreachable, openConnections } from './connections.ts'
import { failureOf, failureOfStatement, isReadOnly, isRefusal, isStalePlan, isTimeout } from './failures.ts'
import { detectPooling } from './pooler.ts'
import { foreverMs, sendTogether, sqlOn } from './statements.ts'

/**
 * Transactions wait only for their own statements. A process that hangs during a transaction, or a machine that loses
 * power, keeps its locks for at most this long. That is less than a worker's lease, so that processes waiting for those
 * locks keep their jobs. Set per transaction, because poolers refuse it as a startup parameter.
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

interface PostgresOptions {
  connectionsMax: number
  cell?: string | null
  /** PostgreSQL's own address, for LISTEN, where `url` is a pooler in transaction mode. */
  directUrl?: string | null | undefined
  /** A statement without a response for this long is treated as a broken connection. */
  answerWithinMs?: number | undefined
}

export async function openPostgres(url: string, options: PostgresOptions): Promise<Db> {
  const pooling = await detectPooling(url)
  const isNamed = pooling !== 'transaction'
  const kind = { isNamed, cell: options.cell ?? null }
  const listenUrl = options.directUrl ?? (pooling === 'transaction' ? null : url)
  const { pool, connect, connectForWrite, suspectOthers, queryOn } = openConnections(url, {
    max: options.connectionsMax,
    answerWithinMs: options.answerWithinMs,
  })
  const changes = await openChanges({ listenUrl, pool, isNamed }).catch(async (error) => {
    await pool.end()
    throw error
  })

  const direct = sqlOn({ query: (statement) => queryOn(connectForWrite(), statement) }, kind)
  // A read is repeated as a whole, so its connection is not waited for separately.
  const reads = sqlOn({ query: (statement) => queryOn(connect(), statement) }, kind)
  let reportWait = (_waitedMs: number) => {}

  async function attempt<T>(
    work: (tx: Tx) => Promise<T>,
    { durable = true, unhurried = false }: TransactionOptions,
  ): Promise<T> {
    const askedAtMs = performance.now()
    const client = await connectForWrite().finally(() => reportWait(performance.now() - askedAtMs))
    const hooks: (() => void)[] = []
    const send = (statement: pg.QueryConfig | string) => {
      sendTogether(client)
      return client.query(statement)
    }
    const tx: Tx = {
      ...sqlOn({ query: send }, kind, unhurried ? foreverMs : undefined),
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
      if (error instanceof CommitUnknown) broken = error
      // A rollback on an unresponsive connection would wait just as long again.
      else if (isTimeout(error)) broken = error as Error
      else await client.query('rollback').catch((cause) => (broken = cause))
      if (broken && !(error instanceof CommitUnknown))
        throw new ConnectionLost('the connection broke', { cause: error })
      // The next attempt opens a new connection, which may reach the new primary.
      if (isReadOnly(error) || isStalePlan(error)) broken = error as Error
      throw error
    } finally {
      client.off('error', onCutOff)
      client.release(broken)
    }
  }

  return {
    ...direct,
    all: (text, params) => retrying('read', () => reads.all(text, params), { failureOf: failureOfStatement }),
    one: (text, params) => retrying('read', () => reads.one(text, params), { failureOf: failureOfStatement }),
    transaction: (work, transactionOptions = {}) =>
      retrying('transaction', () => attempt(work, transactionOptions), { failureOf }).catch((error) => {
        throw failureOf(error) === 'connection lost' ? asUnreachable(error) : error
      }),
    // The pool drops a connection whose statement failed, so a stale plan is prepared again on another one.
    statement: (text, params) => retrying('statement', () => direct.all(text, params), { failureOf }),
    async outsideTransaction(text) {
      await queryOn(connectForWrite(), { text, query_timeout: foreverMs } as pg.QueryConfig)
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

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('commit')
  } catch (error) {
    // A refused COMMIT has an SQLSTATE, so its outcome is certain; a broken connection leaves it unknown.
    if (isRefusal(error)) throw error
    throw new CommitUnknown('the connection broke while committing', { cause: error })
  }
}
