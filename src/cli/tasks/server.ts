// Which server `dailies generate` talks to, and with which key: the one it is told, the one that runs here, or one of
// its own for as long as the command takes.
import { join, resolve } from 'node:path'
import { firstAccountName } from '../../accounts/first-account.ts'
import { createKey } from '../../accounts/keys.ts'
import { createApp } from '../../app.ts'
import { type Config, ownUrl } from '../../config.ts'
import { makeDataFolder } from '../../db/data-folder.ts'
import type { Db } from '../../db/db.ts'
import { isServerRunning } from '../../db/server-lock.ts'
import type { Clock } from '../../platform/clock.ts'
import { OperatorError } from '../../platform/errors.ts'
import { createLogger } from '../../platform/logger.ts'
import { needAccount } from '../operator/find.ts'
import { withDatabase } from '../operator/with-database.ts'

export interface FoundServer {
  url: string
  key: string
  /** Whether it ends with the command. */
  isOwn: boolean
  /** The key that was made for a new installation, to be shown once. */
  firstKey: string | null
  close(): Promise<void>
}

const keyMs = 3_600_000
const answerWithinMs = 5000

/** `config` is read only when a local server or key is needed. */
export async function findServer(
  wanted: { url: string | undefined; key: string | undefined },
  config: () => Config,
): Promise<FoundServer> {
  const url = wanted.url ?? (await localUrl(config()))
  if (url === null) return startOwn(config(), wanted.key)
  if (!(await answers(url))) {
    throw new OperatorError(
      wanted.url === undefined
        ? `the server that runs on the data folder ${resolve(config().dataDir)} does not answer at ${url}; give its address with --url`
        : `no server answers at ${url}`,
    )
  }
  const key = wanted.key ?? (await withDatabase(config(), makeKey))
  return { url, key, isOwn: false, firstKey: null, close: async () => {} }
}

/** Where the server of this configuration should be; null when none runs. */
async function localUrl(config: Config): Promise<string | null> {
  const url = ownUrl(config)
  // Several servers may share a PostgreSQL, so only one that answers here counts.
  if (config.databaseUrl !== null) return (await answers(url)) ? url : null
  makeDataFolder(config.dataDir)
  return isServerRunning(join(resolve(config.dataDir), 'server.lock')) ? url : null
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/livez`, { signal: AbortSignal.timeout(answerWithinMs) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

async function startOwn(config: Config, key: string | undefined): Promise<FoundServer> {
  const log = createLogger(config.logLevel === 'info' ? 'error' : config.logLevel)
  const app = await createApp({ ...config, host: '127.0.0.1', port: 0, publicUrl: null }, { log })
  try {
    const url = await app.start()
    return {
      url,
      key: key ?? (await makeKey(app.db, app.clock)),
      isOwn: true,
      firstKey: app.firstKey,
      close: () => app.stop(),
    }
  } catch (error) {
    await app.stop()
    throw error
  }
}

async function makeKey(db: Db, clock: Clock): Promise<string> {
  const account = await needAccount(db, firstAccountName)
  const nowMs = clock.now()
  const key = { accountId: account.id, name: 'dailies generate', expiresAt: nowMs + keyMs }
  return (await db.transaction((tx) => createKey(tx, key, nowMs))).key
}
