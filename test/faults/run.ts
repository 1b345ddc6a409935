// The fault suite at length: `npm run test:faults -- --runs 4 --faults 12 --seed 1`. Each run has a cluster of its own.
import { parseArgs } from 'node:util'
import { runFaults } from './fault-run.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '4' },
    faults: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
  },
})
const faultsARun = Number(values.faults)
let injected = 0
for (let i = 0; i < Number(values.runs); i++) {
  const seed = Number(values.seed) + i
  const startedAt = performance.now()
  const verdict = await runFaults({ seed, faults: faultsARun, say: (line) => console.log(`[${seed}] ${line}`) })
  injected += faultsARun
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(`[${seed}] ${JSON.stringify({ faults: faultsARun, ...verdict, seconds })}`)
}
console.log(`${injected} faults: nothing lost, nothing charged twice, every task ended, every callback sent.`)
