// The fault suite at length: `npm run test:faults -- --runs 4 --faults 30 --seed 1`. Each run has a cluster of its own.
// With `--only TEXT` the faults are those with the text in their name; `--lease 15s` gives workers another lease.
import { parseArgs } from 'node:util'
import { parseDuration } from '../../src/platform/durations.ts'
import { runFaults } from './fault-run.ts'
import { faults } from './kinds/faults.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '4' },
    faults: { type: 'string', default: String(Object.keys(faults).length) },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    lease: { type: 'string', default: '3s' },
  },
})
const only = values.only && Object.keys(faults).filter((name) => name.includes(values.only!))
const wanted = only || Number(values.faults)
const count = typeof wanted === 'number' ? wanted : wanted.length
const leaseMs = parseDuration(values.lease)!
// Stopped by hand, a run ends what it has started.
const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort(new Error(signal)))
let injected = 0
const total = { creations: 0, succeeded: 0, callbacks: 0, failedWrongly: 0 }
for (let i = 0; i < Number(values.runs); i++) {
  const seed = Number(values.seed) + i
  const startedAt = performance.now()
  const say = (line: string) => console.log(`[${seed}] ${line}`)
  const verdict = await runFaults({ seed, faults: wanted, leaseMs, say, signal: stopped.signal })
  injected += count
  total.creations += verdict.tasks
  total.succeeded += verdict.succeeded
  total.callbacks += verdict.callbacks
  total.failedWrongly += verdict.failedWrongly.length
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const { failedWrongly, ...figures } = verdict
  say(JSON.stringify({ faults: count, ...figures, failedWrongly: failedWrongly.length, seconds }))
  for (const task of failedWrongly) say(`failed wrongly: ${task}`)
}
const { creations, succeeded, callbacks, failedWrongly } = total
console.log(
  `${injected} faults, ${creations} creations: 0 lost, 0 stuck, 0 doubled, ${failedWrongly} failed wrongly, ` +
    `${succeeded} succeeded, ${callbacks} callbacks and none missing, the ledger exact, no stale write.`,
)
if (failedWrongly > 0) process.exitCode = 1
