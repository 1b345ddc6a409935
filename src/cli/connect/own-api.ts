// The API for operators on the configured database, inside the process of one command: the routes of the service, behind a
// server that listens nowhere and takes every request as one of the user who runs the command.
import type { Fetch } from '../../../client/src/public.ts'
import type { Principal } from '../../accounts/keys/authenticate.ts'
import { createSwitches } from '../../accounts/switches.ts'
import type { Config } from '../../config.ts'
import { keyScopes } from '../../contract/keys.ts'
import type { Db } from '../../db/db.ts'
import { parseEngineSetup } from '../../engines/setup/engine-setup.ts'
import { allOperatorRoutes } from '../../http/routes/operator/all.ts'
import { queuesWith } from '../../http/routes/operator/queues.ts'
import { createServer } from '../../http/server/server.ts'
import { createCatalogue, videoModels } from '../../models/catalogue.ts'
import type { Clock } from '../../platform/clock.ts'
import { silentLogger } from '../../platform/logger.ts'
import { createSqlQueue } from '../../queue/sql-queue.ts'
import { commandLineActor, withDatabase } from './with-database.ts'

export function withOwnApi<T>(config: Config, work: (fetch: Fetch) => Promise<T>): Promise<T> {
  return withDatabase(config, async (db, clock) => {
    await using opened = new AsyncDisposableStack()
    const routes = await openRoutes(opened, config, db, clock)
    let failure: unknown
    const server = createServer(
      {
        guard: ownGuard(),
        keyStreams: { add() {} },
        metrics: { request() {} },
        // An error that is no refusal is thrown by the request below, with its cause.
        log: { ...silentLogger, error: (fields) => (failure = (fields as { err: unknown }).err) },
        isTraced: false,
        corsOrigins: [],
        trustProxy: false,
        publicUrl: null,
        connectionLimits: { total: 1, perAddress: 1 },
        onUntrustedProxy() {},
        switches: routes.switches,
      },
      routes.all,
    )
    opened.defer(() => server.close())
    return await work(async (url, { method, headers, body }) => {
      failure = undefined
      const call = { method: method as 'GET', url, headers, payload: body as string }
      const response = await server.inject({ ...call, remoteAddress: 'none' })
      if (failure !== undefined) throw failure
      return new Response(response.payload, { status: response.statusCode })
    })
  })
}

async function openRoutes(opened: AsyncDisposableStack, config: Config, db: Db, clock: Clock) {
  const setup = parseEngineSetup(config.engineFile)
  const switches = opened.adopt(await createSwitches(db), (all) => all.close())
  const queue = opened.adopt(createSqlQueue({ db, clock, log: silentLogger, about: null }), (each) => each.stop(0))
  const all = allOperatorRoutes({
    db,
    clock,
    queue,
    switches,
    catalogue: createCatalogue([...videoModels, ...setup.models]),
    secretBox: config.secretBox,
    dataDir: config.dataDir,
    queues: () => queuesWith(['studio', ...setup.engines.keys()]),
    // About a process that serves and works, which this one is not. No command shows them.
    engineStatus: () => [],
    throughput: async () => [],
    storage: { refresh: async () => {}, isUp: true },
    loopLag: { longestMs: () => 0 },
    stopping: new AbortController().signal,
  })
  return { all, switches }
}

/** Takes every request as one of the user of this machine, who may do everything: the database is theirs. */
function ownGuard() {
  const { actor } = commandLineActor()
  const caller: Principal = {
    keyId: actor,
    accountId: '',
    accountName: '',
    isSubKey: false,
    scopes: new Set(keyScopes),
    hasOldSecret: false,
    networks: [],
    rates: [],
    requestLimit: null,
    expiresAt: null,
  }
  return { enter: async () => caller, count: async () => caller, mayContinue: async () => true }
}
