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
    suites: ['e2e', 'studio', 'inference', 'webhooks', 'property'],
    exceptions: [
      { files: ['e2e/full-disk'], reason: 'fills the disk that an SQLite file lies on' },
      {
        files: ['e2e/start'],
        tests: [
          'a new installation prints its address, its key once, and a call that works',
          'with a key of the operator no key is printed, and a second server is refused',
        ],
        reason: 'a first key is made, and a second server refused, only in a data folder',
      },
    ],
    sample: ['e2e/files', 'e2e/material', 'e2e/list-and-end', 'studio/front-door', 'webhooks/deliveries'],
  },
  /** A service whose tasks go to a second one behind it. */
  chain: {
    suites: ['e2e', 'inference', 'webhooks', 'studio/front-door', 'client/service'],
    exceptions: [
      {
        files: ['e2e/engine-flow'],
        tests: ['the timeline of a task that crashed shows every attempt'],
        reason: 'the service behind makes the attempts; the one in front makes one and tells how it ended',
      },
      {
        files: ['e2e/engine-routing', 'e2e/engine-kills', 'e2e/removed-engine', 'e2e/chained', 'e2e/chained-kills'],
        reason: 'say themselves what stands behind the service',
      },
      {
        files: ['e2e/abandoned-work'],
        reason: 'is about the worker that has an engine; the one in front of a chain has a service',
      },
      {
        files: ['e2e/crash', 'e2e/stop', 'e2e/start', 'e2e/full-disk', 'e2e/broken-connections', 'webhooks/kills'],
        reason: 'are about one process or its database; e2e/chained-kills kills both of a chain',
      },
      {
        files: ['inference/embeddings', 'inference/openai', 'webhooks/answer-gate', 'webhooks/retry-delay'],
        reason: 'have no tasks',
      },
    ],
    sample: ['e2e/first-task', 'e2e/create-task', 'e2e/records', 'e2e/list-and-end', 'e2e/idempotency', 'e2e/events'],
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
  const all = suites.flatMap((suite) => globSync([pathOf(suite), pathOf(join(suite, '*'))]))
  return all.filter((file) => !left.has(file)).sort()
}
