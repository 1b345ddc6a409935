// Numbered migrations, each applied once, in order and in a transaction of its own, so that no lock on a table outlives
// the migration that needs it. Files are named `NNNN_what.sql`, or `NNNN_what.sqlite.sql` and `NNNN_what.postgres.sql`
// where the databases need different SQL. A line `-- runs_from: NNNN` declares the oldest schema whose programs keep
// working beside the new one; it is stored, because those programs do not have the file. A line
// `-- outside a transaction` is for indexes that are built concurrently: such a file can be run again after a failure.

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
  await tx.run(
    `create table if not exists schema_migrations (version bigint primary key, name text not null,
     applied_at bigint not null, runs_from bigint not null)`,
  )
  const applied = await readApplied(tx)
  if (isOfDevelopment(migrations, applied)) throw new OperatorError(ofDevelopment)
  const { missing, newer } = compare(migrations, applied)
  if (newer && !newer.isCompatible) throw new OperatorError(tooNew(newer.version, migrations))
  if (missing.length === 0) return 'nothing'
  const isEmpty = applied.length === 0
  const next = isEmpty ? missing : missing.slice(0, 1)
  for (const { version, name, runsFrom, sql, isOutsideTransaction } of next) {
    // Then this transaction only keeps other processes from migrating, and is idle for as long as the statements take.
    const isOutside = isOutsideTransaction && !isEmpty
    if (isOutside) await tx.run('set local idle_in_transaction_session_timeout = 0')
    for (const statement of splitStatements(sql)) {
      if (isOutside) await db.outsideTransaction!(statement)
      else await tx.run(isOutsideTransaction ? statement.replace(' concurrently', '') : statement)
    }
    await tx.insert('schema_migrations', [{ version, name, applied_at: nowMs, runs_from: runsFrom }])
  }
  return next.map(({ name }) => name)
}

interface AppliedRow {
  version: number
  name: string
  runs_from: number
}

/** Every column, because databases of development versions may have others. */
const readApplied = (sql: Sql) => sql.all<AppliedRow>('select * from schema_migrations')

interface SchemaState {
  /** Number of the newest applied migration; 0 for an empty database. */
  version: number
  /** Names of the outstanding migrations. */
  missing: string[]
  /** Set when a newer program has migrated the database. */
  newer: NewerSchema | null
  /** The database was made before the first release, and no program migrates it. */
  isOfDevelopment: boolean
}

interface NewerSchema {
  version: number
  /** Whether this program can work with it. */
  isCompatible: boolean
}

/** Reads the state of the schema without changing it. */
export async function schemaState(sql: Sql): Promise<SchemaState> {
  const migrations = readMigrations(sql.dialect)
  const exists = await sql.one(
    sql.dialect === 'sqlite'
      ? `select 1 as found from sqlite_master where type = 'table' and name = 'schema_migrations'`
      : `select 1 as found where to_regclass('schema_migrations') is not null`,
  )
  const applied = exists ? await readApplied(sql) : []
  const { missing, newer } = compare(migrations, applied)
  return {
    version: Math.max(0, ...applied.map(({ version }) => version)),
    missing: missing.map((migration) => migration.name),
    newer,
    isOfDevelopment: isOfDevelopment(migrations, applied),
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

/** Its first migration was another file. */
const isOfDevelopment = (migrations: Migration[], applied: AppliedRow[]) =>
  applied.some(({ version, name }) => version === 1 && name !== migrations[0]!.name)

/** What to do with a database of a development version. */
export const freshStart =
  'export its accounts with the version that made it (dailies accounts export NAME --out FOLDER), then start with another ' +
  'database (DAILIES_DATABASE_URL) or data folder (DAILIES_DATA)'

const ofDevelopment = `the database was made by a development version of Dailies and cannot be migrated; nothing was changed: ${freshStart}`

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
