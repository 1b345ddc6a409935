// Which server a command talks to, and with which key: the one that it is given, the one of `dailies login`, the one
// that runs here, or, for `generate`, a server of its own for as long as the command takes.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, ownUrl, readEnvironment } from '../../config.ts'
import { makeDataFolder } from '../../db/data-folder.ts'
import { isServerRunning } from '../../db/sqlite/server-lock.ts'
import { OperatorError } from '../../platform/errors.ts'
import type { CommandInput } from '../command.ts'
import { commandLineKey } from './command-line-key.ts'
import type { FoundServer } from './own-server.ts'
import { readLogin } from './saved-login.ts'
import { readServerAddress } from './server-address.ts'
import { databaseExists, withDatabase } from './with-database.ts'

type ServerInput = Pick<CommandInput, 'flags' | 'config' | 'overrides'>

const respondWithinMs = 5000

/** Flags override the environment, and both override the saved login, whose key is used only for its own server. */
export function wantedServer({ flags }: ServerInput): { url: string | undefined; key: string | undefined } {
  const env = readEnvironment()
  const login = readLogin()
  const given = (name: string) => env[name]?.trim() || undefined
  const url = flags.url ?? given('DAILIES_URL') ?? login?.url
  const ofLogin = login && url === login.url ? login.key : undefined
  return { url, key: flags.key ?? given('DAILIES_KEY') ?? ofLogin ?? given('DAILIES_API_KEY') }
}

/** A server that runs already. */
export async function findServer(input: ServerInput): Promise<FoundServer> {
  const found = await runningServer(input)
  if (found) return found
  throw new OperatorError('no server runs here; start one with npm start, or name one with --url or dailies login')
}

export async function findOrStartServer(input: ServerInput): Promise<FoundServer> {
  const found = await runningServer(input)
  if (found) return found
  // Loaded only here: the other commands start several times faster without the server's parts.
  const { startOwnServer } = await import('./own-server.ts')
  return startOwnServer(input.config, input.overrides, wantedServer(input).key)
}

/** Null when no server is named and none runs here. The settings are read only for a local server or key. */
async function runningServer(input: ServerInput): Promise<FoundServer | null> {
  const wanted = wantedServer(input)
  const url = wanted.url ?? (await localUrl(input.config))
  if (url === null) return null
  if (!(await responds(url))) {
    throw new OperatorError(
      wanted.url === undefined
        ? `a server, or another dailies generate, uses the data folder ${resolve(input.config.dataDir)} and does not respond at ${url}; give its address with --url, or wait until it has ended`
        : `no server responds at ${url}`,
    )
  }
  return { url, key: wanted.key ?? (await localKey(input.config, url)) }
}

function localKey(config: Config, url: string): Promise<string> {
  if (!databaseExists(config)) {
    throw new OperatorError(`the server at ${url} needs a key: name one with --key, DAILIES_KEY or dailies login`)
  }
  makeDataFolder(config.dataDir)
  return withDatabase(config, (db, clock) => commandLineKey(config.dataDir, db, clock))
}

/** Where the server of this configuration is, or should be by its settings; null when none runs. */
async function localUrl(config: Config): Promise<string | null> {
  const url = ownUrl(config)
  // Several servers may share a PostgreSQL, so only one that responds here counts.
  if (config.databaseUrl !== null) return (await responds(url)) ? url : null
  // A folder that does not exist has no server, and looking for one should not create it.
  if (!existsSync(config.dataDir)) return null
  makeDataFolder(config.dataDir)
  if (!isServerRunning(join(resolve(config.dataDir), 'server.lock'))) return null
  return readServerAddress(config.dataDir) ?? url
}

async function responds(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/livez`, { signal: AbortSignal.timeout(respondWithinMs) })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
