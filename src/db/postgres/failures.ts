// What a failed statement or connection means. Whether it is retried is decided in retry.ts.
import pg from 'pg'
import { ConnectionLost, DatabaseBusy } from '../db.ts'
import type { Failure } from '../retry.ts'

/** A standby that is not promoted yet refuses writes with this SQLSTATE. Nothing was written. */
const readOnlyState = '25006'
/** Serialization failures and deadlocks: the whole transaction may be run again. */
const conflictStates = new Set(['40001', '40P01'])
/** Connection refused, server starting or stopping. */
const passingStates = new Set(['ECONNREFUSED', 'ECONNRESET', '57P01', '57P02', '57P03'])

const stateOf = (error: unknown): string => (error as { code?: string }).code ?? ''

export const isReadOnly = (error: unknown) => stateOf(error) === readOnlyState

/** Of a transaction, whose work may also throw errors of its own. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ConnectionLost) return isTimeout(error.cause) ? 'silent' : 'connection lost'
  if (error instanceof DatabaseBusy) return 'busy'
  if (isReadOnly(error)) return 'read-only'
  if (isStalePlan(error)) return 'stale plan'
  return conflictStates.has(stateOf(error)) ? 'conflict' : 'final'
}

/** Of a connection, or of a statement outside of a transaction: what the server did not refuse failed on the way. */
export function failureOfStatement(error: unknown): Failure {
  const failure = failureOf(error)
  if (failure !== 'final' || isRefusal(error)) return failure
  if (isPassing(error)) return 'unreachable'
  return isTimeout(error) ? 'silent' : 'connection lost'
}

/** The server is not there yet, or has no connection free. */
const isPassing = (error: unknown) =>
  error instanceof DatabaseBusy || passingStates.has(stateOf(error)) || isRefusedByPooler(error) || isHangUp(error)

/**
 * A pooler that cannot reach the server refuses a client's first statement and passes nothing on. The state belongs to the
 * class of connection exceptions, and differs between versions.
 */
const isRefusedByPooler = (error: unknown) =>
  stateOf(error).startsWith('08') && (error as pg.DatabaseError).severity === 'FATAL'

/** A proxy without a server behind it accepts connections and closes them. node-postgres gives this no code. */
const isHangUp = (error: unknown) => (error as Error).message === 'Connection terminated unexpectedly'

/** The server has as many connections as it may, or every connection of this process is in use. */
export const hasNoneFree = (error: unknown) =>
  stateOf(error) === '53300' || (error as Error).message === 'timeout exceeded when trying to connect'

/** Names that are not known yet, and networks without a route yet. */
const unreachableStates = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Nothing responds at the address, or it accepts nothing yet. A wrong password or a missing database is final. */
export const isNotThereYet = (error: unknown) =>
  isPassing(error) ||
  hasNoneFree(error) ||
  isTimeout(error) ||
  unreachableStates.has(stateOf(error)) ||
  (error as Error).message === 'timeout expired'

/** node-postgres gives its own time-outs no code. */
export const isTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/**
 * A migration by a newer release has changed the columns of a prepared statement. Nothing was done, and a new connection
 * prepares it again.
 */
export const isStalePlan = (error: unknown) =>
  stateOf(error) === '0A000' && (error as pg.DatabaseError).routine === 'RevalidateCachedQuery'

/** The server refused the statement, and the connection stays usable. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity !== 'FATAL'
}
