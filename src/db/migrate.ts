// Numbered migrations, each applied once and in order, inside one transaction. Files are named `NNNN_what.sql`, or
// `NNNN_what.sqlite.sql` and `NNNN_what.postgres.sql` where the two databases need different words.
import { readdirSync, readFileSync } from 'node:fs'
import { OperatorError } from '../platform/errors.ts'
import type { Db } from './db.ts'

const folder = new URL('./migrations/', import.meta.url)

interface Migration {
  version: number
  name: string
  sql: string
}

/** Brings the schema up to date and says which migrations it applied. Safe to run from several processes at once. */
export async function migrate(db: Db, nowMs: number): Promise<string[]> {
  const migrations = readMigrations(db.dialect)
  return db.transaction(async (tx) => {
    // An arbitrary constant that names this lock among the database's advisory locks.
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
  })
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

/** Statements end with `;` at the end of a line followed by an empty line, so that bodies may hold semicolons. */
function splitStatements(sql: string): string[] {
  return sql
    .replace(/^--.*$/gm, '')
    .split(/;[ \t]*\n\s*\n|;\s*$/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
