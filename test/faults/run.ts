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
for (let i = 0; i < Number(values.runs); i++) {
  const seed = Number(values.seed) + i
  const startedAt = performance.now()
  const say = (line: string) => console.log(`[${seed}] ${line}`)
  const verdict = await runFaults({ seed, faults: wanted, leaseMs, say, signal: stopped.signal })
  injected += count
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  say(JSON.stringify({ faults: count, ...verdict, seconds }))
}
console.log(
  `${injected} faults: nothing lost, nothing charged twice, every task ended, no stale write, every callback sent.`,
)
