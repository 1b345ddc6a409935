// Creating, extending, canceling and deleting tasks, so that a broken connection has no effect twice.
import type { CanceledTask, CreateTask, ExtendTask, TaskRecord, TaskState } from '../contract.ts'
import { InvalidRequest, NotFound } from '../errors.ts'
import { type Connection, type CreateOptions, pathPart, type RequestOptions } from '../transport/connection.ts'
import { randomId } from '../transport/random-id.ts'

export interface TaskFilter {
  /** `canceled`: only those of `fail` that were canceled. */
  state?: TaskState | 'canceled' | undefined
  model?: string | undefined
  /** A part of the prompt or of a shot's, or the last 8 or more characters of the id. */
  q?: string | undefined
  /** The id of a key. */
  key?: string | undefined
  /** Created at this time or later, in epoch milliseconds. */
  since?: number | undefined
  /** Created before this time. */
  until?: number | undefined
}

export function createTask(connection: Connection, body: CreateTask, options: CreateOptions): Promise<string> {
  return createOnce(connection, '/api/v1/jobs/createTask', body, options)
}

export function extendTask(connection: Connection, body: ExtendTask, options: CreateOptions): Promise<string> {
  return createOnce(connection, '/api/v1/video/extend', body, options)
}

/** All attempts carry one key, by which the service recognises the request. */
async function createOnce(
  connection: Connection,
  path: string,
  body: object,
  { idempotencyKey, signal }: CreateOptions,
): Promise<string> {
  const headers = { 'idempotency-key': idempotencyKey ?? randomId() }
  return (await connection.call<{ taskId: string }>({ method: 'POST', path, json: body, headers, signal })).taskId
}

export async function cancelTask(
  connection: Connection,
  taskId: string,
  { signal }: RequestOptions,
): Promise<CanceledTask> {
  try {
    return await connection.call({ method: 'POST', path: '/api/v1/jobs/cancelTask', json: { taskId }, signal })
  } catch (error) {
    // An earlier attempt, whose response was lost, may have done it already.
    if (!(error instanceof InvalidRequest) || error.tries === 1) throw error
    const path = '/api/v1/jobs/recordInfo'
    const record = await connection.call<TaskRecord>({ method: 'GET', path, query: { taskId }, signal })
    if (record.failReason !== 'canceled') throw error
    return { taskId, state: 'fail' }
  }
}

export async function deleteTask(
  connection: Connection,
  taskId: string,
  { signal }: RequestOptions,
): Promise<{ taskId: string }> {
  try {
    return await connection.call({ method: 'DELETE', path: `/api/v1/jobs/${pathPart(taskId)}`, signal })
  } catch (error) {
    if (error instanceof NotFound && error.tries > 1) return { taskId }
    throw error
  }
}
