// Our own side of the comparison: whole tasks through the API with an engine that does nothing, and admission alone.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAccount } from '../../src/accounts/accounts.ts'
import { createKey } from '../../src/accounts/keys/keys.ts'
import { loadConfig } from '../../src/config.ts'
import type { Db } from '../../src/db/db.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { buildParts } from '../../src/parts.ts'
import { silentLogger } from '../../src/platform/logger.ts'
import { chosenEngine } from '../../test/support/engines/chosen-engine.ts'
import { createTestDatabase, freePort } from '../../test/support/places/postgres.ts'
import { type Api, createApi, taskBody } from '../../test/support/service/api.ts'
import { startProcess, startWorker } from '../../test/support/service/process.ts'
import { newSubmission } from '../submission.ts'
import { callers, callMany, measure, type Rates, untilCounted } from './rates.ts'

export interface TaskService {
  /** Creates one task, of the accounts in turn. */
  create(i: number): Promise<void>
  stop(): Promise<void>
}

/** One server and the workers, each a process of its own. */
export async function startTasks(options: {
  databaseUrl: string
  workerCount: number
  accountCount: number
}): Promise<TaskService> {
  const { databaseUrl, workerCount, accountCount } = options
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-bench-'))
  const port = String(await freePort())
  const env = {
    DAILIES_DATA: dataDir,
    DAILIES_DATABASE_URL: databaseUrl,
    DAILIES_PUBLIC_URL: `http://127.0.0.1:${port}`,
    DAILIES_RENDER_SLOTS: '16',
    DAILIES_LOG_LEVEL: 'error',
  }
  const server = await startProcess({ ...env, DAILIES_PORT: port }, ['serve'])
  const workers = await Promise.all(Array.from({ length: workerCount }, () => startWorker(env)))
  const db = await openPostgres(databaseUrl, { connectionsMax: 1 })
  const apis = await Promise.all(Array.from({ length: accountCount }, (_, i) => newCustomer(db, server.url, i)))
  await db.close()
  return {
    async create(i) {
      const answer = await apis[i % accountCount]!.post('/api/v1/jobs/createTask', taskBody())
      if (answer.status !== 200) throw new Error(answer.text)
    },
    async stop() {
      for (const each of [server, ...workers]) await each.kill('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Tasks of so many accounts in turn. */
export async function wholeTasks(workerCount: number, taskCount: number, accountCount: number): Promise<Rates> {
  const database = await createTestDatabase()
  const service = await startTasks({ databaseUrl: database.url, workerCount, accountCount })
  const db = await openPostgres(database.url, { connectionsMax: 1 })
  const finished = `select count(*) as count from tasks where completed_at is not null`
  const rates = await measure(taskCount, service.create, () => untilCounted(db, finished, taskCount))
  await db.close()
  await service.stop()
  await database.stop()
  return rates
}

async function newCustomer(db: Db, url: string, i: number): Promise<Api> {
  const key = await db.transaction(async (tx) => {
    const account = await createAccount(tx, `customer ${i}`, 1_000_000_000, Date.now())
    return createKey(tx, { accountId: account.id, name: 'bench' }, Date.now())
  })
  return createApi(url, key.key)
}

/** Admission in this process, of at most `batchMax` creations a transaction. */
export async function admission(count: number, batchMax: number): Promise<Rates> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-bench-'))
  const env = { DAILIES_DATA: dataDir, DAILIES_DATABASE_URL: database.url }
  const overrides = { log: silentLogger, admissionBatchMax: batchMax, ...chosenEngine() }
  const parts = await buildParts(loadConfig({ ...env, DAILIES_OPEN_TASKS: '1000000' }), overrides, {
    publicUrl: () => '',
  })
  const submission = await newSubmission(parts.db)
  const submit = () => parts.admission.submit(submission())
  await callMany(callers, submit)
  const rates = await measure(count, submit, async () => {})
  await parts.queue.stop(0)
  await parts.close()
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
  return rates
}
