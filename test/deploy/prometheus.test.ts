// The alert rules pass their own tests, and name only metrics that the service has.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findProgram } from '../support/debian-package.ts'
import { createTestDatabase } from '../support/places/postgres.ts'
import { startService } from '../support/service/service.ts'

const folder = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url))

test('the alert rules pass their tests', () => {
  const promtool = findProgram('prometheus')
  const output = execFileSync(promtool, ['test', 'rules', 'alerts.test.yaml'], { cwd: folder, encoding: 'utf8' })
  assert.match(output, /SUCCESS/)
})

test('alerts and dashboard read only metrics that exist', async () => {
  const database = await createTestDatabase()
  const service = await startService({ DAILIES_DATABASE_URL: database.url })
  try {
    await service.api.until(await service.api.createTask('a boat'), ['success'])
    const { text } = await service.api.get('/metrics')
    const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map((match) => match[1]!))
    assert.ok(known.size > 10)
    for (const file of ['prometheus/alerts.yaml', 'grafana-dashboard.json']) {
      const source = await readFile(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')
      const used = new Set(
        [...source.matchAll(/\bdailies_\w+/g)].map(([name]) => name.replace(/_(count|bucket|sum)$/, '')),
      )
      assert.ok(used.size > 5)
      for (const name of used) assert.ok(known.has(name), `${file}: ${name}`)
    }
  } finally {
    await service.stop()
    await database.stop()
  }
})
