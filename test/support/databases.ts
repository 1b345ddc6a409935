// Runs a suite on every database: SQLite in a folder of its own, and a real PostgreSQL.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from './postgres.ts'

export interface TestDatabase {
  /** Settings that make a service use it. */
  env: Record<string, string>
  stop(): Promise<void>
}

export const databases: { name: string; create(): Promise<TestDatabase> }[] = [
  {
    name: 'SQLite',
    async create() {
      const dataDir = await mkdtemp(join(tmpdir(), 'dailies-test-'))
      return { env: { DAILIES_DATA: dataDir }, stop: () => rm(dataDir, { recursive: true, force: true }) }
    },
  },
  {
    name: 'PostgreSQL',
    async create() {
      const dataDir = await mkdtemp(join(tmpdir(), 'dailies-test-'))
      const database = await createTestDatabase()
      return {
        env: { DAILIES_DATA: dataDir, DAILIES_DATABASE_URL: database.url },
        async stop() {
          await database.stop()
          await rm(dataDir, { recursive: true, force: true })
        },
      }
    },
  },
]
