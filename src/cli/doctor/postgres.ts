// The doctor's checks of a PostgreSQL: whether it accepts writes, whether a pooler is in between, and its connections.
import type { WorkQueue } from '../../app.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/db.ts'
import { connectionsPerProcess } from '../../db/open.ts'
import { detectPooling } from '../../db/postgres/pooler.ts'
import { liveWorkers } from '../../queue/workers.ts'
import { countText } from '../terminal/print.ts'
import { type Check, fine, problem, warning } from './checks.ts'

export async function checkPostgres(db: Db, config: Config, nowMs: number): Promise<Check[]> {
  const workers = await liveWorkers(db, nowMs)
  return [
    await checkWritable(db),
    await checkPooling(config),
    await checkConnections(db, new Set(workers.map(({ worker }) => worker)).size),
    checkWorkers(workers.map(({ queue }) => queue)),
  ]
}

/** What the role lacks to migrate and to work; null when it lacks nothing. */
export async function checkRights(db: Db): Promise<Check | null> {
  const row = await db.one<{ role: string; schema: string | null; creates: boolean | null; refused: string | null }>(
    `select current_user as role, current_schema() as schema,
       has_schema_privilege(current_schema(), 'create') as creates,
       (select relname::text from pg_class where relkind = 'r' and relnamespace = to_regnamespace(current_schema()::text)
          and not (has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
            and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')
            and pg_has_role(relowner, 'usage')) order by relname limit 1) as refused`,
  )
  const { role, schema, creates, refused } = row!
  const advice = `make ${role} the owner of the database and of its tables, or name another role in DAILIES_DATABASE_URL`
  if (refused !== null) {
    return problem('rights', `the role ${role} may not read, write and alter the table ${refused}`, advice)
  }
  return creates === true
    ? null
    : problem('rights', `the role ${role} may not create tables in the schema ${schema ?? 'public'}`, advice)
}

async function checkWritable(db: Db): Promise<Check> {
  const row = await db.one<{ recovery: boolean; read_only: string }>(
    `select pg_is_in_recovery() as recovery, current_setting('default_transaction_read_only') as read_only`,
  )
  if (row!.recovery) {
    return problem('writes', 'this PostgreSQL is a standby', 'point DAILIES_DATABASE_URL at the primary, or promote it')
  }
  if (row!.read_only === 'on') {
    return problem('writes', 'this PostgreSQL is read-only', 'set default_transaction_read_only to off')
  }
  return fine('writes', 'PostgreSQL is a primary')
}

async function checkPooling(config: Config): Promise<Check> {
  const pooling = await detectPooling(config.databaseUrl!)
  if (pooling === 'none') return fine('pooler', 'none')
  if (pooling === 'session') return fine('pooler', 'in session mode')
  return config.databaseDirectUrl === null
    ? warning(
        'pooler',
        'in transaction mode: other processes are noticed every 0.8 s',
        'set DAILIES_DATABASE_DIRECT_URL to PostgreSQL itself, so that they are noticed at once',
      )
    : fine('pooler', 'in transaction mode, with a direct address for notifications')
}

interface ConnectionCounts {
  max: number
  reserved: number
  used: number
}

async function checkConnections(db: Db, workers: number): Promise<Check> {
  const row = await db.one<ConnectionCounts>(
    `select current_setting('max_connections')::int as max,
       current_setting('superuser_reserved_connections')::int as reserved,
       (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as used`,
  )
  const { max, reserved, used } = row!
  const needed = connectionsPerProcess * (workers + 1)
  const message = `${used} of ${max} in use; ${countText(workers, 'worker')} and a server need up to ${needed}`
  return needed > max - reserved
    ? warning('connections', message, `set max_connections to at least ${needed + reserved}, or use a pooler`)
    : fine('connections', message)
}

/** Named here, because the list in app.ts comes with the whole service. */
const workQueues: Record<WorkQueue, true> = { prepare: true, generate: true, deliver: true, infer: true }

/** `lanes` are the queues that live workers run, such as `generate:studio`. */
function checkWorkers(lanes: string[]): Check {
  const queues = Object.keys(workQueues)
  const idle = queues.filter((queue) => !lanes.some((lane) => lane.split(':')[0] === queue))
  if (idle.length === 0) return fine('workers', 'every queue has one')
  const what =
    idle.length === queues.length ? 'none runs: accepted tasks wait' : `none runs the jobs of ${idle.join(', ')}`
  return warning('workers', what, 'start dailies work, or a server with --work')
}
