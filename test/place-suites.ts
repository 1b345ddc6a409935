// Which suites run at places other than plain SQLite and PostgreSQL, and what of them cannot, with the reason.
// `npm run test:postgres-s3` and `npm run test:chain` run them; `npm test` runs the samples.
import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Exception {
  /** Below test/, without `.test.ts`. */
  files: string[]
  /** Titles in one file; left out, the files do not run at all. */
  tests?: string[]
  reason: string
}

export interface PlaceSuites {
  /** Folders and files below test/. */
  suites: string[]
  exceptions: Exception[]
  /** What `npm test` runs of them. */
  sample: string[]
}

export const placeSuites: Record<string, PlaceSuites> = {
  /** Records and queue in PostgreSQL, files in S3. */
  'postgres-s3': {
    suites: ['e2e', 'kills', 'engines/studio', 'inference', 'webhooks', 'property'],
    exceptions: [
      { files: ['kills/full-disk'], reason: 'fills the disk of an SQLite file' },
      {
        files: ['e2e/processes/start'],
        tests: [
          'a new installation prints its address, its key once, and a call that works',
          'with a key of the operator no key is printed, and a second server is refused',
        ],
        reason: 'only an installation in a data folder creates a first key and refuses a second server',
      },
    ],
    sample: [
      'e2e/files/files',
      'e2e/files/inputs',
      'e2e/tasks/list-cancel-delete',
      'engines/studio/front-door',
      'webhooks/deliveries',
    ],
  },
  /** A service whose tasks go to a second one behind it. */
  chain: {
    suites: ['e2e', 'inference', 'webhooks', 'engines/studio/front-door', 'client/service'],
    exceptions: [
      {
        files: ['e2e/engines/task-flow'],
        tests: ['the timeline of a task that crashed shows every attempt'],
        reason: 'the service behind makes the attempts; the one in front makes one and reports how it ended',
      },
      {
        files: ['e2e/engines/routing', 'e2e/engines/removed-engine', 'e2e/engines/chain'],
        reason: 'choose their own engines',
      },
      {
        files: ['e2e/engines/abandoned-work'],
        reason: 'is about the worker that has an engine; the one in front of a chain has a service',
      },
      { files: ['e2e/processes/start'], reason: 'is about one process' },
      { files: ['inference/embeddings', 'inference/openai', 'webhooks/retry-delay'], reason: 'have no tasks' },
    ],
    sample: [
      'e2e/tasks/first-task',
      'e2e/tasks/create-task',
      'e2e/tasks/records',
      'e2e/tasks/list-cancel-delete',
      'e2e/tasks/idempotency',
      'e2e/tasks/events',
    ],
  },
}

const testDir = fileURLToPath(new URL('.', import.meta.url))
const pathOf = (file: string) => join(relative(process.cwd(), testDir), `${file}.test.ts`)

/** What `node --test` is told to run all of a place's suites, or some files of them. */
export function testArguments(place: string, files: string[] = filesOf(place)): string[] {
  const titles = placeSuites[place]!.exceptions.flatMap(({ tests }) => tests ?? [])
  return [...titles.map((title) => `--test-skip-pattern=/${RegExp.escape(title)}$/`), ...files]
}

export const sampleOf = (place: string) => placeSuites[place]!.sample.map(pathOf)

function filesOf(place: string): string[] {
  const { suites, exceptions } = placeSuites[place]!
  const left = new Set(exceptions.filter(({ tests }) => !tests).flatMap(({ files }) => files.map(pathOf)))
  const all = suites.flatMap((suite) => globSync([pathOf(suite), pathOf(join(suite, '**/*'))]))
  return all.filter((file) => !left.has(file)).sort()
}
