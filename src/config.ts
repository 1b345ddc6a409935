// The configuration: the settings and `dailies.config.json`, read once at start, validated, frozen. Each setting is declared
// in settings/settings.ts; docs/operating.md documents them.
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { parsePrivateNetwork } from './outbound/address-rules.ts'
import { OperatorError } from './platform/errors.ts'
import { cellOfKey } from './platform/ids.ts'
import { readJsonFile } from './platform/json-file.ts'
import { isLoopbackHost } from './platform/networks.ts'
import { createSecretBox, type SecretBox } from './secrets/secret-box.ts'
import { readFileSettings } from './settings/file-settings.ts'
import { type Environment, readSettings, settings } from './settings/settings.ts'
import { doubts, unknownSettings } from './settings/warnings.ts'

/** The settings, as `loadConfig` reads them. */
export type Config = ReturnType<typeof loadConfig>

/** The environment of the process, over the `.env` file of the working folder. */
export function readEnvironment(): Environment {
  return { ...(existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}), ...process.env }
}

export function loadConfig(environment: Environment) {
  const { secretKeys, privateNetwork, configFile, ...read } = readSettings(environment)
  const { host, publicUrl, databaseUrl, apiKey, cell, trustProxy } = read
  if (apiKey !== null && apiKey.length < 16 && !isLoopbackHost(host)) {
    throw new OperatorError('DAILIES_API_KEY must have at least 16 characters when the service listens beyond loopback')
  }
  const keyCell = apiKey === null ? null : cellOfKey(apiKey)
  if (cell !== null && keyCell !== null && keyCell !== cell) {
    throw new OperatorError(`DAILIES_API_KEY is a key of the cell ${keyCell}, but DAILIES_CELL is ${cell}`)
  }
  const secretBox = createSecretBox(secretKeys)
  const loopbackOnly =
    isLoopbackHost(host) &&
    (publicUrl === null || isLoopbackHost(new URL(publicUrl).hostname)) &&
    databaseUrl === null &&
    trustProxy === false
  const { names, file } = readConfigFile(configFile, environment, secretBox)
  const config = {
    ...read,
    ...readFileSettings(file),
    /** Encrypts stored secrets. */
    secretBox,
    addressPolicy: parsePrivateNetwork(privateNetwork ?? '', loopbackOnly),
    /** Whether loopback targets are allowed only by default, because no setting decides it. */
    loopbackByDefault: loopbackOnly && privateNetwork === null,
  }
  return Object.freeze({
    ...config,
    /** Settings that may not be meant so, each as a sentence. */
    warnings: [...unknownSettings(environment, names), ...doubts(read)],
    /** How many settings have a value of their own. */
    set: Object.values(settings).filter(({ name }) => environment[name] !== undefined).length,
  })
}

const usualFile = 'dailies.config.json'

/** A file named by a setting must exist; the one in the working folder is optional. `names` are variables that it uses. */
function readConfigFile(asked: string | null, environment: Environment, box: SecretBox) {
  const names = new Set<string>()
  if (asked === null && !existsSync(usualFile)) return { names, file: null }
  const env = new Proxy(environment, {
    get(target, name) {
      names.add(String(name))
      return target[String(name)]
    },
  })
  const path = asked ?? usualFile
  return { names, file: { path, content: readJsonFile(path, env, box.open) } }
}

/** The server's URL on this machine: loopback if it listens on all addresses. */
export function ownUrl({ host, port }: { host: string; port: number }): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') && !reachable.startsWith('[') ? `[${reachable}]` : reachable}:${port}`
}
