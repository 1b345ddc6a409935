// One process of the service: what it serves and which queues it works on. The parts are built by parts.ts.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import packageJson from '../package.json' with { type: 'json' }
import { ensureFirstAccount } from './accounts/first-account.ts'
import { stateOfSecret } from './accounts/keys/read-keys.ts'
import { createRequestLimiter } from './accounts/keys/request-limit.ts'
import { createLastUse, writeEveryMs } from './accounts/last-use.ts'
import { purgeOldActs, serviceActor } from './audit/audit.ts'
import { type Config, ownUrl } from './config.ts'
import type { Db } from './db/db.ts'
import { watchSchema } from './db/schema-watch.ts'
import { explainSlowWrites } from './db/write-health.ts'
import type { Route } from './http/route.ts'
import { connectionLimits, descriptorLimit } from './http/server/connections/connection-table.ts'
import { createLoadShedder } from './http/server/event-loop.ts'
import { createGuard } from './http/server/guard.ts'
import { createKeyStreams } from './http/server/responses/open-responses.ts'
import { closeServer, createServer } from './http/server/server.ts'
import { inferQueue, purgeOldRequests } from './inference/requests.ts'
import { createSharedWindow } from './limits/shared-window.ts'
import { slots } from './limits/table.ts'
import { createWindow } from './limits/window.ts'
import { buildParts, type PartOverrides, type Parts } from './parts.ts'
import type { Clock } from './platform/clock.ts'
import { runPeriodically } from './platform/loops/periodic.ts'
import { isLoopbackHost } from './platform/networks.ts'
import { routesOfServer, routesOfWorker } from './routes.ts'
import { sweepFiles } from './storage/sweep.ts'
import { requeueCrashed } from './tasks/attempt/requeue.ts'
import { generateQueue, prepareQueue } from './tasks/store/task-jobs.ts'
import { reassignFromRemovedEngines } from './tasks/upkeep/removed-engines.ts'
import { failOverdueTasks, purgeOldRecords } from './tasks/upkeep/upkeep.ts'

export interface App {
  server: FastifyInstance
  /** The declared routes of the server. */
  routes: Route[]
  db: Db
  /** The clock in use: the PostgreSQL server's, or this machine's. */
  clock: Clock
  /** The key that the start created for a new installation, to be shown once. */
  readonly firstKey: string | null
  /** Resolves with the reason when a newer release has migrated the database beyond what this process supports. */
  outdated: Promise<string>
  /** Starts listening and working. Returns the address, or '' when it serves nothing. */
  start(): Promise<string>
  /** Stops accepting, lets work finish for a while, and releases the rest. */
  stop(): Promise<void>
  /** One round of every background loop, for tests. */
  upkeep(): Promise<void>
}

export interface AppOverrides extends PartOverrides {
  stopGraceMs?: number
}

export const workQueues = ['prepare', 'generate', 'deliver', 'infer'] as const
export type WorkQueue = (typeof workQueues)[number]

/** What a process does. A worker may serve its own health checks; only a full server accepts requests. */
export interface Role {
  serves: 'everything' | 'health' | 'nothing'
  works: readonly WorkQueue[]
}

/** Everything in one process, for a single machine. */
const soleRole: Role = { serves: 'everything', works: workQueues }

const retryDelayMs = 1000

export async function createApp(config: Config, overrides: AppOverrides = {}, role: Role = soleRole): Promise<App> {
  let address = ''
  const parts = await buildParts(config, overrides, {
    publicUrl: () => config.publicUrl ?? address,
    about: { role: role.serves === 'everything' ? 'server' : 'worker', release: packageJson.version },
  })
  const { db, queue, clock, log, stopping } = parts
  const serves = role.serves === 'everything'
  let firstKey: string | null = null
  // A key that is made here can be shown only once, so it is not made before the service listens and can show it.
  const makesKey = serves && config.apiKey === null
  if (serves && !makesKey) await ensureFirstKey(parts).catch((error) => parts.close().then(() => Promise.reject(error)))
  const { server, routes, keyStreams, keyUse, shared, shedder } = createHttp(parts, serves)
  const loops = upkeepLoops(parts)
  const schema = watchSchema({ db, log })
  loops.push({ name: 'schema', everyMs: 5000, runOnce: schema.runOnce })
  const works = role.works.length > 0
  // Servers assign tasks to engines, so they need to know the engines.
  if (serves) loops.push({ name: 'removed engines', everyMs: 10_000, runOnce: () => reassignFromRemovedEngines(parts) })
  if (serves) loops.push({ name: 'slow admission', everyMs: 2500, runOnce: () => reportSlowAdmission(parts) })
  if (serves) loops.push({ name: 'key use', everyMs: writeEveryMs, runOnce: keyUse.runOnce })
  if (serves) loops.push({ name: 'session use', everyMs: writeEveryMs, runOnce: parts.sessions.lastUse.runOnce })
  if (shared) loops.push({ name: 'old counts', everyMs: 60_000, runOnce: shared.purge })
  let running: ReturnType<typeof runPeriodically>[] = []

  return {
    server,
    routes,
    db,
    clock,
    get firstKey() {
      return firstKey
    },
    outdated: schema.outdated,
    async start() {
      if (role.serves !== 'nothing') {
        await server.listen({ host: config.host, port: config.port })
        address = ownUrl({ host: config.host, port: (server.server.address() as AddressInfo).port })
      }
      for (const message of config.warnings) log.warn({}, message)
      if (makesKey) firstKey = await ensureFirstKey(parts)
      if (serves && config.publicUrl === null && !isLoopbackHost(config.host)) {
        log.warn({ address }, 'DAILIES_PUBLIC_URL is not set: file URLs begin with the listening address')
      }
      requeueTasksOfCrashed(parts)
      // This process holds the folder's only lock, so every claimed job is left from a process that has ended. Ours
      // start below.
      if (parts.isLocal) await queue.recover()
      work(parts, role.works)
      if (role.works.includes('generate')) {
        // Not awaited: the first task finds the engine ready, or waits as it would have anyway.
        parts.fleet.warm().catch((error) => log.warn({ err: error }, 'an engine could not be made ready'))
        reportFindings(parts)
      }
      if (works) await queue.beat()
      running = loops.map(({ name, everyMs, runOnce }) => runPeriodically(name, everyMs, runOnce, log))
      log.info({ serves: role.serves, works: role.works, clock: new Date(clock.now()).toISOString() }, 'started')
      return address
    },
    async stop() {
      const graceMs = overrides.stopGraceMs ?? config.stopGraceMs
      // Claims nothing from here on, before engines release what they only follow.
      const jobsEnded = queue.stop(graceMs)
      stopping.abort()
      await keyStreams.stop()
      // At the same time: a client that reads slowly must not use up the time in which jobs finish or are released.
      await Promise.all([closeServer(server, graceMs), jobsEnded])
      await Promise.all(running.map((loop) => loop.stop()))
      await keyUse.runOnce().catch((error) => log.warn({ err: error }, 'the last use of keys could not be written'))
      shedder.stop()
      await parts.close()
    },
    async upkeep() {
      await queue.beat()
      for (const { runOnce } of loops) await runOnce()
    },
  }
}

/** Whose failed authentications are counted; the latest. */
const addressesMax = 10_000

/** The HTTP side of a process: its routes, and the checks and limits in front of them. */
function createHttp(parts: Parts, serves: boolean) {
  const { config, db, clock, log, authenticator, sessions, switches, freeWork, metrics, isTraced } = parts
  const shedder = createLoadShedder(() => parts.admission.pending)
  const keyStreams = createKeyStreams({ log })
  const failedAttempts = createWindow(addressesMax)
  // Several servers on one PostgreSQL share each key's rate.
  const shared = serves && !parts.isLocal ? createSharedWindow({ db, clock }) : null
  const rates = shared ?? createWindow()
  const routes = serves ? routesOfServer(parts, { failedAttempts, rates }) : routesOfWorker(parts)
  const keyUse = createLastUse({ db, clock }, { table: 'keys', by: 'id' })
  const guard = createGuard({
    authenticator,
    sessions,
    switches,
    freeWork,
    clock,
    keyUse,
    failedAttempts,
    shedder,
    rates,
    requestLimiter: createRequestLimiter({ db, clock }),
    rateLimit: config.rateLimit,
  })
  const server = createServer(
    {
      guard,
      keyStreams,
      switches,
      metrics,
      log,
      isTraced,
      corsOrigins: config.corsOrigins,
      trustProxy: config.trustProxy,
      publicUrl: config.publicUrl,
      connectionLimits: connectionLimits(config.connectionsMax, descriptorLimit()),
      onUntrustedProxy: parts.closeLoopback,
    },
    routes,
  )
  return { server, routes, shedder, keyStreams, shared, keyUse }
}

/** Not awaited: a generator may start after this process. */
function reportFindings({ fleet, log }: Parts): void {
  fleet.inspect().then((inspections) => {
    for (const { engine, findings } of inspections) {
      for (const { message } of findings) log.warn({ engine }, `the engine ${engine} may fail tasks: ${message}`)
    }
  })
}

const slowBatchMs = 5000

/** Creations wait for each other's batch, so a slow one delays them all; the log shows the operator why. */
async function reportSlowAdmission({ admission, db, log }: Parts): Promise<void> {
  const { batchAgeMs, pending } = admission
  if (batchAgeMs < slowBatchMs) return
  const connections = db.connections?.()
  const cause = await explainSlowWrites(db)
  log.warn({ batchAgeMs: Math.round(batchAgeMs), pending, connections, cause }, 'creations wait for the database')
}

async function ensureFirstKey({ config, db, clock, log }: Parts): Promise<string | null> {
  const { apiKey, credits, secretBox } = config
  if (apiKey !== null && (await stateOfSecret(db, apiKey)) === 'retired') {
    log.warn({}, 'DAILIES_API_KEY is a key that was rotated or revoked: it is not added again')
  }
  return ensureFirstAccount(db, { apiKey, credits, secretBox, makeKey: true, by: serviceActor, nowMs: clock.now() })
}

/** Queues a task again when its worker crashed, with its job, so that no later write of that worker can match it. */
function requeueTasksOfCrashed(parts: Parts): void {
  for (const { engine } of parts.fleet.engines()) {
    parts.queue.onLost(generateQueue(engine.name), (tx, taskIds) => requeueCrashed(parts, tx, taskIds))
  }
}

/** Takes jobs of these queues from now on. */
function work(parts: Parts, queues: readonly WorkQueue[]): void {
  const { queue, prepare, generate, fleet, files } = parts
  const begin: Record<WorkQueue, () => void> = {
    deliver: parts.webhooks.work,
    infer: () => queue.work(inferQueue, { ...slots.inferences.of, retryDelayMs }, parts.inference.infer),
    prepare: () => {
      const pauseMs = async () => Math.max(await files.pauseMs(), await parts.prepareHealth.pauseMs())
      queue.work(
        prepareQueue,
        { ...slots.preparations.of, retryDelayMs, pauseMs, health: parts.prepareHealth.report },
        prepare,
      )
    },
    generate: () => {
      for (const { engine, slots } of fleet.engines()) {
        const pauseMs = async () => Math.max(await files.pauseMs(), await fleet.pauseMs(engine.name))
        const { onClaim, run } = generate(engine)
        queue.work(generateQueue(engine.name), { slots, retryDelayMs, pauseMs, onClaim }, run)
      }
    },
  }
  for (const name of queues) begin[name]()
}

interface Loop {
  name: string
  everyMs: number
  runOnce(): Promise<unknown>
}

/** Periodic upkeep. Every process runs it: each step is a compare-and-set, so a second process finds nothing to do. */
function upkeepLoops(parts: Parts): Loop[] {
  const { config, db, queue, clock, storage, files, finish, webhooks, fleet, freeWork } = parts
  const { signal } = parts.stopping
  const { recordTtlMs, queueTimeoutMs } = config
  const purgeActs = () => purgeOldActs(db, config.auditRetentionMs, clock.now(), signal)
  const purgeRequests = () => purgeOldRequests(db, recordTtlMs, clock.now(), signal)
  return [
    {
      name: 'overdue tasks',
      everyMs: 5000,
      runOnce: () => failOverdueTasks({ db, queue, clock, finish }, queueTimeoutMs),
    },
    { name: 'old records', everyMs: 60_000, runOnce: () => purgeOldRecords({ db, clock }, recordTtlMs, signal) },
    { name: 'engine health', everyMs: 10_000, runOnce: () => fleet.check() },
    { name: 'file health', everyMs: 10_000, runOnce: () => files.check() },
    { name: 'old callbacks', everyMs: 60_000, runOnce: () => webhooks.purge(recordTtlMs, signal) },
    { name: 'old inference requests', everyMs: 60_000, runOnce: purgeRequests },
    { name: 'free work', everyMs: 60_000, runOnce: () => freeWork.purge() },
    { name: 'old audit entries', everyMs: 60_000, runOnce: purgeActs },
    { name: 'expired files', everyMs: 10_000, runOnce: () => sweepFiles({ db, storage, clock }, signal) },
  ]
}
