// Four runs of the fault suite that have every kind of fault between them. `npm run test:faults` injects many more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFaults } from './fault-run.ts'
import { faults } from './kinds/faults.ts'

const runs = 4
const faultsAtLeast = 8
const kinds = Object.keys(faults)

for (let run = 0; run < runs; run++) {
  const own = kinds.filter((_kind, i) => i % runs === run)
  const more = kinds.slice(0, Math.max(0, faultsAtLeast - own.length))
  test(`a cluster survives ${[...own, ...more].join('; ')}`, { timeout: 600_000 }, async (t) => {
    const say = (line: string) => t.diagnostic(line)
    const verdict = await runFaults({ seed: run + 1, faults: [...own, ...more], say })
    assert.deepEqual(verdict.failedWrongly, [])
    assert.ok(verdict.tasks > 20 && verdict.succeeded > verdict.tasks / 3, JSON.stringify(verdict))
    t.diagnostic(JSON.stringify(verdict))
  })
}
