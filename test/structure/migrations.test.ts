// The schema has the same tables and columns on both databases, and every migration after the previous release declares that
// its programs keep working, so that an upgrade can be rolled out process by process.
// test/e2e/cluster/rolling-upgrade.test.ts runs two releases side by side.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMigrations } from '../../src/db/migrate.ts'

/** The newest migration of the previous release. */
const previousSchema = 1

for (const dialect of ['sqlite', 'postgres']) {
  test(`migrations for ${dialect} declare which programs may run beside them`, () => {
    const added = readMigrations(dialect).filter(({ version }) => version > previousSchema)
    for (const { name, runsFrom } of added) {
      const advice = `begin ${name}.sql with the line "-- runs_from: ${String(previousSchema).padStart(4, '0')}"`
      assert.ok(runsFrom <= previousSchema, `${advice}, and only add: tables, columns with defaults, indexes`)
    }
  })
}

test('both databases have the same tables and columns', () => {
  const [sqlite, postgres] = ['sqlite', 'postgres'].map((dialect) => tablesOf(readMigrations(dialect)[0]!.sql))
  assert.ok(sqlite!.tasks!.length > 20)
  assert.deepEqual(postgres, sqlite)
})

function tablesOf(sql: string): Record<string, string[]> {
  const tables = [...sql.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\)/gm)]
  const columnsOf = (body: string) => [...body.matchAll(/^ {2}(\w+ (?:text|integer|bigint|double precision))\b/gm)]
  return Object.fromEntries(tables.map(([, name, body]) => [name, columnsOf(body!).map(([, column]) => column!)]))
}
