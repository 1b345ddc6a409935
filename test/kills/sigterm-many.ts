// SIGTERM under load, many times, on each database in turn: `node test/kills/sigterm-many.ts --times 50`.
import { parseArgs } from 'node:util'
import { databases } from '../support/places/places.ts'
import { stopUnderLoad } from './stop-under-load.ts'

const { values } = parseArgs({ options: { times: { type: 'string', default: '50' } } })
const made = await Promise.all(databases.map(async ({ name, create }) => ({ name, database: await create() })))
let slowestMs = 0
let answered = 0
try {
  for (let i = 0; i < Number(values.times); i++) {
    const { name, database } = made[i % made.length]!
    const { tookMs, accepted, read } = await stopUnderLoad(database.env)
    slowestMs = Math.max(slowestMs, tookMs)
    answered += accepted + read
    console.log(`${i + 1}. ${name}: stopped in ${Math.round(tookMs)} ms; ${accepted} tasks and ${read} reads answered`)
  }
} finally {
  for (const { database } of made) await database.stop()
}
console.log(
  `${values.times} stops under load: ${answered} requests taken, each answered; slowest ${Math.round(slowestMs)} ms`,
)
