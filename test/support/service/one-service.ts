// One whole service inside the test's process: real HTTP on a free port, at a place that is given.
import { join } from 'node:path'
import { type App, type AppOverrides, createApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { chosenEngine } from '../engines/chosen-engine.ts'
import { type Api, createApi } from './api.ts'
import { createKeptLog, hide } from './kept-log.ts'

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

/** `env` says at least where the data is; the caller that made that place removes it. */
export async function startOneService(env: Record<string, string>, overrides: AppOverrides = {}): Promise<TestService> {
  const config = loadConfig({
    DAILIES_PORT: '0',
    DAILIES_API_KEY: testKey,
    DAILIES_RATE_LIMIT: 'off',
    DAILIES_RENDER_SLOTS: '4',
    // Tests of dead addresses end at once. Those of the patience set their own.
    DAILIES_FETCH_PATIENCE: '0s',
    ...env,
  })
  hide(config.apiKey)
  const { log, check } = createKeptLog()
  const app = await createApp(config, { log, stopGraceMs: 500, ...chosenEngine(env), ...overrides })
  const url = await app.start()
  return {
    app,
    url,
    dataDir: config.dataDir,
    filesDir: join(config.dataDir, 'files'),
    api: createApi(url, testKey),
    as: (key) => createApi(url, key),
    async stop() {
      await app.stop()
      check()
    },
  }
}
