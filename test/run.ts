// Runs test files with one PostgreSQL for all of them. `npm test` calls it with `--check`, `npm run test:all` with
// `--all`. Names of files run only those, with `--place` at another place than SQLite. A single file also runs with
// `node --test <file>` and then starts what it needs by itself.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { longFiles, ownProcessFiles, placeSuites, quickFiles, suitesAt } from './suites.ts'
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
/** Of a process that runs many files. */
const manyFilesTimeoutMs = 3_600_000
/** More flaky files than this fail the run: a deadline missed by chance is rare, so many of them mean a defect. */
const flakyFilesMax = 3
/** How long the process of a file may go on after a test of it ran out of time. */
const endWithinMs = 30_000
const manyFiles = relative(process.cwd(), fileURLToPath(new URL('many-files.ts', import.meta.url)))
/** Tests wait about as much as they compute, so more run at once than there are cores. */
const processes = availableParallelism() + 2

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    place: { type: 'string' },
  },
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
const checked = values.check ? check() : Promise.resolve(true)
// Nothing here outlives a crash of this server; tests of that start their own.
const postgres = process.env.TEST_POSTGRES_URL ? null : await startPostgres({ settings: ['fsync=off'] })
if (postgres) process.env.TEST_POSTGRES_URL = postgres.url
const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
let passed = 0
const failures: string[] = []
/** Files that failed beside others and passed alone. */
const flaky: string[] = []
try {
  for (const stage of stages()) {
    const outcome = await runStage(stage, processes)
    // A deadline that a busy machine missed is met by a file that runs alone; what is broken fails again.
    const files = [...new Set(outcome.failures.map(({ file }) => file))]
    if (files.length > 0 && !interrupted.signal.aborted) {
      const again = await runStage({ ...stage, name: `${stage.name}, again alone`, files }, 1)
      outcome.failures = again.failures
      for (const file of files) outcome.passed.set(file, again.passed.get(file) ?? 0)
      const mended = files.filter((file) => !again.failures.some((failure) => failure.file === file))
      flaky.push(...mended.map((file) => `${file} (${stage.name})`))
    }
    passed += outcome.passed.values().reduce((sum, count) => sum + count, 0)
    failures.push(...outcome.failures.map(({ file, title }) => `${file}: ${title} (${stage.name})`))
  }
} finally {
  await postgres?.stop()
}
if (!(await checked)) failures.push('npm run check')
if (flaky.length > flakyFilesMax) failures.push(`${flaky.length} files are flaky; at most ${flakyFilesMax} may be`)
if (failures.length > 0) console.log(`\nfailed:\n${failures.join('\n')}`)
if (flaky.length > 0) console.log(`\nflaky: failed beside other files, passed alone:\n${flaky.join('\n')}`)
console.log(`\n${passed} passed, ${failures.length} failed, ${flaky.length} flaky files`)
process.exit(failures.length === 0 && passed > 0 && !interrupted.signal.aborted ? 0 : 1)

function stages(): Stage[] {
  const at = (name: string) => ({ name: `suites at ${name}`, place: name, ...suitesAt(name) })
  if (positionals.length > 0)
    return [
      {
        name: 'named files',
        ...(place ? at(place) : {}),
        files: positionals.map((file) => relative(process.cwd(), file)),
      },
    ]
  if (place) return [at(place)]
  if (all) return [{ name: 'the long suites', files: longFiles() }, ...Object.keys(placeSuites).map(at)]
  return [{ name: 'everything but the long suites', files: quickFiles() }]
}

/** Lints and compiles beside the tests, and prints what it found. */
function check(): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('npm', ['run', '--silent', 'check'], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      console.log(`\nnpm run check: ${error ? 'failed' : 'passed'}\n${error ? stdout + stderr : ''}`)
      resolve(error === null)
    })
  })
}

interface Outcome {
  /** How many tests passed, by file. */
  passed: Map<string, number>
  failures: { file: string; title: string }[]
}

async function runStage({ name, files, place, skipped = [] }: Stage, concurrency: number): Promise<Outcome> {
  const outcome: Outcome = { passed: new Map(), failures: [] }
  if (interrupted.signal.aborted) return outcome
  console.log(`\n${name}: ${files.length} files`)
  if (place) process.env.TEST_PLACE = place
  else delete process.env.TEST_PLACE
  const withOwn = concurrency === 1 ? new Set(files) : ownProcessFiles()
  const shared = files.filter((file) => !withOwn.has(file))
  const claims = mkdtempSync(join(tmpdir(), 'dailies-test-claims-'))
  writeFileSync(join(claims, 'files.json'), JSON.stringify(shared))
  process.env.TEST_CLAIMS = claims
  const events = run({
    files: [...files.filter((file) => withOwn.has(file)), ...shared.slice(0, concurrency).map(() => manyFiles)],
    concurrency,
    timeout: shared.length > 0 ? manyFilesTimeoutMs : fileTimeoutMs,
    signal: interrupted.signal,
    testSkipPatterns: skipped.map((title) => new RegExp(`${RegExp.escape(title)}$`)),
  })
  const unfinished = new Set(shared)
  events.on('test:complete', ({ name: title }) => unfinished.delete(title))
  events.on('test:pass', ({ file, details, skip, todo }) => {
    if (details.type === 'suite' || skip !== undefined || todo !== undefined) return
    const path = relative(process.cwd(), file!)
    // A process that others left no file passes as one test.
    if (path !== manyFiles) outcome.passed.set(path, (outcome.passed.get(path) ?? 0) + 1)
  })
  // Of tests that another file than a test file defines, in a process of many files: the file's suite fails after them.
  let ofNextFile: string[] = []
  events.on('test:fail', ({ name: title, file, entryFile, details, todo }) => {
    const { failureType, cause } = details.error as Error & { failureType?: string }
    if (todo !== undefined) return
    if (failureType === 'subtestsFailed') {
      if (!shared.includes(title)) return
      outcome.failures.push(...ofNextFile.map((each) => ({ file: title, title: each })))
      ofNextFile = []
      return
    }
    const entry = relative(process.cwd(), entryFile ?? file!)
    const path = entry === manyFiles ? relative(process.cwd(), file!) : entry
    if (/timed out after/.test(String(cause))) setTimeout(endProcessOf, endWithinMs, path).unref()
    // A process of many files names the file that could not be loaded; one that crashed left files unfinished.
    if (path === manyFiles) {
      if (shared.includes(title)) outcome.failures.push({ file: title, title: 'the file itself' })
    } else if (entry !== manyFiles || files.includes(path)) outcome.failures.push({ file: path, title })
    else ofNextFile.push(title)
  })
  for await (const chunk of events.compose(new spec())) process.stdout.write(chunk)
  rmSync(claims, { recursive: true })
  outcome.failures.push(...unfinished.values().map((file) => ({ file, title: 'did not end' })))
  return outcome
}

/** What a test that ran out of time waits for may keep its process alive, and the run would wait for that forever. */
function endProcessOf(file: string): void {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
  for (const pid of children.match(/\d+/g) ?? []) {
    try {
      const isOf = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(file)
      if (isOf) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}
