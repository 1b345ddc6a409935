// Numbered migrations, each applied once and in order, in one transaction. Files are named `NNNN_what.sql`, or
// `NNNN_what.sqlite.sql` and `NNNN_what.postgres.sql` where the databases need different SQL.
import { readdirSync, readFileSync } from 'node:fs'
import { OperatorError } from '../platform/errors.ts'
import type { Db, Sql, Tx } from './db.ts'

const folder = new URL('./migrations/', import.meta.url)

interface Migration {
  version: number
  name: string
  sql: string
}

/** Applies the outstanding migrations and returns their names. Safe to run from several processes at once. */
export async function migrate(db: Db, nowMs: number): Promise<string[]> {
  const migrations = readMigrations(db.dialect)
  const applyMissing = async (tx: Tx) => {
    // An arbitrary constant that identifies this advisory lock.
    if (db.dialect === 'postgres') await tx.all('select pg_advisory_xact_lock(727045)')
    await tx.run(
      'create table if not exists schema_migrations (version bigint primary key, name text not null, applied_at bigint not null)',
    )
    const rows = await tx.all<{ version: number }>('select version from schema_migrations')
    const applied = new Set(rows.map((row) => row.version))
    const newest = migrations.at(-1)!.version
    const unknown = Math.max(0, ...applied)
    if (unknown > newest) {
      throw new OperatorError(
        `the database has schema ${unknown}, this program knows up to ${newest}; run a newer version of Dailies`,
      )
    }
    const missing = migrations.filter((migration) => !applied.has(migration.version))
    for (const { version, name, sql } of missing) {
      for (const statement of splitStatements(sql)) await tx.run(statement)
      await tx.insert('schema_migrations', [{ version, name, applied_at: nowMs }])
    }
    return missing.map((migration) => migration.name)
  }
  return db.transaction(applyMissing, { unhurried: true })
}

export interface SchemaState {
  /** Number of the newest applied migration; 0 for an empty database. */
  version: number
  /** Names of the outstanding migrations. */
  missing: string[]
  /** The database's schema number if it is newer than this program supports, else null. */
  newer: number | null
}

/** Reads the state of the schema without changing it. */
export async function schemaState(sql: Sql): Promise<SchemaState> {
  const migrations = readMigrations(sql.dialect)
  const exists = await sql.one(
    sql.dialect === 'sqlite'
      ? `select 1 as found from sqlite_master where type = 'table' and name = 'schema_migrations'`
      : `select 1 as found where to_regclass('schema_migrations') is not null`,
  )
  const rows = exists ? await sql.all<{ version: number }>('select version from schema_migrations') : []
  const applied = new Set(rows.map((row) => row.version))
  const version = Math.max(0, ...applied)
  return {
    version,
    missing: migrations.filter((migration) => !applied.has(migration.version)).map((migration) => migration.name),
    newer: version > migrations.at(-1)!.version ? version : null,
  }
}

function readMigrations(dialect: string): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_\w+(\.\w+)?\.sql$/.test(file))
    .filter((file) => !/\.(sqlite|postgres)\.sql$/.test(file) || file.endsWith(`.${dialect}.sql`))
    .sort()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.replace(/\.sql$/, ''),
      sql: readFileSync(new URL(file, folder), 'utf8'),
    }))
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
