// Every migration after the previous release declares that its programs keep working, so that an upgrade can be rolled
// out process by process. test/e2e/cluster/rolling-upgrade.test.ts runs both releases side by side.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMigrations } from '../../src/db/migrate.ts'
import { previousSchema } from '../support/previous-release/previous-release.ts'

for (const dialect of ['sqlite', 'postgres']) {
  test(`migrations for ${dialect} declare which programs may run beside them`, () => {
    const added = readMigrations(dialect).filter(({ version }) => version > previousSchema)
    for (const { name, runsFrom } of added) {
      const advice = `begin ${name}.sql with the line "-- runs_from: ${String(previousSchema).padStart(4, '0')}"`
      assert.ok(runsFrom <= previousSchema, `${advice}, and only add: tables, columns with defaults, indexes`)
    }
  })
}
