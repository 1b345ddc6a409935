// Reads deliveries with their attempts: in pages, one by one, and those of the last moments. Their form on the wire is in
// webhooks/delivery-record.ts.
import type { DeliveryState } from '../contract/deliveries.ts'
import { apiError } from '../contract/errors.ts'
import { anyOf, contains, type Sql } from '../db/db.ts'
import { newestOf, scannedTo, whereClause } from '../db/where-clause.ts'
import { endOfId, isId } from '../platform/ids.ts'
import type { DeliveryAttemptRow, DeliveryRow } from './deliveries.ts'

const listColumns =
  'id, account_id, key_id, kind, subject, callback_url, origin, state, attempts, round_at, serving_order, next_at, created_at, ended_at, is_test, resends'

export type ListedDelivery = Omit<DeliveryRow, 'body'> & { attemptRows: DeliveryAttemptRow[] }

interface DeliveryFilter {
  accountId?: string
  state?: DeliveryState
  /** What it reports, such as a task; has at most one delivery. */
  subject?: string
  /** A part of the URL. */
  urlText?: string
  /** The end of its id. */
  idEnd?: string
  /** Deliveries older than this id. */
  before?: string
  limit: number
}

/** A condition on the URL, whose parameter is a part of it. */
export const urlContains = (sql: Sql) => contains(sql, 'lower(callback_url)', 'lower(?)')

/**
 * Newest first, each with its attempts in order. A page reads a bounded number of deliveries, whatever it looks for:
 * `scannedTo` is the oldest one that was read, where older ones may match too.
 */
export async function listDeliveries(
  sql: Sql,
  { accountId, state, subject, urlText, idEnd, before, limit }: DeliveryFilter,
): Promise<{ rows: ListedDelivery[]; scannedTo: string | null }> {
  const end = idEnd === undefined ? null : endOfId(idEnd)
  // What cannot be the end of an id finds nothing.
  if (idEnd !== undefined && end === null) return { rows: [], scannedTo: null }
  const { filters, order } = newestOf(accountId, { before })
  // Implied by the state, and needed to match the partial index.
  const implied = state === 'pending' || state === 'failed' ? [`state <> 'delivered'`] : []
  const isSearch = subject === undefined && [state, urlText, idEnd].some((each) => each !== undefined)
  const oldest = isSearch ? await scannedTo(sql, 'deliveries', { ...whereClause(filters, implied), order }) : null
  const { where, params } = whereClause(
    {
      ...newestOf(accountId, { from: oldest ?? undefined, before }).filters,
      'state = ?': state,
      'subject = ?': subject,
      [urlContains(sql)]: urlText,
      'id like ?': end === null ? undefined : `%${end}`,
    },
    implied,
  )
  const rows = await sql.all<Omit<DeliveryRow, 'body'>>(
    `select ${listColumns} from deliveries ${where} order by ${order} limit ?`,
    [...params, limit],
  )
  return { rows: await withAttempts(sql, rows), scannedTo: rows.length === limit ? null : oldest }
}

/** One delivery of the account with its body and attempts. */
export async function readDelivery(
  sql: Sql,
  id: string,
  accountId: string,
): Promise<DeliveryRow & { attemptRows: DeliveryAttemptRow[] }> {
  const row = isId(id)
    ? await sql.one<DeliveryRow>('select * from deliveries where id = ? and account_id = ?', [id, accountId])
    : undefined
  if (!row) throw apiError('no_delivery')
  return (await withAttempts(sql, [row]))[0]!
}

async function withAttempts<Row extends { id: string }>(
  sql: Sql,
  rows: Row[],
): Promise<(Row & { attemptRows: DeliveryAttemptRow[] })[]> {
  const attempts = await sql.all<DeliveryAttemptRow>(
    `select * from delivery_attempts where ${anyOf(sql, 'delivery_id')} order by id`,
    [JSON.stringify(rows.map((row) => row.id))],
  )
  const byDelivery = Map.groupBy(attempts, (attempt) => attempt.delivery_id)
  return rows.map((row) => ({ ...row, attemptRows: byDelivery.get(row.id) ?? [] }))
}

/** Deliveries of the account whose current round began between these times, with their bodies, oldest first. */
export function deliveriesBetween(
  sql: Sql,
  accountId: string,
  { sinceMs, untilMs, limit }: { sinceMs: number; untilMs: number; limit: number },
): Promise<DeliveryRow[]> {
  return sql.all(
    'select * from deliveries where account_id = ? and round_at > ? and round_at <= ? order by round_at, id limit ?',
    [accountId, sinceMs, untilMs, limit],
  )
}
