// A few faults in a running cluster. `npm run test:faults` injects many.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFaults } from './fault-run.ts'

test('a cluster survives a killed worker, a hung one, a crashed PostgreSQL and a failing S3', async (t) => {
  const faults = [
    'a worker is killed',
    'PostgreSQL crashes and is started again',
    'S3 answers 503',
    'a worker hangs for twice its lease, then goes on',
  ]
  const verdict = await runFaults({ seed: 7, faults, say: (line) => t.diagnostic(line) })
  assert.ok(verdict.tasks > 20 && verdict.succeeded > 0, JSON.stringify(verdict))
  t.diagnostic(JSON.stringify(verdict))
})
