// Our own side of the comparison: whole tasks through the API with an engine that does nothing, and admission alone.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../../src/config.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { buildParts } from '../../src/parts.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { chosenEngine } from '../../test/support/engines/chosen-engine.ts'
import { createTestDatabase, freePort } from '../../test/support/places/postgres.ts'
import { plainBox } from '../../test/support/plain-box.ts'
import { taskBody } from '../../test/support/service/api.ts'
import { newSubmission } from '../submission.ts'
import { jsonPoster } from './client.ts'
import { callers, callMany, measure, measureTasks, newDataFolder, type Rates } from './rates.ts'

/** This checkout. Another commit is measured from a checkout of its own, with its packages installed. */
const thisCheckout = fileURLToPath(new URL('../../', import.meta.url))

interface TaskService {
  /** Creates one task, of the accounts in turn. */
  create(i: number): Promise<void>
  serverPid: number
  workerPids: number[]
  stop(): Promise<void>
}

export interface TaskSubject {
  workerCount: number
  accountCount: number
  checkout?: string
}

/** One server and the workers, each a process of its own. */
export async function startTasks(databaseUrl: string, subject: TaskSubject): Promise<TaskService> {
  const { workerCount, accountCount, checkout = thisCheckout } = subject
  const { startProcess, startWorker } = await importFrom(checkout, [
    'test/support/service/process.ts',
    'test/support/process.ts',
  ])
  const dataDir = newDataFolder()
  const port = String(await freePort())
  const env = {
    DAILIES_DATA: dataDir,
    DAILIES_DATABASE_URL: databaseUrl,
    DAILIES_PUBLIC_URL: `http://127.0.0.1:${port}`,
    DAILIES_RENDER_SLOTS: '64',
    DAILIES_LOG_LEVEL: 'error',
    // As the studio does: no generator elsewhere has to be found again after a crash.
    TEST_ENGINE_WORKS: 'in process',
  }
  const server = await startProcess({ ...env, DAILIES_PORT: port }, ['serve'])
  const workers = await Promise.all(Array.from({ length: workerCount }, () => startWorker(env)))
  const keys = await newCustomers(databaseUrl, checkout, accountCount)
  const creations = keys.map((key) =>
    jsonPoster(`${server.url}/api/v1/jobs/createTask`, taskBody(), { authorization: `Bearer ${key}` }),
  )
  return {
    create: (i) => creations[i % accountCount]!(),
    serverPid: server.child.pid,
    workerPids: workers.map(({ child }) => child.pid!),
    async stop() {
      for (const each of [server, ...workers]) await each.kill('SIGTERM')
    },
  }
}

/** A module of a checkout, at the first of these paths that it has. */
const importFrom = (checkout: string, paths: string[]) =>
  import(paths.map((path) => join(checkout, path)).find((path) => existsSync(path))!)

/** The keys of new accounts, made by the checkout's own code: another commit may have another schema. */
async function newCustomers(databaseUrl: string, checkout: string, count: number): Promise<string[]> {
  const { createAccount } = await importFrom(checkout, ['src/accounts/accounts.ts'])
  const { createKey } = await importFrom(checkout, ['src/accounts/keys/keys.ts', 'src/accounts/keys.ts'])
  const { openPostgres: open } = await importFrom(checkout, ['src/db/postgres/postgres.ts', 'src/db/postgres.ts'])
  const db = await open(databaseUrl, { connectionsMax: 1 })
  const keys: string[] = []
  for (let i = 0; i < count; i++) {
    keys.push(
      await db.transaction(async (tx: unknown) => {
        const account = await createAccount(tx, `customer ${i}`, 1_000_000_000, Date.now(), plainBox)
        return (await createKey(tx, { accountId: account.id, name: 'bench' }, Date.now())).key
      }),
    )
  }
  await db.close()
  return keys
}

export async function wholeTasks(taskCount: number, subject: TaskSubject): Promise<Rates> {
  const database = await createTestDatabase()
  const service = await startTasks(database.url, subject)
  const db = await openPostgres(database.url, { connectionsMax: 1 })
  const rates = await measureTasks(taskCount, subject.workerCount, service.create, { db, column: 'completed_at' })
  await db.close()
  await service.stop()
  await database.stop()
  return rates
}

/** Admission in this process, of at most `batchMax` creations a transaction. */
export async function admission(count: number, batchMax: number): Promise<Rates> {
  const database = await createTestDatabase()
  const dataDir = newDataFolder()
  const env = { DAILIES_DATA: dataDir, DAILIES_DATABASE_URL: database.url }
  const overrides = { log: silentLogger, admissionBatchMax: batchMax, ...chosenEngine() }
  const parts = await buildParts(loadConfig({ ...env, DAILIES_OPEN_TASKS: '1000000' }), overrides, {
    publicUrl: () => '',
    about: { role: 'server', release: '' },
  })
  const submission = await newSubmission(parts.db)
  const submit = () => parts.admission.submit(submission())
  await callMany(callers, submit)
  const rates = await measure(count, submit, async () => Date.now())
  await parts.queue.stop(0)
  await parts.close()
  await database.stop()
  return rates
}
