// A whole service inside the test's process: real HTTP on a free port, a database and data folder of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, type AppOverrides, createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { type Api, createApi } from './api.ts'

export const testKey = 'test-key-of-sixteen'

export interface TestService {
  app: App
  url: string
  dataDir: string
  /** Calls with the first account's key. */
  api: Api
  /** Calls with another key, or none. */
  as(key: string | null): Api
  stop(): Promise<void>
}

export async function startService(
  env: Record<string, string> = {},
  overrides: AppOverrides = {},
): Promise<TestService> {
  const dataDir = env.DAILIES_DATA ?? (await mkdtemp(join(tmpdir(), 'dailies-test-')))
  const config = loadConfig({
    DAILIES_DATA: dataDir,
    DAILIES_PORT: '0',
    DAILIES_API_KEY: testKey,
    DAILIES_ENGINE: 'scripted',
    DAILIES_RATE_LIMIT: 'off',
    DAILIES_RENDER_SLOTS: '4',
    ...env,
  })
  const app = await createApp(config, { log: silentLogger, stopGraceMs: 500, ...overrides })
  const url = await app.start()
  return {
    app,
    url,
    dataDir,
    api: createApi(url, testKey),
    as: (key) => createApi(url, key),
    async stop() {
      await app.stop()
      if (env.DAILIES_DATA === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}
