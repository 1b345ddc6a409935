// Which test files `npm test` and `npm run test:all` run, and where. Every file runs in exactly one of the two, and the
// suites of a place run there again in `test:all`, except for what cannot, with the reason.
import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folders and files below test/ that only `npm run test:all` runs. */
export const longSuites = [
  'browser',
  'cli/engines',
  'cli/generate-alone',
  'deploy',
  'e2e/cluster',
  'e2e/processes',
  'faults',
  'kills',
  // The longest of the suites that judge renders picture by picture; `npm test` runs the others.
  ...['camera/smoothness', 'effects/clouds', 'effects/joins', 'output', 'pool', 'scenes', 'shots', 'subject'].map(
    (name) => `engines/studio/${name}`,
  ),
  // Thousands of random or hostile requests, and processes that load a model again and again.
  'account-data',
  'engines/studio/prompt/hostile-prompts',
  'fuzz',
  'models/properties',
  'inference/embeddings',
  'moderation/images',
  'moderation/meaning',
  // Services that are stopped or killed and started again, and engines that fail in every way, each with services of its own.
  'db/server-lock',
  'db/wal-damage',
  ...['generator-state', 'refused-results', 'stop-while-busy'].map((name) => `e2e/engines/${name}`),
  // Hundreds of megabytes that are sent.
  'e2e/files/large-uploads',
  'outbound/fetch-memory',
  // Uploads until budgets of computing time are used up.
  'limits/free-work',
  // Programs outside the project: the packed client, bundlers, curl and Python, each in processes of its own.
  'client/examples',
  'client/package',
  'console/code-to-copy',
  // Attacks: files that would keep a decoder busy, every spelling of an address in every field, and floods of requests on
  // services in processes of their own, each kept up for seconds.
  'media/child/structure',
  'e2e/files/private-targets',
  ...['attacks', 'bodies', 'sockets'].map((name) => `e2e/security/${name}`),
]

/** The slowest files that share processes: begun first, so that none of them is left alone at the end. */
const slowest = [
  'engines/studio/front-door',
  'e2e/security/logs',
  'e2e/engines/routing',
  'e2e/engines/task-flow',
  'e2e/files/inputs',
  'e2e/files/uploads',
  'contracts/engine',
  'contracts/queue',
  'engines/remote',
  'cli',
  // These mostly wait, beside files that compute.
  'client/retries',
  'client/wait',
  'db/postgres-connections',
  'db/postgres-locks',
  'webhooks/isolation',
]

/** Files about the whole process: what it has loaded, its memory, or its ids, which never go back in time. The others share processes. */
const ownProcess = ['tracing/tracing', 'e2e/tasks/search', 'e2e/accounts/operator-queues', 'audit/retention']

interface Exception {
  /** Folders and files below test/, without `.test.ts`. */
  files: string[]
  /** Titles in one file; without them, the files do not run at all. */
  tests?: string[]
  reason: string
}

interface PlaceSuites {
  /** Folders and files below test/. */
  suites: string[]
  exceptions: Exception[]
}

export const placeSuites: Record<string, PlaceSuites> = {
  /** Records and queue in PostgreSQL, files in S3. */
  'postgres-s3': {
    suites: [
      'e2e',
      'kills',
      'engines/studio/front-door',
      'inference',
      'webhooks',
      'property',
      'fuzz',
      'accounts/keys/request-limit',
      'cli/accounts-and-keys',
      'cli/webhooks',
      'http/health',
      'http/session',
    ],
    exceptions: [
      { files: ['kills/full-disk'], reason: 'fills the disk of an SQLite file' },
      { files: ['e2e/cluster', 'kills/broken-connections'], reason: 'use PostgreSQL at every place' },
      {
        files: ['kills/crashes'],
        reason: 'takes back the leases of the process before, as only SQLite does at a start',
      },
      {
        files: ['e2e/security/bodies', 'e2e/security/sockets', 'inference/embeddings'],
        reason: 'are about HTTP and children, before anything is stored',
      },
      {
        files: ['e2e/security/keys'],
        tests: ['are for the user of the service alone'],
        reason: 'is about the file of SQLite',
      },
      {
        files: ['http/health'],
        tests: ['is ready while files cannot be stored, and says so'],
        reason: 'puts a file in the way of the storage folder',
      },
      {
        files: ['e2e/security/proxy'],
        tests: ['that is not trusted takes loopback targets away with its first request'],
        reason: 'a setting of this place allows loopback targets, as a local installation does without one',
      },
      {
        files: ['e2e/processes/start'],
        tests: [
          'a new installation prints its address, its key once, and a call that works',
          'with a key of the operator no key is printed, and a second server is refused',
        ],
        reason: 'make a new installation by a new data folder, which here shares the database of the place',
      },
    ],
  },
  /** A service whose tasks go to a second one behind it. */
  chain: {
    suites: ['e2e', 'inference', 'webhooks', 'engines/studio/front-door', 'client/service'],
    exceptions: [
      { files: ['e2e/cluster'], reason: 'has its own processes on PostgreSQL' },
      { files: ['e2e/accounts/operator-queues'], reason: 'names the queue of its own engine' },
      {
        files: ['attacks', 'bodies', 'sockets'].map((name) => `e2e/security/${name}`),
        reason: 'attack one process before any task goes on to the next',
      },
      {
        files: ['e2e/engines/task-flow'],
        tests: [
          'the timeline of a task that crashed shows every attempt',
          'the timeline says once why an attempt failed',
        ],
        reason: 'the service behind makes the attempts; the one in front makes one and reports how it ended',
      },
      {
        files: ['routing', 'refused-results', 'generator-state', 'removed-engine', 'chain', 'third-model'].map(
          (name) => `e2e/engines/${name}`,
        ),
        reason: 'choose their own engines',
      },
      {
        files: ['e2e/engines/abandoned-work'],
        reason: 'is about the worker that has an engine; the one in front of a chain has a service',
      },
      { files: ['e2e/processes/start'], reason: 'is about one process' },
      { files: ['inference/embeddings', 'inference/openai', 'webhooks/retry-delay'], reason: 'have no tasks' },
    ],
  },
}

const testDir = fileURLToPath(new URL('.', import.meta.url))

/** What `npm test` runs. */
export function quickFiles(): string[] {
  const long = new Set(filesOf(longSuites))
  const all = new Set([...filesOf(slowest), ...filesOf(['.'])])
  return [...all].filter((file) => !long.has(file))
}

export const longFiles = () => filesOf(longSuites)

/** Files that have a process of their own; the long suites start, kill and watch processes, or use much memory. */
export const ownProcessFiles = () => new Set(filesOf([...ownProcess, ...longSuites]))

/** What runs at a place, and the titles in it that do not. */
export function suitesAt(place: string): { files: string[]; skipped: string[] } {
  const { suites, exceptions } = placeSuites[place]!
  const skippedFiles = new Set(filesOf(exceptions.filter(({ tests }) => !tests).flatMap(({ files }) => files)))
  return {
    files: filesOf(suites).filter((file) => !skippedFiles.has(file)),
    skipped: exceptions.flatMap(({ tests }) => tests ?? []),
  }
}

/** The test files of folders or of files without `.test.ts`, relative to the working directory. */
export function filesOf(suites: string[]): string[] {
  const patterns = suites.flatMap((suite) => [`${suite}.test.ts`, `${suite}/**/*.test.ts`])
  const found = new Set(globSync(patterns, { cwd: testDir }))
  return [...found].sort().map((file) => relative(process.cwd(), resolve(testDir, file)))
}
