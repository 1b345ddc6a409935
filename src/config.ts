// Settings: read once at start from the environment and `.env`, validated, frozen. docs/operating.md documents them.
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { debts, slots, windows } from './limits/table.ts'
import { parsePrices } from './models/prices.ts'
import { defaultThresholds } from './moderation/thresholds.ts'
import { parsePrivateNetwork } from './outbound/address-rules.ts'
import { OperatorError } from './platform/errors.ts'
import { readJsonFile } from './platform/json-file.ts'
import { isLoopbackHost } from './platform/networks.ts'
import { createSecretBox, type SecretBox } from './secrets/secret-box.ts'
import * as value from './settings/values.ts'
import { doubts, unknownSettings } from './settings/warnings.ts'

/** The settings, as `loadConfig` reads them. */
export type Config = ReturnType<typeof loadConfig>

type Environment = Record<string, string | undefined>

/** The environment of the process, over the `.env` file of the working folder. */
export function readEnvironment(): Environment {
  return { ...(existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}), ...process.env }
}

export function loadConfig(environment: Environment) {
  const known = new Set<string>()
  // The engine file may name variables too.
  const env = new Proxy(environment, {
    get(target, name) {
      known.add(String(name))
      return target[String(name)]
    },
  })
  const read = reader(env)
  const host = read('DAILIES_HOST', value.text, '127.0.0.1')
  const publicUrl = read('DAILIES_PUBLIC_URL', value.httpUrl)
  const databaseUrl = read('DAILIES_DATABASE_URL', value.postgresUrl)
  const apiKey = read('DAILIES_API_KEY', value.visibleAscii)
  if (apiKey !== null && apiKey.length < 16 && !isLoopbackHost(host)) {
    throw bad('DAILIES_API_KEY', 'must have at least 16 characters when the service listens beyond loopback')
  }
  const secretBox = createSecretBox(
    read('DAILIES_SECRET_KEY', value.secretKey),
    read('DAILIES_SECRET_KEY_OLD', value.secretKey),
  )
  const trustProxy = read('DAILIES_TRUST_PROXY', value.proxies, 'off')
  const loopbackOnly =
    isLoopbackHost(host) &&
    (publicUrl === null || isLoopbackHost(new URL(publicUrl).hostname)) &&
    databaseUrl === null &&
    trustProxy === false
  const config = {
    host,
    port: read('DAILIES_PORT', value.port, String(read('PORT', value.port, '8080'))),
    /** Null: the listening address. */
    publicUrl,
    dataDir: read('DAILIES_DATA', value.text, './data'),
    /** Null: SQLite in the data folder. */
    databaseUrl,
    /** PostgreSQL's own address, where `databaseUrl` is a pooler in transaction mode. */
    databaseDirectUrl: read('DAILIES_DATABASE_DIRECT_URL', value.postgresUrl),
    storageUrl: read('DAILIES_STORAGE_URL', value.storageUrl),
    apiKey,
    /** Encrypts stored secrets. */
    secretBox,
    credits: read('DAILIES_CREDITS', value.grantedCredits, '1000000'),
    videoTtlMs: read('DAILIES_VIDEO_TTL', value.duration, '14d'),
    recordTtlMs: read('DAILIES_RECORD_TTL', value.durationFrom('1m', '36500d'), '90d'),
    /** Entries of the audit log are deleted after this long. */
    auditRetentionMs: read('DAILIES_AUDIT_RETENTION', value.duration, '365d'),
    upstreamSilenceMs: read('DAILIES_UPSTREAM_SILENCE', value.durationFrom('100ms', '30d'), '10m'),
    /** How long input files are fetched again whose server does not respond; 0: the first failure is final. */
    fetchPatienceMs: read('DAILIES_FETCH_PATIENCE', value.durationOrZero, '2m'),
    queueTimeoutMs: read('DAILIES_QUEUE_TIMEOUT', value.duration, '24h'),
    webhookDelaysMs: read('DAILIES_WEBHOOK_DELAYS', value.durations, '1s,5s,30s,2m,10m,1h'),
    /** Null: no rate limit. */
    rateLimit: read('DAILIES_RATE_LIMIT', value.rateOrOff, windows.rate.of.byDefault),
    /** Unpaid computing time of a key; null: no limit. */
    freeWork: read('DAILIES_FREE_WORK', value.shareOfTime, debts.freeWork.of.byDefault),
    renderSlots: read('DAILIES_RENDER_SLOTS', value.slots, String(Math.max(1, Math.floor(availableParallelism() / 2)))),
    /** A worker without a heartbeat for this long loses its jobs. */
    leaseMs: read('DAILIES_LEASE', value.durationFrom('1s', '1h'), '15s'),
    moderation: read('DAILIES_MODERATION', value.oneOf('on', 'prompts', 'off'), 'on'),
    moderationThresholds: {
      promptSimilarity: read('DAILIES_MODERATION_PROMPTS', value.share, String(defaultThresholds.promptSimilarity)),
      imageExplicit: read('DAILIES_MODERATION_IMAGES', value.share, String(defaultThresholds.imageExplicit)),
    },
    addressPolicy: read('DAILIES_ALLOW_PRIVATE_NETWORK', (value) => parsePrivateNetwork(value, loopbackOnly), ''),
    /** Whether loopback targets are allowed only by default, because no setting decides it. */
    loopbackByDefault: loopbackOnly && !env.DAILIES_ALLOW_PRIVATE_NETWORK?.trim(),
    /** Which peers' forwarding headers are trusted. */
    trustProxy,
    /** Null: half of the file descriptors, at most 10,000. */
    connectionsMax: read('DAILIES_CONNECTIONS', value.positiveNumber),
    /** Null: a quarter of the connections. */
    connectionsPerAddressMax: read('DAILIES_CONNECTIONS_PER_ADDRESS', value.positiveNumber),
    corsOrigins: read('DAILIES_CORS_ORIGINS', value.origins, ''),
    uploadQuotaBytes: read('DAILIES_UPLOAD_QUOTA', value.bytes, slots.uploadQuota.of.byDefault),
    openTasksMax: read('DAILIES_OPEN_TASKS', value.positiveNumber, slots.openTasks.of.byDefault),
    syncWaitMs: read('DAILIES_SYNC_WAIT', value.durationFrom('100ms', '1h'), '55s'),
    /** Null: unknown inference models are not found. */
    defaultModel: read('DAILIES_DEFAULT_MODEL', value.modelOrNone, 'google/universal-sentence-encoder'),
    metricsToken: read('DAILIES_METRICS_TOKEN', value.text),
    /** US dollars per million tokens of an embeddings request. */
    embeddingPriceUsd: read('DAILIES_EMBEDDING_PRICE', value.usd, '0.02'),
    /** The maximum of undelivered callbacks per account; further ones are refused (429). */
    pendingDeliveriesMax: read(
      'DAILIES_PENDING_DELIVERIES',
      value.positiveNumber,
      slots.pendingDeliveries.of.byDefault,
    ),
    prices: read('DAILIES_PRICES', parsePrices, '{}'),
    /** Path of an ONNX depth network that the studio uses instead of the bundled one. */
    depthModel: read('DAILIES_DEPTH_MODEL', readableFile),
    /** The engines and models of `dailies.config.json`, not validated; null without that file. */
    engineFile: readEngineFile(read('DAILIES_CONFIG', readableFile), env, secretBox),
    /** The base URL of an OTLP receiver over HTTP; null: tracing is off. */
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', value.httpUrl),
    /** The share of the traces to record among those that do not begin at a client. */
    traceShare: read('DAILIES_TRACE_SHARE', value.share, '1'),
    logLevel: read('DAILIES_LOG_LEVEL', value.oneOf('debug', 'info', 'warn', 'error', 'silent'), 'info'),
    /** The commit that runs, for metrics and readiness. */
    revision: read('DAILIES_REVISION', value.visibleAscii),
    /** How long a start waits for its database. */
    startWaitMs: read('DAILIES_START_WAIT', value.durationFrom('0s', '1d'), '60s'),
    /** How long a stop waits for requests and running jobs before it cuts them off and releases the jobs. */
    stopGraceMs: read('DAILIES_STOP_GRACE', value.durationFrom('0s', '1d'), '20s'),
  }
  return Object.freeze({
    ...config,
    /** Settings that may not be meant so, each as a sentence. */
    warnings: [...unknownSettings(environment, known), ...doubts(config)],
    /** How many settings have a value of their own. */
    set: [...known].filter((name) => name.startsWith('DAILIES_') && environment[name] !== undefined).length,
  })
}

function readableFile(value: string): string {
  const path = resolve(value)
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw new Error('must name a file that can be read')
  }
  return path
}

const engineFileName = 'dailies.config.json'

/** A file named by a setting must exist; the one in the working folder is optional. */
function readEngineFile(asked: string | null, env: Environment, box: SecretBox) {
  if (asked === null && !existsSync(engineFileName)) return null
  const path = asked ?? engineFileName
  return { path, content: readJsonFile(path, env, box.open) }
}

/** The server's URL on this machine: loopback if it listens on all addresses. */
export function ownUrl({ host, port }: { host: string; port: number }): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') && !reachable.startsWith('[') ? `[${reachable}]` : reachable}:${port}`
}

function bad(name: string, sentence: string): OperatorError {
  return new OperatorError(`${name} ${sentence}`)
}

/**
 * Parsers throw an Error whose message completes the sentence "<NAME> …". An empty value means unset: a setting then has
 * its default, written as an operator would write it, or is null.
 */
function reader(env: Environment) {
  function read<T>(name: string, parse: (value: string) => T): T | null
  function read<T>(name: string, parse: (value: string) => T, byDefault: string): T
  function read<T>(name: string, parse: (value: string) => T, byDefault?: string): T | null {
    const value = env[name]?.trim() || byDefault
    if (value === undefined) return null
    try {
      return parse(value)
    } catch (error) {
      throw bad(name, (error as Error).message)
    }
  }
  return read
}
