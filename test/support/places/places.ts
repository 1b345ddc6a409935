// The places that suites run at. A place says where services keep their records and files, and whether another service
// stands behind them. Suites run on SQLite unless TEST_PLACE names another place; contract suites run on both databases.
// Which suites run at another place, and which of their tests cannot, is in test/suites.ts.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from './postgres.ts'

export interface TestPlace {
  /** Settings that make a service be there. */
  env: Record<string, string>
  /** Where the bytes of its files lie. */
  filesDir: string
  stop(): Promise<void>
}

interface PlaceKind {
  name: string
  create(): Promise<TestPlace>
}

const sqlite: PlaceKind = { name: 'SQLite', create: createFolder }

export const postgres: PlaceKind = {
  name: 'PostgreSQL',
  async create() {
    const folder = await createFolder()
    const database = await createTestDatabase()
    return {
      env: {
        ...folder.env,
        DAILIES_DATABASE_URL: database.url,
        // As without a setting on SQLite.
        DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8,::1/128',
      },
      filesDir: folder.filesDir,
      async stop() {
        await database.stop()
        await folder.stop()
      },
    }
  },
}

const postgresAndS3: PlaceKind = {
  name: 'PostgreSQL and S3',
  async create() {
    const place = await postgres.create()
    // Loaded only where it is used: it takes a tenth of a second.
    const { startS3 } = await import('./s3.ts')
    const s3 = await startS3()
    return {
      env: { ...place.env, DAILIES_STORAGE_URL: s3.storageUrl() },
      filesDir: s3.folder,
      async stop() {
        await s3.stop()
        await place.stop()
      },
    }
  },
}

/** Each service sends its tasks to another one behind it; see chain.ts. */
const chain: PlaceKind = { name: 'a chain', create: createFolder }

const namedPlaces: Record<string, PlaceKind> = { 'postgres-s3': postgresAndS3, chain }

/** For suites that check a database itself. */
export const databases: readonly PlaceKind[] = [sqlite, postgres]

/** The place of this run, for suites to loop over. */
export const places: readonly [PlaceKind] = [chosenPlace(process.env.TEST_PLACE)]

export const isChained = places[0] === chain
/** The engine that makes the videos, by the name that records show. */
export const engineName = isChained ? 'remote' : 'scripted'
export const keepsFilesInS3 = places[0] === postgresAndS3

function chosenPlace(name: string | undefined): PlaceKind {
  if (name === undefined) return sqlite
  const named = namedPlaces[name]
  if (!named) throw new Error(`TEST_PLACE must be ${Object.keys(namedPlaces).join(' or ')}`)
  return named
}

async function createFolder(): Promise<TestPlace> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-test-'))
  return {
    env: { DAILIES_DATA: dataDir },
    filesDir: join(dataDir, 'files'),
    stop: () => rm(dataDir, { recursive: true, force: true }),
  }
}
