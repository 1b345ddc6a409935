// The pool of connections: waits for a server that is restarting, and replaces connections that have probably lost their
// route.
import pg from 'pg'
import { DatabaseBusy, Unreachable } from '../db.ts'
import { retrying } from '../retry.ts'
import { failureOfStatement, hasNoneFree, isTimeout } from './failures.ts'
import { columnTypes } from './statements.ts'

export function openConnections(url: string, options: { max: number; answerWithinMs: number | undefined }) {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    types: columnTypes,
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

  async function connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect().catch((error) => {
        throw hasNoneFree(error) ? new DatabaseBusy('no connection is free', { cause: error }) : error
      })
      if (eras.get(client)! >= era) return client
      client.release(true)
    }
  }

  const connectForWrite = (): Promise<pg.PoolClient> =>
    retrying('connect', connect, { failureOf: failureOfStatement }).catch((error) => {
      throw asUnreachable(error)
    })

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

  return { pool, connect, connectForWrite, suspectOthers, queryOn }
}

/** Nothing was sent yet, so the failure is not the fault of a statement. */
export const asUnreachable = (error: unknown) =>
  error instanceof DatabaseBusy ? error : new Unreachable('the database cannot be reached', { cause: error })
