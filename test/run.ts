// Runs test files with one PostgreSQL for all of them. `npm test` calls it without arguments, `npm run test:all` with
// `--all`. Names of files run only those, with `--place` at another place than SQLite. A single file also runs with
// `node --test <file>` and then starts what it needs by itself.
import { availableParallelism } from 'node:os'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { longFiles, placeSuites, quickFiles, suitesAt } from './suites.ts'
import { findProgram } from './support/debian-package.ts'
import { startPostgres } from './support/places/postgres.ts'

interface Stage {
  name: string
  files: string[]
  place?: string
  /** Titles of tests that do not run. */
  skipped?: string[]
}

const fileTimeoutMs = 600_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, place: { type: 'string' } },
})
const { all, place } = values
if (place !== undefined && !placeSuites[place]) {
  throw new Error(`--place must be ${Object.keys(placeSuites).join(' or ')}`)
}

// Before files that run side by side would each install them.
if (all && process.env.DAILIES_TEST_INSTALL === '1')
  for (const name of ['chromium', 'nginx', 'pgbouncer', 'prometheus'] as const) findProgram(name)
// Test files load most of the service: compiled code is kept from one process to the next.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
const postgres = process.env.TEST_POSTGRES_URL ? null : await startPostgres()
if (postgres) process.env.TEST_POSTGRES_URL = postgres.url
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
const total = { passed: 0, failed: 0 }
const failures: string[] = []
try {
  for (const stage of stages()) await runStage(stage)
} finally {
  await postgres?.stop()
}
const isPassed = total.failed === 0 && total.passed > 0 && !interrupted.signal.aborted
if (failures.length > 0) console.log(`\nfailed:\n${failures.join('\n')}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(isPassed ? 0 : 1)

function stages(): Stage[] {
  const at = (name: string) => ({ name: `suites at ${name}`, place: name, ...suitesAt(name) })
  if (positionals.length > 0) return [{ name: 'named files', ...(place ? at(place) : {}), files: positionals }]
  if (place) return [at(place)]
  if (all) return [{ name: 'browser, faults, kills', files: longFiles() }, ...Object.keys(placeSuites).map(at)]
  return [{ name: 'everything but the long suites', files: quickFiles() }]
}

async function runStage({ name, files, place, skipped = [] }: Stage): Promise<void> {
  if (interrupted.signal.aborted) return
  console.log(`\n${name}: ${files.length} files`)
  if (place) process.env.TEST_PLACE = place
  else delete process.env.TEST_PLACE
  const events = run({
    files,
    concurrency: availableParallelism(),
    timeout: fileTimeoutMs,
    signal: interrupted.signal,
    testSkipPatterns: skipped.map((title) => new RegExp(`${RegExp.escape(title)}$`)),
  })
  events.on('test:summary', ({ file, counts }) => {
    if (file !== undefined) return
    total.passed += counts.passed
    total.failed += counts.tests - counts.passed - counts.skipped - counts.todo
  })
  events.on('test:fail', ({ name: title, file, details, todo }) => {
    const { failureType } = details.error as Error & { failureType?: string }
    if (failureType !== 'subtestsFailed' && todo === undefined) failures.push(`${file}: ${title} (${name})`)
  })
  for await (const chunk of events.compose(new spec())) process.stdout.write(chunk)
}
