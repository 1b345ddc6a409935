// Builds the parts of the service and passes each what it uses. What a process does with them is decided in app.ts.
import { join, resolve } from 'node:path'
import { createAuthenticator } from './accounts/keys/authenticate.ts'
import { createSessions } from './accounts/sessions/sessions.ts'
import { createSwitches } from './accounts/switches.ts'
import { createAdmission } from './admission/admission.ts'
import type { Config } from './config.ts'
import { makeDataFolder } from './db/data-folder.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase, openWhenThere } from './db/open.ts'
import { chooseClock } from './db/postgres/choose-clock.ts'
import { lockServer } from './db/sqlite/server-lock.ts'
import { reportWalDamage } from './db/sqlite/wal-damage.ts'
import { watchWrites } from './db/write-health.ts'
import type { Engine, Handle } from './engines/engine.ts'
import { parseEngineSetup } from './engines/setup/engine-setup.ts'
import { openFleet } from './engines/setup/open-fleet.ts'
import { watchHealth } from './http/routes/health/health.ts'
import { queuesWith } from './http/routes/operator/queues.ts'
import { createEmbedder } from './inference/embeddings/embedder.ts'
import { createInference } from './inference/inference.ts'
import { createFreeWork } from './limits/free-work.ts'
import { openMedia } from './media/open-media.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createCatalogue, videoModels } from './models/catalogue.ts'
import type { VideoModel } from './models/model.ts'
import { defaultPrices } from './models/prices.ts'
import type { Clock } from './platform/clock.ts'
import { createLogger, type Logger } from './platform/logger.ts'
import { watchLoopLag } from './platform/loops/lag.ts'
import { createSqlQueue } from './queue/sql-queue.ts'
import type { WorkerAbout } from './queue/workers.ts'
import { watchFiles } from './storage/file-health.ts'
import { openStorage } from './storage/open-storage.ts'
import { openWorkFolder } from './storage/work-folder.ts'
import { createGenerate } from './tasks/attempt/generate.ts'
import { createTaskEvents } from './tasks/events.ts'
import { createFinish } from './tasks/finish/finish.ts'
import { observeEnds } from './tasks/finish/observe.ts'
import { createFetchInputs } from './tasks/prepare/fetch-inputs.ts'
import { createPrepare, type FetchInputs } from './tasks/prepare/prepare.ts'
import { createRetryLater } from './tasks/prepare/retry-later.ts'
import { createWorkerHealth } from './tasks/prepare/worker-health.ts'
import { createEngineCredits } from './tasks/reports/engine-credits.ts'
import { createTaskSpans } from './tasks/spans.ts'
import { createFindTask } from './tasks/store/read.ts'
import { createTaskTransactions } from './tasks/store/store.ts'
import { createStoreFiles } from './tasks/store/task-files.ts'
import { prepareQueue } from './tasks/store/task-jobs.ts'
import { createSubmitTask } from './tasks/submit.ts'
import { watchAdmission, watchWork } from './tasks/upkeep/gauges.ts'
import { openTracing } from './tracing/open-tracing.ts'
import { createAfterResponse } from './webhooks/after-response.ts'
import { createWebhooks } from './webhooks/webhooks.ts'

/** Parts that tests can replace. */
export interface PartOverrides {
  clock?: Clock
  log?: Logger
  /** The built-in models. */
  models?: readonly VideoModel[]
  /** Serves the models without a route, instead of the studio. */
  engine?: Engine
  /** `usual` is the one that it replaces. */
  fetchInputs?: (...args: [...Parameters<FetchInputs>, usual: FetchInputs]) => ReturnType<FetchInputs>
  leaseMs?: number
  /** From 0 to 1; sets apart jobs that crashed together. */
  random?: () => number
  openDatabase?: typeof openDatabase
  /** The time limit of an attempt at a callback. */
  webhookAttemptMs?: number
  /** 1 turns coalesced admission off, for comparison. */
  admissionBatchMax?: number
}

/** No statement of the running service takes nearly this long, unless its connection is broken. */
const statementMs = 10_000

export type Parts = Awaited<ReturnType<typeof buildParts>>

interface OwnProcess {
  publicUrl(): string
  about: WorkerAbout
}

export async function buildParts(config: Config, overrides: PartOverrides, { publicUrl, about }: OwnProcess) {
  const log = overrides.log ?? createLogger(config.logLevel, undefined, about)
  const { models: builtIn = videoModels } = overrides
  const setup = parseEngineSetup(config.engineFile, builtIn)
  const dataDir = resolve(config.dataDir)
  makeDataFolder(dataDir)
  // Closed in reverse order: at the end, or at once when a later part cannot be built.
  await using opened = new AsyncDisposableStack()
  const isLocal = config.databaseUrl === null
  if (isLocal) {
    opened.adopt(lockServer(join(dataDir, 'server.lock'), dataDir), (lock) => lock.release())
    reportWalDamage(join(dataDir, 'dailies.sqlite'), log)
  }
  const open = () => (overrides.openDatabase ?? openDatabase)(config, { answerWithinMs: statementMs })
  const onWait = (message: string) => log.warn({}, message)
  const database = await openWhenThere(open, { waitMs: config.startWaitMs, onWait })
  const writes = watchWrites(opened.adopt(database, () => database.close()))
  const { db } = writes
  const { clock, stopClock } = await chooseClock(db, overrides.clock)
  opened.defer(stopClock)
  await migrate(db, clock.now())
  const workFolder = await openWorkFolder(join(dataDir, 'tmp'), { shared: !isLocal })
  opened.defer(() => workFolder.remove())
  const { path: tempDir, withFolder } = workFolder
  const storage = await openStorage(config, join(tempDir, 'cache'))
  opened.defer(() => storage.close?.())
  const files = watchFiles(storage, workFolder)

  const switches = opened.adopt(await createSwitches(db), (all) => all.close())
  const queue = createSqlQueue({
    db,
    clock,
    log,
    about,
    leaseMs: overrides.leaseMs,
    random: overrides.random,
    isPaused: switches.queuePaused,
  })
  const metrics = opened.adopt(createMetrics(queue, config.revision), (all) => all.close())
  const health = watchHealth(metrics, writes, files)
  const loopLag = opened.adopt(watchLoopLag(), (lag) => lag.stop())
  metrics.watch('dailies_event_loop_lag_seconds', 'Longest delay of the event loop within the last minute.', () => {
    return loopLag.longestMs() / 1000
  })
  const authenticator = opened.adopt(createAuthenticator({ db, clock }), (known) => known.close())
  const sessions = opened.adopt(createSessions({ db, clock }), (opened) => opened.stop())
  const freeWork = createFreeWork({ db, clock, log, budget: config.freeWork })
  opened.defer(() => freeWork.flush())
  const catalogue = createCatalogue([...builtIn, ...setup.models])
  const events = opened.adopt(createTaskEvents(db), (all) => all.close())
  const stopping = new AbortController()

  const embedder = createEmbedder()
  opened.defer(() => embedder.close())
  const { addressPolicy, closeLoopback } = closableLoopback(config, log)
  const media = openMedia({
    policy: addressPolicy,
    moderation: config.moderation,
    thresholds: config.moderationThresholds,
    embed: async (texts, request) => (await embedder.embed(texts, { ...request, lane: 'moderation' })).vectors,
  })
  opened.defer(() => media.close())
  const fleet = openFleet({
    setup,
    defaultEngine: overrides.engine,
    renderSlots: config.renderSlots,
    depthModel: config.depthModel,
    fetch: media.fetch,
    clock,
    creditsSince: createEngineCredits({ db, clock }),
    modelOf: catalogue.get,
    stopping: stopping.signal,
  })
  opened.defer(() => fleet.close())
  const prices = { ...defaultPrices(builtIn), ...setup.prices }
  const transactions = createTaskTransactions({ db, log, queue })
  const storeFiles = createStoreFiles({ transactions, queue, clock, storage })
  const prepareHealth = createWorkerHealth({ db, clock, log, queue: prepareQueue, onChange: queue.beat })
  metrics.watch('dailies_prepare_paused', 'Whether this worker leaves the jobs of prepare to the others.', () =>
    Number(prepareHealth.report().paused),
  )
  const usual = createFetchInputs({
    db,
    health: prepareHealth,
    storage,
    storeFiles,
    clock,
    withFolder,
    publicUrl,
    ...media,
    spend: freeWork.spend,
  })
  const { fetchInputs: other } = overrides
  const fetchInputs: FetchInputs = other ? (task, held) => other(task, held, usual) : usual
  const tracing = await openTracing(config)
  opened.defer(() => tracing?.close())
  const afterResponse = opened.adopt(createAfterResponse({ db, queue, clock, log }), (all) => all.close())
  const webhooks = createWebhooks({
    afterResponse,
    log,
    db,
    transactions,
    queue,
    clock,
    tracing,
    fetch: media.fetch,
    secretBox: config.secretBox,
    delaysMs: config.webhookDelaysMs,
    attemptMs: overrides.webhookAttemptMs,
    pendingMax: config.openTasksMax,
    publicUrl,
    onAttempt: metrics.callback,
  })
  const stopEngine = (engine: string, handle: Handle) => {
    fleet.cancel(engine, handle).catch((error) => log.warn({ err: error, engine }, 'an engine could not cancel'))
  }
  const find = createFindTask(db)
  const spans = createTaskSpans(tracing, { db, clock, find })
  const finish = spans.finish(
    createFinish({
      // Ends wait for the rows of accounts, which admissions lock too. Other stages need not wait with them.
      transactions: createTaskTransactions({ db, log, queue }),
      queue,
      events,
      clock,
      stopEngine,
      queueCallbacks: webhooks.queueCallbacks,
      observe: observeEnds({ db, metrics, log }),
    }),
  )
  const generate = spans.generate(
    createGenerate({
      db,
      transactions,
      queue,
      clock,
      events,
      log,
      find,
      finish,
      storage,
      files,
      storeFiles,
      withFolder,
      stopEngine,
      stopping: stopping.signal,
      videoTtlMs: config.videoTtlMs,
      upstreamSilenceMs: config.upstreamSilenceMs,
      onAttempt: metrics.attempt,
      fleet,
    }),
  )
  const { fetchPatienceMs } = config
  const retryLater = createRetryLater({ db, clock, fetchPatienceMs, onRetry: metrics.inputRetry })
  const prepare = spans.prepare(
    createPrepare({ transactions, queue, clock, events, find, finish, fetchInputs, files, retryLater }),
  )
  const admission = createAdmission({
    db,
    queue,
    clock,
    log,
    openMax: config.openTasksMax,
    featureEnabled: switches.featureEnabled,
    callbacksFull: webhooks.callbacksFull,
    ...(overrides.admissionBatchMax ? { batchMax: overrides.admissionBatchMax } : {}),
  })
  watchAdmission(metrics, db, admission)
  /** Every queue that this configuration enqueues to. */
  const queues = () => queuesWith(fleet.engines().map(({ engine }) => engine.name))
  watchWork({ db, clock, metrics, dataDir, queues })
  const submitTask = spans.submit(createSubmitTask({ admission, prices, fleet }))
  const inference = createInference({
    db,
    queue,
    clock,
    events,
    log,
    finish,
    embedder,
    catalogue,
    admission,
    submitTask,
    publicUrl,
    usdPerMillionTokens: config.embeddingPriceUsd,
    spend: freeWork.spend,
    defaultModel: config.defaultModel,
    syncWaitMs: config.syncWaitMs,
    stopping: stopping.signal,
    onEnded: webhooks.onRequestEnded,
  })

  const all = opened.move()
  return {
    config,
    isLocal,
    log,
    db,
    health,
    loopLag,
    clock,
    tempDir,
    storage,
    files,
    queue,
    queues,
    metrics,
    switches,
    authenticator,
    sessions,
    freeWork,
    catalogue,
    stopping,
    fleet,
    prices,
    media,
    events,
    webhooks,
    afterResponse,
    finish,
    prepare,
    prepareHealth,
    generate,
    admission,
    submitTask,
    inference,
    publicUrl,
    addressPolicy,
    closeLoopback,
    isTraced: tracing !== null,
    /** Called last, when all work has stopped. */
    close: () => all.disposeAsync(),
  }
}

/**
 * Loopback targets are allowed by default while the service is used only from this machine. The first request that
 * arrives through a proxy shows that it is not, and disables them.
 */
function closableLoopback(config: Config, log: Logger) {
  const addressPolicy = { ...config.addressPolicy }
  return {
    addressPolicy,
    closeLoopback() {
      if (!config.loopbackByDefault || !addressPolicy.loopback) return
      addressPolicy.loopback = false
      log.warn({}, 'a proxy passes requests on: loopback targets are refused from now on; set DAILIES_PUBLIC_URL')
    },
  }
}
