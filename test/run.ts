// Runs test files with one PostgreSQL for all of them. `npm test` calls it without arguments, `npm run test:all` with
// `--all`. Names of files run only those, with `--place` at another place than SQLite. A single file also runs with
// `node --test <file>` and then starts what it needs by itself.
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
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
if (all && process.env.TEST_INSTALL === '1')
  for (const name of ['chromium', 'nginx', 'pgbouncer', 'prometheus'] as const) findProgram(name)
// Test files load most of the service: compiled code is kept from one process to the next.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
const postgres = process.env.TEST_POSTGRES_URL ? null : await startPostgres()
if (postgres) process.env.TEST_POSTGRES_URL = postgres.url
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
const total = { passed: 0, failed: 0 }
const failures: string[] = []
/** Files that failed beside others and passed alone. */
const flaky: string[] = []
try {
  for (const stage of stages()) {
    const first = await runStage(stage, availableParallelism() + 1)
    // A deadline that a busy machine missed is met by a file that runs alone; what is broken fails again.
    const files = [...new Set(first.failures.map(({ file }) => file))]
    if (files.length > 0 && !interrupted.signal.aborted) {
      const again = await runStage({ ...stage, name: `${stage.name}, again alone`, files }, 1)
      first.failed = again.failed
      first.passed += again.passed - first.passedOf(files)
      first.failures = again.failures
      const mended = files.filter((file) => !again.failures.some((failure) => failure.file === file))
      flaky.push(...mended.map((file) => `${relative(process.cwd(), file)} (${stage.name})`))
    }
    total.passed += first.passed
    total.failed += first.failed
    failures.push(
      ...first.failures.map(({ file, title }) => `${relative(process.cwd(), file)}: ${title} (${stage.name})`),
    )
  }
} finally {
  await postgres?.stop()
}
const isPassed = total.failed === 0 && total.passed > 0 && !interrupted.signal.aborted
if (flaky.length > 0) console.log(`\nflaky: failed beside other files, passed alone:\n${flaky.join('\n')}`)
if (failures.length > 0) console.log(`\nfailed:\n${failures.join('\n')}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(isPassed ? 0 : 1)

function stages(): Stage[] {
  const at = (name: string) => ({ name: `suites at ${name}`, place: name, ...suitesAt(name) })
  if (positionals.length > 0) return [{ name: 'named files', ...(place ? at(place) : {}), files: positionals }]
  if (place) return [at(place)]
  if (all) return [{ name: 'the long suites', files: longFiles() }, ...Object.keys(placeSuites).map(at)]
  return [{ name: 'everything but the long suites', files: quickFiles() }]
}

interface Outcome {
  passed: number
  failed: number
  failures: { file: string; title: string }[]
  /** How many tests of these files passed. */
  passedOf(files: string[]): number
}

async function runStage({ name, files, place, skipped = [] }: Stage, concurrency: number): Promise<Outcome> {
  const passedIn = new Map<string, number>()
  const outcome: Outcome = {
    passed: 0,
    failed: 0,
    failures: [],
    passedOf: (named) => named.reduce((sum, file) => sum + (passedIn.get(file) ?? 0), 0),
  }
  if (interrupted.signal.aborted) return outcome
  console.log(`\n${name}: ${files.length} files`)
  if (place) process.env.TEST_PLACE = place
  else delete process.env.TEST_PLACE
  const events = run({
    files,
    concurrency,
    timeout: fileTimeoutMs,
    signal: interrupted.signal,
    testSkipPatterns: skipped.map((title) => new RegExp(`${RegExp.escape(title)}$`)),
  })
  events.on('test:summary', ({ file, counts }) => {
    if (file !== undefined) return void passedIn.set(file, counts.passed)
    outcome.passed = counts.passed
    outcome.failed = counts.tests - counts.passed - counts.skipped - counts.todo
  })
  events.on('test:fail', ({ name: title, file, details, todo }) => {
    const { failureType } = details.error as Error & { failureType?: string }
    if (failureType !== 'subtestsFailed' && todo === undefined) outcome.failures.push({ file: file!, title })
  })
  for await (const chunk of events.compose(new spec())) process.stdout.write(chunk)
  return outcome
}
