// A whole service inside the test's process: real HTTP on a free port, a database and data folder of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, type AppOverrides, createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { type Api, createApi } from './api.ts'
import { createTestDatabase } from './postgres.ts'
import { startS3 } from './s3.ts'

export const testKey = 'test-key-of-sixteen'

export interface TestService {
  app: App
  url: string
  dataDir: string
  /** Where the bytes of its files lie. */
  filesDir: string
  /** Calls with the first account's key. */
  api: Api
  /** Calls with another key, or none. */
  as(key: string | null): Api
  stop(): Promise<void>
}

/** With TEST_PLACE=postgres-s3, services that name no database are started on PostgreSQL and S3. */
async function elsewhere() {
  const database = await createTestDatabase()
  const s3 = await startS3()
  return {
    env: {
      DAILIES_DATABASE_URL: database.url,
      DAILIES_STORAGE_URL: s3.storageUrl(),
      // As without a setting on SQLite.
      DAILIES_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8,::1/128',
    },
    filesDir: s3.folder,
    async stop() {
      await s3.stop()
      await database.stop()
    },
  }
}

export async function startService(
  env: Record<string, string> = {},
  overrides: AppOverrides = {},
): Promise<TestService> {
  const dataDir = env.DAILIES_DATA ?? (await mkdtemp(join(tmpdir(), 'dailies-test-')))
  const place = process.env.TEST_PLACE === 'postgres-s3' && !env.DAILIES_DATA ? await elsewhere() : null
  const config = loadConfig({
    DAILIES_DATA: dataDir,
    DAILIES_PORT: '0',
    DAILIES_API_KEY: testKey,
    DAILIES_ENGINE: 'scripted',
    DAILIES_RATE_LIMIT: 'off',
    DAILIES_RENDER_SLOTS: '4',
    ...place?.env,
    ...env,
  })
  const app = await createApp(config, { log: silentLogger, stopGraceMs: 500, ...overrides })
  const url = await app.start()
  return {
    app,
    url,
    dataDir,
    filesDir: place?.filesDir ?? join(dataDir, 'files'),
    api: createApi(url, testKey),
    as: (key) => createApi(url, key),
    async stop() {
      await app.stop()
      await place?.stop()
      if (env.DAILIES_DATA === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}
