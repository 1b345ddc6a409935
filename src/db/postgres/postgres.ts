// PostgreSQL through node-postgres: transactions, and reads that survive a broken connection. Statements are named and
// prepared once per connection, except through a pooler in transaction mode.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { waitForAll } from '../../platform/wait-for-all.ts'
import { CommitUnknown, ConnectionLost, DatabaseBusy, type Db, type TransactionOptions, type Tx } from '../db.ts'
import { openChanges } from './changes.ts'
import { asAway, openConnections, outage } from './connections.ts'
import { isPassing, isReadOnly, isRefusal, isRetryable, isStalePlan, isTimeout } from './failures.ts'
import { detectPooling } from './pooler.ts'
import { foreverMs, sendTogether, sqlOn } from './statements.ts'

const attemptsMax = 4

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
  const { pool, connect, connectPatiently, suspectOthers, queryOn } = openConnections(url, {
    max: options.connectionsMax,
    answerWithinMs: options.answerWithinMs,
  })
  const changes = await openChanges({ listenUrl, pool, isNamed }).catch(async (error) => {
    await pool.end()
    throw error
  })

  const direct = sqlOn({ query: (statement) => queryOn(connectPatiently(), statement) }, isNamed)
  // A read is repeated as a whole, so its connection is not waited for separately.
  const reads = sqlOn({ query: (statement) => queryOn(connect(), statement) }, isNamed)
  let reportWait = (_waitedMs: number) => {}

  async function attempt<T>(
    work: (tx: Tx) => Promise<T>,
    { durable = true, unhurried = false }: TransactionOptions,
  ): Promise<T> {
    const askedAtMs = performance.now()
    const client = await connectPatiently().finally(() => reportWait(performance.now() - askedAtMs))
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
    // Reads change nothing, so a read that met a broken connection is repeated on another one.
    all: (text, params) => readAgain(() => reads.all(text, params)),
    one: (text, params) => readAgain(() => reads.one(text, params)),
    async transaction(work, transactionOptions = {}) {
      const giveUpAtMs = performance.now() + outage.waitMs
      for (let attempts = 1; ; attempts++) {
        try {
          return await attempt(work, transactionOptions)
        } catch (error) {
          // The first retry is at once: only that connection may have been broken. A pooler without a server accepts each
          // new one and closes it.
          const isAway = error instanceof ConnectionLost && !isTimeout(error.cause) && attempts > 1
          if ((isReadOnly(error) || isAway) && performance.now() < giveUpAtMs) {
            await delay(outage.everyMs)
            continue
          }
          if (isAway) throw asAway(error)
          // Every connection of the pool may have the old plan; each of them is replaced once.
          if (isStalePlan(error)) {
            attempts--
            continue
          }
          if (attempts >= attemptsMax || !isRetryable(error)) throw error
        }
      }
    },
    statement: (text, params) => withFreshPlan(() => direct.all(text, params)),
    async outsideTransaction(text) {
      await queryOn(connectPatiently(), { text, query_timeout: foreverMs } as pg.QueryConfig)
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
      const isLast = attempts > 1 || error instanceof DatabaseBusy
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
    throw new CommitUnknown('the connection broke while committing', { cause: error })
  }
}
