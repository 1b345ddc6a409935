// Several processes of one service on one PostgreSQL, as apps inside the test's process: each has connections, timers
// and a queue of its own, and knows of the others only through the database.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, type AppOverrides, createApp, type Role, workQueues } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config.ts'
import { chosenEngine } from '../engines/chosen-engine.ts'
import { createScriptedEngine, type ScriptedEngine } from '../engines/scripted.ts'
import { createTestDatabase } from '../places/postgres.ts'
import { type Api, createApi } from './api.ts'
import { createKeptLog, hide } from './kept-log.ts'
import { testKey } from './service.ts'

export interface Cluster {
  databaseUrl: string
  servers: { app: App; url: string; api: Api; as(key: string): Api }[]
  workers: { app: App; engine: ScriptedEngine }[]
  addWorker(): Promise<void>
  stop(): Promise<void>
}

interface ClusterOptions {
  servers: number
  workers: number
  env?: Record<string, string>
  overrides?: AppOverrides
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-cluster-'))
  const config = loadConfig({
    DAILIES_DATA: dataDir,
    DAILIES_DATABASE_URL: database.url,
    DAILIES_PORT: '0',
    DAILIES_PUBLIC_URL: 'http://127.0.0.1:1',
    DAILIES_API_KEY: testKey,
    DAILIES_RATE_LIMIT: 'off',
    DAILIES_RENDER_SLOTS: '4',
    // Tests of dead addresses end at once. Those of the patience set their own.
    DAILIES_FETCH_PATIENCE: '0s',
    ...options.env,
  })
  hide(testKey)
  const { log, check } = createKeptLog()
  const start = async (role: Role, overrides: AppOverrides = {}) => {
    const app = await createApp(
      config,
      { log, stopGraceMs: 500, ...chosenEngine(options.env), ...options.overrides, ...overrides },
      role,
    )
    return { app, url: await app.start() }
  }
  const cluster: Cluster = {
    databaseUrl: database.url,
    servers: [],
    workers: [],
    async addWorker() {
      const engine = createScriptedEngine()
      const { app } = await start({ serves: 'nothing', works: workQueues }, { engine })
      cluster.workers.push({ app, engine })
    },
    async stop() {
      await Promise.all([...cluster.servers, ...cluster.workers].map(({ app }) => app.stop()))
      await database.stop()
      await rm(dataDir, { recursive: true, force: true })
      check()
    },
  }
  for (let i = 0; i < options.servers; i++) {
    const { app, url } = await start({ serves: 'everything', works: [] })
    cluster.servers.push({ app, url, api: createApi(url, testKey), as: (key) => createApi(url, key) })
  }
  for (let i = 0; i < options.workers; i++) await cluster.addWorker()
  return cluster
}
