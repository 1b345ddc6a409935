// Reads tasks by id and for one caller. Their form on the wire is in tasks/record/records.ts.
import type { Principal } from '../../accounts/keys/authenticate.ts'
import { apiError } from '../../contract/errors.ts'
import type { ListedState } from '../../contract/tasks/states.ts'
import { anyIn, anyOf, contains, type Db, type Sql } from '../../db/db.ts'
import { type Filters, newestOf, ownedBetween, scannedTo, whereClause } from '../../db/where-clause.ts'
import { createBatcher } from '../../platform/batcher.ts'
import { endOfId, firstIdAt, isId } from '../../platform/ids.ts'
import type { TaskRow } from './task-row.ts'

export function findTask(sql: Sql, taskId: string): Promise<TaskRow | undefined> {
  return sql.one('select * from tasks where id = ?', [taskId])
}

/** Concurrent reads of many jobs share a statement. */
export type FindTask = (taskId: string) => Promise<TaskRow | undefined>

export const createFindTask = (db: Db): FindTask => createFindColumns<keyof TaskRow>(db, '*')

/** Later reads do not wait for one on a connection that went silent. */
const stuckAfterMs = 250

/** The ids must be well-formed: a statement is shared by several callers. */
function createFindColumns<Column extends keyof TaskRow>(db: Db, columns: string) {
  type Found = Pick<TaskRow, Column | 'id'>
  const batcher = createBatcher<string, Found | undefined>(
    async (ids) => {
      const text = `select ${columns} from tasks where ${anyOf(db, 'id')}`
      const rows = await db.all<Found>(text, [JSON.stringify(ids)])
      const byId = new Map(rows.map((row) => [row.id, row]))
      return ids.map((id) => byId.get(id))
    },
    { batchMax: 256, stuckAfterMs },
  )
  return (taskId: string) => batcher.add(taskId)
}

/** The task if the caller may see it; otherwise the same error that an unknown id gets. */
export async function readTask(sql: Sql, caller: Principal, taskId: string): Promise<TaskRow> {
  return visible(caller, await findTask(sql, taskId))
}

/** The same for routes that are called often: concurrent reads share a statement, and read only these columns. */
export function createReadTask<Column extends keyof TaskRow>(db: Db, columns: readonly Column[]) {
  const find = createFindColumns<Column | Access>(db, [...new Set([...accessColumns, ...columns])].join(', '))
  return async (caller: Principal, taskId: string): Promise<Pick<TaskRow, Column | Access>> =>
    visible(caller, isId(taskId) ? await find(taskId) : undefined)
}

const accessColumns = ['id', 'account_id', 'key_id'] as const
type Access = (typeof accessColumns)[number]

function visible<Task extends Pick<TaskRow, Access>>(caller: Principal, task: Task | undefined): Task {
  if (!task || task.account_id !== caller.accountId) throw apiError('no_task')
  if (caller.isSubKey && task.key_id !== caller.keyId) throw apiError('no_task')
  return task
}

export interface TaskFilter {
  state?: ListedState
  model?: string
  keyId?: string
  /** Epoch milliseconds: created at `sinceMs` or later, and before `untilMs`. */
  sinceMs?: number
  untilMs?: number
  /** A part of the prompt or of a shot's, or the end of the id. */
  text?: string
  /** Tasks older than this id. */
  before?: string
  limit: number
}

/**
 * Newest first. A page reads a bounded number of tasks, whatever it looks for: `scannedTo` is the oldest one that was
 * read, where older ones may match too.
 */
export async function listTasks(
  sql: Sql,
  caller: Principal,
  filter: TaskFilter,
): Promise<{ rows: TaskRow[]; scannedTo: string | null }> {
  const { state, model, keyId, sinceMs, untilMs, text, limit } = filter
  if (caller.isSubKey && keyId !== undefined && keyId !== caller.keyId) return { rows: [], scannedTo: null }
  const key = caller.isSubKey ? caller.keyId : keyId
  const implied = impliedBy(state)
  const ofKey = key !== undefined && implied.length === 0
  const [owner, ownerId] = ofKey ? ['key_id', key] : ['account_id', caller.accountId]
  const created = { 'created_at >= ?': sinceMs, 'created_at < ?': untilMs }
  // A search compares times only where the prompt matches, because they are not in the index that it reads.
  const timed = text === undefined ? created : {}
  const ids = idsBetween(filter)
  const order = `${owner} desc, id desc`
  const isFiltered = state !== undefined || model !== undefined || text !== undefined
  const all = whereClause({ ...ownedBetween(owner, ownerId, ids), ...timed }, implied)
  const oldest = isFiltered ? await scannedTo(sql, 'tasks', { ...all, order }) : null
  const read = { ...ownedBetween(owner, ownerId, { ...ids, from: oldest ?? ids.from }), ...timed, 'model = ?': model }
  const kept = { ...stateIs(state), 'key_id = ?': key, 'account_id = ?': ofKey ? caller.accountId : undefined }
  const rows = await (text === undefined ? listed() : searched(text.toLowerCase()))
  // A full page ends before what was read.
  return { rows, scannedTo: rows.length === limit ? null : oldest }

  function listed(): Promise<TaskRow[]> {
    const { where, params } = whereClause({ ...read, ...kept }, implied)
    return sql.all(`select * from tasks ${where} order by ${order} limit ?`, [...params, limit])
  }

  function searched(words: string): Promise<TaskRow[]> {
    const maybe = whereClause(
      { ...read, ...idOr(words, `search_text is null or ${contains(sql, 'search_text', '?')}`) },
      implied,
    )
    const candidates = `select id from tasks ${maybe.where}`
    // Either form reads tasks in the order of their ids, and only until the page is full.
    const { where, params } = whereClause({ ...idOr(words, promptHas(sql)), ...created, ...kept }, [
      anyIn(sql, 'id', candidates),
    ])
    return sql.all(`select * from tasks ${where} order by id desc limit ?`, [...params, ...maybe.params, limit])
  }
}

export type AllTasksFilter = Omit<TaskFilter, 'keyId'> & { accountId?: string }

/** The same across accounts, for operators. */
export async function listAllTasks(
  sql: Sql,
  { accountId, state, model, text, limit, ...times }: AllTasksFilter,
): Promise<{ rows: TaskRow[]; scannedTo: string | null }> {
  const ids = idsBetween(times)
  const { filters, order } = newestOf(accountId, ids)
  const oldest = await scannedTo(sql, 'tasks', { ...whereClause(filters), order })
  const { where, params } = whereClause({
    ...newestOf(accountId, { ...ids, from: oldest ?? ids.from }).filters,
    ...stateIs(state),
    'model = ?': model,
    'created_at >= ?': times.sinceMs,
    'created_at < ?': times.untilMs,
    ...(text === undefined ? {} : idOr(text.toLowerCase(), promptHas(sql))),
  })
  const rows = await sql.all<TaskRow>(`select * from tasks ${where} order by ${order} limit ?`, [...params, limit])
  return { rows, scannedTo: rows.length === limit ? null : oldest }
}

/** Canceled tasks are stored as failed ones, with a reason of their own. */
export function stateIs(state: ListedState | undefined): Filters {
  return state === 'canceled' ? { 'state = ?': 'fail', 'fail_reason = ?': 'canceled' } : { 'state = ?': state }
}

/** What a state implies, where an index has only such tasks of each account. Most tasks are not among them. */
function impliedBy(state: ListedState | undefined): string[] {
  if (state === undefined || state === 'success') return []
  return state === 'fail' || state === 'canceled' ? ['fail_code is not null'] : ['completed_at is null']
}

/** Ids may be later than the creation by about this much, where a clock was set back. They are never earlier. */
const clockSetBackMs = 2 * 3_600_000

/** The ids, which sort by time, of all tasks created between these times and before the task `before`. */
export function idsBetween({ sinceMs, untilMs, before }: Pick<TaskFilter, 'sinceMs' | 'untilMs' | 'before'>) {
  const end = untilMs === undefined ? undefined : firstIdAt(untilMs + clockSetBackMs)
  return {
    from: sinceMs === undefined ? undefined : firstIdAt(sinceMs),
    before: end === undefined || (before !== undefined && before < end) ? before : end,
  }
}

/** The condition on the prompt, or an id that ends with these words where they can be the end of one. */
export function idOr(words: string, promptCondition: string): Filters {
  const end = endOfId(words)
  if (end === null) return { [`(${promptCondition})`]: words }
  return { [`(${promptCondition} or id like ?)`]: [words, `%${end}`] }
}

/** A condition with one `?`, a text in lower case: the prompt or the shots contain it, in upper or lower case. */
export function promptHas(sql: Sql): string {
  return contains(sql, `coalesce(search_text, lower(${promptsOf[sql.dialect]}))`, '?')
}

/** The text of `searchTextOf`, from the stored request. */
const promptsOf = {
  sqlite: `json_extract(request, '$.prompt') || coalesce(
    (select char(10) || group_concat(value ->> 'prompt', ' / ') from json_each(request, '$.shots')), '')`,
  postgres: `(request::json ->> 'prompt') || coalesce(
    (select e'\\n' || string_agg(shot ->> 'prompt', ' / ') from json_array_elements(request::json -> 'shots') as shot), '')`,
}
