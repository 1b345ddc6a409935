// Wires the service: builds every part once and hands each what it uses. Nothing else in the project builds parts.
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createAuthenticator } from './accounts/authenticate.ts'
import { ensureFirstAccount } from './accounts/first-account.ts'
import { createRateLimiter } from './accounts/rate-limit.ts'
import { createRequestLimiter } from './accounts/request-limit.ts'
import { createSwitches } from './accounts/switches.ts'
import type { Config } from './config.ts'
import { makeDataFolder } from './db/data-folder.ts'
import type { Db, Tx } from './db/db.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import type { TaskRow } from './db/query-builder.ts'
import { lockServer } from './db/server-lock.ts'
import type { Engine } from './engines/engine.ts'
import { parseEngineSetup } from './engines/setup/engine-setup.ts'
import { openFleet } from './engines/setup/open-fleet.ts'
import { createAnswerGate } from './http/answer-gate.ts'
import { createGuard } from './http/guard.ts'
import { createLoadShedder } from './http/load-shedding.ts'
import { createMetrics } from './http/metrics.ts'
import type { Route } from './http/route.ts'
import { allRoutes } from './http/routes.ts'
import { closeServer, createServer } from './http/server.ts'
import { inferQueue } from './inference/admit.ts'
import { createEmbedder } from './inference/embeddings/embedder.ts'
import { createInference } from './inference/inference.ts'
import { purgeOldRequests } from './inference/requests.ts'
import { createMaterialDoor } from './media/material-door.ts'
import { createCatalogue, videoModels } from './models/catalogue.ts'
import type { VideoOrder } from './models/model.ts'
import { embeddingCharactersMax } from './models/universal-sentence-encoder.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { createLogger, type Logger } from './platform/logger.ts'
import { runPeriodically } from './platform/periodic.ts'
import { createSqlQueue } from './queue/sql-queue.ts'
import { createFolderStorage } from './storage/folder.ts'
import { sweepFiles } from './storage/sweep.ts'
import { createAdmission } from './tasks/admit.ts'
import { chooseEngine, engineCreditsSince } from './tasks/engine-choice.ts'
import { createTaskEvents } from './tasks/events.ts'
import { createGather, gatherNothing } from './tasks/gather.ts'
import { createGenerate, giveBack } from './tasks/generate.ts'
import { observeEnd } from './tasks/observe.ts'
import { createPrepare, type Gather, generateQueue } from './tasks/prepare.ts'
import { failOverdueTasks, purgeOldRecords } from './tasks/upkeep.ts'
import { createWebhooks } from './webhooks/webhooks.ts'

export interface App {
  server: FastifyInstance
  /** What the server serves, as declared. */
  routes: Route[]
  db: Db
  /** The key that was made for a new installation, to be shown once. */
  firstKey: string | null
  /** Listens and works; answers the address. */
  start(): Promise<string>
  /** Stops accepting, lets work end for a while, gives back the rest. */
  stop(): Promise<void>
  /** One round of every background loop, for tests. */
  upkeep(): Promise<void>
}

/** Parts that tests replace with others of their own. */
export interface AppOverrides {
  clock?: Clock
  log?: Logger
  engine?: Engine
  gather?: Gather
  leaseMs?: number
  openDatabase?: typeof openDatabase
  /** What a try at a callback may take. */
  webhookTryMs?: number
  /** How long a stop waits for running jobs before they are given back. */
  stopGraceMs?: number
  /** 1 turns coalesced admission off, for comparison. */
  admissionBatchMax?: number
}

/** Fetching waits for others' servers: many at once, of which one account gets a share. */
const prepareSlots = 256
const prepareSlotsPerAccount = 24
const stopGraceMs = 20_000
/** The embedder takes turns between requests; their bodies, at most 1 MB each, are what is bounded. */
const inferShare = { slots: 64, groupSlots: 16 }
/** Requests are bounded in characters, of which some are two UTF-16 units. */
const embedderUnitsMax = 2 * embeddingCharactersMax

export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<App> {
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLogger(config.logLevel)
  const setup = parseEngineSetup(config.engineFile)
  const dataDir = resolve(config.dataDir)
  makeDataFolder(dataDir)
  const isLocal = config.databaseUrl === null
  const lock = isLocal ? lockServer(join(dataDir, 'server.lock'), dataDir) : null
  const db = await (overrides.openDatabase ?? openDatabase)(config)
  const firstKey = await prepareDatabase().catch(async (error) => {
    // An open connection would keep a process alive that has nothing more to do.
    await db.close()
    lock?.release()
    throw error
  })

  async function prepareDatabase() {
    const nowMs = clock.now()
    await migrate(db, nowMs)
    const { apiKey, credits } = config
    return ensureFirstAccount(db, { apiKey, credits, makeKey: isLocal, nowMs })
  }

  const tempDir = join(dataDir, 'tmp')
  await rm(tempDir, { recursive: true, force: true })
  await mkdir(tempDir, { recursive: true })
  const storage = createFolderStorage(join(dataDir, 'files'))
  const queue = createSqlQueue({ db, clock, log, ...(overrides.leaseMs ? { leaseMs: overrides.leaseMs } : {}) })
  const metrics = createMetrics(queue)
  const switches = await createSwitches(db)
  const authenticator = createAuthenticator({ db, clock })
  const catalogue = createCatalogue([...videoModels, ...setup.models])
  const events = createTaskEvents()
  const stopping = new AbortController()
  let address = ''
  const publicUrl = () => config.publicUrl ?? address

  const embedder = createEmbedder({ inputCharactersMax: embedderUnitsMax })
  const door = createMaterialDoor({
    policy: config.addressPolicy,
    moderation: config.moderation,
    thresholds: config.moderationThresholds,
    embed: async (texts) => (await embedder.embed(texts)).vectors,
  })
  const fleet = openFleet({
    setup,
    builtIn: overrides.engine ?? config.engine,
    renderSlots: config.renderSlots,
    fetch: door.fetch,
    clock,
    creditsSince: (engine, sinceMs) => engineCreditsSince(db, engine, sinceMs),
    schemaOf: (model) => catalogue.get(model)?.like ?? model,
  })
  const prices = { ...config.prices, ...setup.prices }
  const engineFor = (model: string, order: VideoOrder) => chooseEngine(fleet, model, order)
  const gatherAll = createGather({ db, storage, clock, tempDir, publicUrl, ...door })
  const gather: Gather =
    overrides.gather ??
    ((task, signal) => (task.engine === 'scripted' ? gatherNothing(task, signal) : gatherAll(task, signal)))
  const webhooks = createWebhooks({
    db,
    queue,
    clock,
    fetch: door.fetch,
    delaysMs: config.webhookDelaysMs,
    tryMs: overrides.webhookTryMs,
    pendingMax: config.pendingDeliveriesMax,
    publicUrl,
    onAttempt: metrics.callback,
  })
  const observe = observeEnd({ db, metrics, log })
  const finish = {
    db,
    queue,
    events,
    clock,
    videoTtlMs: config.videoTtlMs,
    async onFinished(tx: Tx, task: TaskRow) {
      await webhooks.onTaskEnded(tx, task)
      await observe(tx, task)
    },
  }
  const generate = {
    ...finish,
    storage,
    log,
    tempDir,
    upstreamSilenceMs: config.upstreamSilenceMs,
    onAttempt: metrics.attempt,
    placement: fleet,
  }
  const admission = createAdmission({
    db,
    queue,
    clock,
    log,
    openTasksMax: config.openTasksMax,
    featureEnabled: switches.featureEnabled,
    callbacksFull: webhooks.callbacksFull,
    ...(overrides.admissionBatchMax ? { batchMax: overrides.admissionBatchMax } : {}),
  })
  const inference = createInference({
    ...finish,
    finish,
    log,
    embedder,
    catalogue,
    admission,
    publicUrl,
    prices,
    usdPerMillionTokens: config.embeddingPriceUsd,
    engineFor,
    openRequestsMax: config.openTasksMax,
    featureEnabled: switches.featureEnabled,
    callbacksFull: webhooks.callbacksFull,
    defaultModel: config.defaultModel,
    syncWaitMs: config.syncWaitMs,
    stopping: stopping.signal,
    onEnded: webhooks.onRequestEnded,
  })
  const shedder = createLoadShedder(() => admission.pending)

  const guard = createGuard({
    authenticator,
    switches,
    shedder,
    clock,
    rateLimiter: createRateLimiter(),
    requestLimiter: createRequestLimiter({ db, clock }),
    rateLimit: config.rateLimit,
  })
  const routes = allRoutes({
    ...finish,
    ...door,
    storage,
    log,
    tempDir,
    uploadQuotaBytes: config.uploadQuotaBytes,
    catalogue,
    admission,
    switches,
    metrics,
    publicUrl,
    prices,
    engineFor,
    engineStatus: fleet.status,
    metricsToken: config.metricsToken,
    inference,
    answerGate: createAnswerGate({ db, queue, log }),
    usdPerMillionTokens: config.embeddingPriceUsd,
    addressPolicy: config.addressPolicy,
    startedAtMs: clock.now(),
    stopping: stopping.signal,
  })
  const server = createServer({ guard, switches, metrics, log, corsOrigins: config.corsOrigins }, routes)

  const loops = [
    { name: 'overdue tasks', everyMs: 5000, runOnce: () => failOverdueTasks(finish, config.queueTimeoutMs) },
    { name: 'old records', everyMs: 60_000, runOnce: () => purgeOldRecords(finish, config.recordTtlMs) },
    { name: 'engine health', everyMs: 10_000, runOnce: () => fleet.check() },
    { name: 'old callbacks', everyMs: 60_000, runOnce: () => webhooks.purge(config.recordTtlMs) },
    {
      name: 'old inference requests',
      everyMs: 60_000,
      runOnce: () => purgeOldRequests(db, config.recordTtlMs, clock.now()),
    },
    { name: 'expired files', everyMs: 10_000, runOnce: () => sweepFiles({ db, storage, clock }) },
  ]
  let running: ReturnType<typeof runPeriodically>[] = []

  function work() {
    webhooks.work()
    queue.work(inferQueue, { ...inferShare, retryDelayMs: 1000 }, inference.infer)
    queue.work(
      'prepare',
      { slots: prepareSlots, groupSlots: prepareSlotsPerAccount, retryDelayMs: 1000 },
      createPrepare({ ...finish, gather }),
    )
    for (const { engine, slots } of fleet.members()) {
      queue.work(
        generateQueue(engine.name),
        {
          slots,
          retryDelayMs: 1000,
          async onLost(tx, taskIds) {
            for (const id of taskIds) await giveBack(generate, tx, id, 'the worker was lost', { forgetHandle: false })
          },
        },
        createGenerate(generate, engine),
      )
    }
  }

  return {
    server,
    routes,
    db,
    firstKey,
    async start() {
      address = await server.listen({ host: config.host, port: config.port })
      work()
      // This process holds the only lock on the folder: whatever is leased was left by one that is gone.
      if (isLocal) {
        await queue.recover()
        // Nor does anybody still wait for an answer of that process: work held back for one may begin.
        await queue.releaseAll([inferQueue, 'prepare'])
      }
      running = loops.map(({ name, everyMs, runOnce }) => runPeriodically(name, everyMs, runOnce, log))
      return address
    },
    async stop() {
      stopping.abort()
      await closeServer(server)
      await Promise.all(running.map((loop) => loop.stop()))
      await queue.stop(overrides.stopGraceMs ?? stopGraceMs)
      shedder.stop()
      switches.close()
      authenticator.close()
      await Promise.all([door.close(), fleet.close()])
      await embedder.close()
      await db.close()
      lock?.release()
    },
    async upkeep() {
      for (const { runOnce } of loops) await runOnce()
    },
  }
}
