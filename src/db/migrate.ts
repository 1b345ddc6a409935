// Numbered migrations, each applied once, in order and in a transaction of its own, so that no lock on a table outlives
// the migration that needs it. Files are named `NNNN_what.sql`, or `NNNN_what.sqlite.sql` and `NNNN_what.postgres.sql`
// where the databases need different SQL. A line `-- runs_from: NNNN` declares the oldest schema whose programs keep
// working beside the new one; it is stored, because those programs do not have the file. A line
// `-- outside a transaction` is for indexes that are built concurrently: such a file can be run again after a failure.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../platform/errors.ts'
import { advisoryLocks, type Db, type Sql, type Tx } from './db.ts'
import { retrying } from './retry.ts'

const folder = new URL('./migrations/', import.meta.url)

interface Migration {
  version: number
  name: string
  sql: string
  /** Of its statements: files are frozen once they are released, and before that each version makes other databases. */
  digest: string
  /** Programs that know this schema or a newer one keep working. Without a declaration: only those that know it. */
  runsFrom: number
  isOutsideTransaction: boolean
}

/**
 * A table that a running process uses is altered under a lock, and everything else waits behind that request. A
 * migration that does not get the lock within this time steps back and lets the others pass (see retry.ts).
 */
const lockWithinMs = 3_000
const lockNotAvailable = '55P03'
const busyPollMs = 100

/** Applies the outstanding migrations and returns their names. Safe to run from several processes at once. */
export async function migrate(db: Db, nowMs: number): Promise<string[]> {
  const migrations = readMigrations(db.dialect)
  const applied: string[] = []
  for (;;) {
    const next = await retrying(
      'migrate',
      () => db.transaction((tx) => applyNext(db, tx, migrations, nowMs), { unhurried: true }),
      { failureOf: (error) => ((error as { code?: string }).code === lockNotAvailable ? 'busy' : 'final') },
    )
    if (next === 'nothing') return applied
    if (next === 'busy') await delay(busyPollMs)
    else applied.push(...next)
  }
}

type Next = string[] | 'nothing' | 'busy'

/**
 * Applies the first outstanding migration, unless another process is migrating. An empty database, which nothing else
 * uses, gets all of them at once.
 */
async function applyNext(db: Db, tx: Tx, migrations: Migration[], nowMs: number): Promise<Next> {
  if (tx.dialect === 'postgres') {
    // Not waited for: a waiting statement holds a snapshot, and the process that has the lock may be building an index
    // concurrently, which waits for all snapshots.
    const text = `select pg_try_advisory_xact_lock(${advisoryLocks.migrations}) as taken`
    const lock = await tx.one<{ taken: boolean }>(text)
    if (!lock!.taken) return 'busy'
    await tx.all(`select set_config('lock_timeout', '${lockWithinMs}', true)`)
  }
  const unusable = await whyUnusable(tx, migrations)
  if (unusable) throw new OperatorError(`${unusable.message}; nothing was changed: ${unusable.advice}`)
  await tx.run(
    `create table if not exists schema_migrations (version bigint primary key, name text not null, digest text not null,
     applied_at bigint not null, runs_from bigint not null)`,
  )
  const applied = await readApplied(tx)
  const { missing, newer } = compare(migrations, applied)
  if (newer && !newer.isCompatible) throw new OperatorError(tooNew(newer.version, migrations))
  if (missing.length === 0) return 'nothing'
  const isEmpty = applied.length === 0
  const next = isEmpty ? missing : missing.slice(0, 1)
  for (const { version, name, runsFrom, sql, digest, isOutsideTransaction } of next) {
    // Then this transaction only keeps other processes from migrating, and is idle for as long as the statements take.
    const isOutside = isOutsideTransaction && !isEmpty
    if (isOutside) await tx.run('set local idle_in_transaction_session_timeout = 0')
    for (const statement of splitStatements(sql)) {
      if (isOutside) await db.outsideTransaction!(statement)
      else await tx.run(isOutsideTransaction ? statement.replace(' concurrently', '') : statement)
    }
    await tx.insert('schema_migrations', [{ version, name, digest, applied_at: nowMs, runs_from: runsFrom }])
  }
  return next.map(({ name }) => name)
}

interface AppliedRow {
  version: number
  name: string
  digest: string
  runs_from: number
}

const readApplied = (sql: Sql) =>
  sql.all<AppliedRow>('select version, name, digest, runs_from from schema_migrations order by version')

interface SchemaState {
  /** Number of the newest applied migration; 0 for an empty database. */
  version: number
  /** Names of the outstanding migrations. */
  missing: string[]
  /** Set when a newer program has migrated the database. */
  newer: NewerSchema | null
  /** Set when no program migrates the database; the other fields are then empty. */
  unusable: Unusable | null
}

interface Unusable {
  /** Why. */
  message: string
  /** What to do. */
  advice: string
}

interface NewerSchema {
  version: number
  /** Whether this program can work with it. */
  isCompatible: boolean
}

/** Reads the state of the schema without changing it. */
export async function schemaState(sql: Sql): Promise<SchemaState> {
  const migrations = readMigrations(sql.dialect)
  const unusable = await whyUnusable(sql, migrations)
  if (unusable) return { version: 0, missing: [], newer: null, unusable }
  const applied = (await columnsOf(sql, 'schema_migrations')).length > 0 ? await readApplied(sql) : []
  const { missing, newer } = compare(migrations, applied)
  return {
    version: Math.max(0, ...applied.map(({ version }) => version)),
    missing: missing.map((migration) => migration.name),
    newer,
    unusable: null,
  }
}

function compare(migrations: Migration[], applied: AppliedRow[]) {
  const newest = migrations.at(-1)!.version
  const known = new Set(migrations.map(({ version }) => version))
  const found = new Set(applied.map(({ version }) => version))
  const unknown = applied.filter(({ version }) => !known.has(version))
  const newer: NewerSchema | null =
    unknown.length === 0
      ? null
      : {
          version: Math.max(...unknown.map(({ version }) => version)),
          isCompatible: unknown.every(({ runs_from }) => runs_from <= newest),
        }
  return { missing: migrations.filter(({ version }) => !found.has(version)), newer }
}

/** Whether something else than a released program made the database. */
async function whyUnusable(sql: Sql, migrations: Migration[]): Promise<Unusable | null> {
  const columns = await columnsOf(sql, 'schema_migrations')
  if (columns.length === 0) {
    const tables = await existing(sql, tablesOf(migrations[0]!))
    return tables.length > 0 ? foreign(tables) : null
  }
  if (['version', 'name', 'digest', 'runs_from'].every((column) => columns.includes(column))) {
    const applied = new Map((await readApplied(sql)).map(({ version, digest }) => [version, digest]))
    const isOurs = migrations.every(({ version, digest }) => (applied.get(version) ?? digest) === digest)
    return isOurs ? null : ofDevelopment
  }
  if (!columns.includes('version') || !columns.includes('name')) return foreign(['schema_migrations'])
  const first = await sql.one<{ name: unknown }>('select name from schema_migrations where version = 1')
  return /^0001_/.test(String(first?.name)) ? ofDevelopment : foreign(['schema_migrations'])
}

const tablesOf = ({ sql }: Migration) => [...sql.matchAll(/^create table (\w+)/gm)].map(([, table]) => table!)

async function existing(sql: Sql, tables: string[]): Promise<string[]> {
  const found: string[] = []
  for (const table of tables) if ((await columnsOf(sql, table)).length > 0) found.push(table)
  return found
}

async function columnsOf(sql: Sql, table: string): Promise<string[]> {
  const columns = await sql.all<{ name: string }>(
    sql.dialect === 'sqlite'
      ? 'select name from pragma_table_info(?)'
      : `select attname as name from pg_attribute where attrelid = to_regclass(?) and attnum > 0 and not attisdropped`,
    [table],
  )
  return columns.map(({ name }) => name)
}

const ofDevelopment: Unusable = {
  message: 'the database was made by a development version of Dailies and cannot be migrated',
  advice:
    'export its accounts with the version that made it (dailies accounts export NAME --out FOLDER), then start with another ' +
    'database (DAILIES_DATABASE_URL) or data folder (DAILIES_DATA)',
}

const foreign = (tables: string[]): Unusable => ({
  message: `the database is not one of Dailies: another program made its ${tables.length === 1 ? 'table' : 'tables'} ${tables.join(', ')}`,
  advice: 'use another database (DAILIES_DATABASE_URL) or data folder (DAILIES_DATA)',
})

function tooNew(version: number, migrations: Migration[]): string {
  return `the database has schema ${version}, this program knows up to ${migrations.at(-1)!.version}; run a newer version of Dailies`
}

export function readMigrations(dialect: string): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_\w+(\.\w+)?\.sql$/.test(file))
    .filter((file) => !/\.(sqlite|postgres)\.sql$/.test(file) || file.endsWith(`.${dialect}.sql`))
    .sort()
    .map((file) => {
      const version = Number(file.slice(0, 4))
      const sql = readFileSync(new URL(file, folder), 'utf8')
      const declared = /^-- runs_from: (\d{4})$/m.exec(sql)?.[1]
      return {
        version,
        name: file.replace(/\.sql$/, ''),
        sql,
        digest: createHash('sha256').update(splitStatements(sql).join('\n')).digest('hex'),
        runsFrom: Number(declared ?? version),
        isOutsideTransaction: /^-- outside a transaction$/m.test(sql),
      }
    })
}

/**
 * A statement ends with `;` at the end of a line followed by an empty line, so that its body may contain semicolons.
 */
function splitStatements(sql: string): string[] {
  return sql
    .replace(/^--.*$/gm, '')
    .split(/;[ \t]*\n\s*\n|;\s*$/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
