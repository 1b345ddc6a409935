// The routes of a process, and which parts of the service each group of them uses.
import packageJson from '../package.json' with { type: 'json' }
import type { Route } from './http/route.ts'
import { allRoutes } from './http/routes/all-routes.ts'
import { healthRoutes } from './http/routes/health/health.ts'
import { requestOrigin } from './http/server/connections/request-origin.ts'
import { windows } from './limits/table.ts'
import { type AnyWindow, refusalOf, type Window } from './limits/window.ts'
import type { Parts } from './parts.ts'
import { createFindQueuePlace } from './tasks/record/queue-place.ts'
import { createThroughput } from './tasks/reports/throughput.ts'
import { prepareQueue } from './tasks/store/task-jobs.ts'
import { deleteDelivery } from './webhooks/deliveries.ts'

/** A worker serves only its health checks and metrics. */
export const routesOfWorker = (parts: Parts): Route[] => healthRoutes(healthDeps(parts))

interface SharedLimits {
  failedAttempts: Window
  rates: AnyWindow
}

/** The limits are also those of the checks in front of the routes. */
export function routesOfServer(parts: Parts, { failedAttempts, rates }: SharedLimits): Route[] {
  const { config, db, queue, clock, log, catalogue, prices, admission, storage } = parts
  const { tempDir, addressPolicy, freeWork } = parts
  // Only in responses: work that several requests share must not depend on what one of their clients sent.
  const publicUrl = () => config.publicUrl ?? requestOrigin() ?? parts.publicUrl()
  const stopping = parts.stopping.signal
  /** Callbacks that are sent again cost nothing and go to any URL. */
  const countResend = async (accountId: string) => {
    const { resends } = windows
    const refusal = refusalOf(resends, await rates.take(`resends of ${accountId}`, resends.of, clock.now()))
    if (refusal) throw refusal
  }
  return allRoutes({
    tasks: {
      db,
      clock,
      log,
      catalogue,
      afterResponse: parts.afterResponse,
      stopping,
      publicUrl,
      onDeleted: deleteDelivery,
      findQueuePlace: createFindQueuePlace({ db, queue, clock }),
      admission,
      events: parts.events,
      finish: parts.finish,
      submitTask: parts.submitTask,
      freeWork,
      explain: parts.fleet.explain,
    },
    files: {
      ...parts.media,
      db,
      clock,
      storage,
      tempDir,
      freeWork,
      publicUrl,
      uploadQuotaBytes: config.uploadQuotaBytes,
      featureEnabled: parts.switches.featureEnabled,
    },
    account: {
      db,
      clock,
      log,
      authenticator: parts.authenticator,
      sessions: parts.sessions,
      failedAttempts,
      publicUrl,
      rateLimit: config.rateLimit,
    },
    inference: {
      inference: parts.inference,
      afterResponse: parts.afterResponse,
      catalogue,
      prices,
      startedAtMs: clock.now(),
      usdPerMillionTokens: config.embeddingPriceUsd,
    },
    webhooks: {
      db,
      queue,
      clock,
      log,
      stopping,
      addressPolicy,
      secretBox: config.secretBox,
      sendTest: parts.webhooks.sendTest,
      countResend,
    },
    operator: {
      db,
      queue,
      clock,
      stopping,
      loopLag: parts.loopLag,
      storage: parts.health.storage,
      dataDir: config.dataDir,
      queues: parts.queues,
      throughput: createThroughput(db),
      catalogue,
      secretBox: config.secretBox,
      switches: parts.switches,
      engineStatus: parts.fleet.status,
    },
    health: healthDeps(parts),
    publicUrl,
  })
}

const healthDeps = ({ config, health, metrics, stopping, prepareHealth }: Parts) => ({
  ...health,
  release: config.revision === null ? packageJson.version : `${packageJson.version}+${config.revision}`,
  metrics,
  metricsToken: config.metricsToken,
  stopping: stopping.signal,
  paused: () => (prepareHealth.report().paused ? [prepareQueue] : []),
})
