// Settings: read once at start from the environment and `.env`, validated, frozen. docs/operating.md documents them.
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { parsePrices } from './models/prices.ts'
import { defaultThresholds } from './moderation/thresholds.ts'
import { parsePrivateNetwork } from './outbound/address-rules.ts'
import { formatDuration, parseDuration, parseRate, type Rate } from './platform/durations.ts'
import { OperatorError } from './platform/errors.ts'
import { readJsonFile } from './platform/json-file.ts'
import { type ProxyTrust, parseNetwork } from './platform/networks.ts'
import { createSecretBox, parseSecretKey, type SecretBox } from './secrets/secret-box.ts'

/** The settings, as `loadConfig` reads them. */
export type Config = ReturnType<typeof loadConfig>

type Environment = Record<string, string | undefined>

/** The environment of the process, over the `.env` file of the working folder. */
export function readEnvironment(): Environment {
  return { ...(existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}), ...process.env }
}

export function loadConfig(env: Environment) {
  const read = reader(env)
  const host = read('DAILIES_HOST', text, '127.0.0.1')
  const publicUrl = read('DAILIES_PUBLIC_URL', httpUrl)
  const databaseUrl = read('DAILIES_DATABASE_URL', postgresUrl)
  const apiKey = read('DAILIES_API_KEY', visibleAscii)
  if (apiKey !== null && apiKey.length < 16 && !isLoopbackHost(host)) {
    throw bad('DAILIES_API_KEY', 'must have at least 16 characters when the service listens beyond loopback')
  }
  const secretBox = createSecretBox(read('DAILIES_SECRET_KEY', secretKey), read('DAILIES_SECRET_KEY_OLD', secretKey))
  const trustProxy = read('DAILIES_TRUST_PROXY', proxies, 'off')
  const loopbackOnly =
    isLoopbackHost(host) &&
    (publicUrl === null || isLoopbackHost(new URL(publicUrl).hostname)) &&
    databaseUrl === null &&
    trustProxy === false
  return Object.freeze({
    host,
    port: read('DAILIES_PORT', port, String(read('PORT', port, '8080'))),
    /** Null: the listening address. */
    publicUrl,
    dataDir: read('DAILIES_DATA', text, './data'),
    /** Null: SQLite in the data folder. */
    databaseUrl,
    /** PostgreSQL's own address, where `databaseUrl` is a pooler in transaction mode. */
    databaseDirectUrl: read('DAILIES_DATABASE_DIRECT_URL', postgresUrl),
    storageUrl: read('DAILIES_STORAGE_URL', storageUrl),
    apiKey,
    /** Encrypts stored secrets. */
    secretBox,
    credits: read('DAILIES_CREDITS', grantedCredits, '1000000'),
    videoTtlMs: read('DAILIES_VIDEO_TTL', duration, '14d'),
    recordTtlMs: read('DAILIES_RECORD_TTL', duration, '90d'),
    /** Entries of the audit log are deleted after this long. */
    auditRetentionMs: read('DAILIES_AUDIT_RETENTION', duration, '365d'),
    upstreamSilenceMs: read('DAILIES_UPSTREAM_SILENCE', duration, '10m'),
    /** How long input files are fetched again whose server does not respond; 0: the first failure is final. */
    fetchPatienceMs: read('DAILIES_FETCH_PATIENCE', durationOrZero, '2m'),
    queueTimeoutMs: read('DAILIES_QUEUE_TIMEOUT', duration, '24h'),
    webhookDelaysMs: read('DAILIES_WEBHOOK_DELAYS', durations, '1s,5s,30s,2m,10m,1h'),
    /** Null: no rate limit. */
    rateLimit: read('DAILIES_RATE_LIMIT', rateOrOff, '10000/10s'),
    /** Unpaid computing time of a key; null: no limit. */
    freeWork: read('DAILIES_FREE_WORK', shareOfTime, '15m/1h'),
    renderSlots: read(
      'DAILIES_RENDER_SLOTS',
      positiveNumber,
      String(Math.max(1, Math.floor(availableParallelism() / 2))),
    ),
    /** A worker without a heartbeat for this long loses its jobs. */
    leaseMs: read('DAILIES_LEASE', leaseDuration, '15s'),
    moderation: read('DAILIES_MODERATION', oneOf('on', 'prompts', 'off'), 'on'),
    moderationThresholds: {
      promptSimilarity: read('DAILIES_MODERATION_PROMPTS', share, String(defaultThresholds.promptSimilarity)),
      imageExplicit: read('DAILIES_MODERATION_IMAGES', share, String(defaultThresholds.imageExplicit)),
    },
    addressPolicy: read('DAILIES_ALLOW_PRIVATE_NETWORK', (value) => parsePrivateNetwork(value, loopbackOnly), ''),
    /** Whether loopback targets are allowed only by default, because no setting decides it. */
    loopbackByDefault: loopbackOnly && !env.DAILIES_ALLOW_PRIVATE_NETWORK?.trim(),
    /** Which peers' forwarding headers are trusted. */
    trustProxy,
    /** Null: half of the file descriptors, at most 10,000. */
    connectionsMax: read('DAILIES_CONNECTIONS', positiveNumber),
    /** Null: a quarter of the connections. */
    connectionsPerAddressMax: read('DAILIES_CONNECTIONS_PER_ADDRESS', positiveNumber),
    corsOrigins: read('DAILIES_CORS_ORIGINS', origins, ''),
    uploadQuotaBytes: read('DAILIES_UPLOAD_QUOTA', bytes, '5GB'),
    openTasksMax: read('DAILIES_OPEN_TASKS', positiveNumber, '10000'),
    syncWaitMs: read('DAILIES_SYNC_WAIT', duration, '55s'),
    /** Null: unknown inference models are not found. */
    defaultModel: read('DAILIES_DEFAULT_MODEL', modelOrNone, 'google/universal-sentence-encoder'),
    metricsToken: read('DAILIES_METRICS_TOKEN', text),
    /** US dollars per million tokens of an embeddings request. */
    embeddingPriceUsd: read('DAILIES_EMBEDDING_PRICE', usd, '0.02'),
    /** The maximum of undelivered callbacks per account; further ones are refused (429). */
    pendingDeliveriesMax: read('DAILIES_PENDING_DELIVERIES', positiveNumber, '10000'),
    prices: read('DAILIES_PRICES', parsePrices, '{}'),
    /** Path of an ONNX depth network that the studio uses instead of the bundled one. */
    depthModel: read('DAILIES_DEPTH_MODEL', readableFile),
    /** The engines and models of `dailies.config.json`, not validated; null without that file. */
    engineFile: readEngineFile(read('DAILIES_CONFIG', readableFile), env, secretBox),
    /** The base URL of an OTLP receiver over HTTP; null: tracing is off. */
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', httpUrl),
    /** The share of the traces to record among those that do not begin at a client. */
    traceShare: read('DAILIES_TRACE_SHARE', share, '1'),
    logLevel: read('DAILIES_LOG_LEVEL', oneOf('debug', 'info', 'warn', 'error', 'silent'), 'info'),
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

export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
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

const text = (value: string) => value

function visibleAscii(value: string): string {
  if (!/^[\x21-\x7e]+$/.test(value)) throw new Error('must be visible ASCII text without spaces')
  return value
}

function secretKey(value: string): Buffer {
  const key = parseSecretKey(value)
  if (!key) throw new Error('must be 32 random bytes in base64 or hex; make one with: openssl rand -base64 32')
  return key
}

function port(value: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 65_535) throw new Error('must be a port number from 0 to 65535')
  return number
}

function wholeNumber(value: string): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) throw new Error('must be a whole number')
  return number
}

/** The limit of every grant: far below the numbers that cannot be counted exactly. */
const grantMax = 1_000_000_000_000

function grantedCredits(value: string): number {
  const number = wholeNumber(value)
  if (number > grantMax) throw new Error(`must be a whole number up to ${grantMax}`)
  return number
}

function positiveNumber(value: string): number {
  const number = wholeNumber(value)
  if (number < 1) throw new Error('must be a whole number of at least 1')
  return number
}

function usd(value: string): number {
  const number = Number(value)
  if (!/^\d+(\.\d+)?$/.test(value) || number <= 0 || number > 1e6) {
    throw new Error('must be an amount of US dollars above 0, such as 0.02')
  }
  return number
}

function share(value: string): number {
  const number = Number(value)
  if (!/^\d*\.?\d+$/.test(value) || number > 1) throw new Error('must be a number from 0 to 1')
  return number
}

const durationMaxMs = 36_500 * 86_400_000

function duration(value: string): number {
  const ms = parseDuration(value)
  // Timers hold at most 2^31 ms; longer times are only ever compared.
  if (ms === null || ms <= 0) throw new Error('must be a duration such as 250ms, 5s, 10m, 1h or 14d')
  // A bound for dates that are computed from it, such as the one until which a file may be cached.
  if (ms > durationMaxMs) throw new Error(`must be at most ${formatDuration(durationMaxMs)}`)
  return ms
}

const durationOrZero = (value: string) => (parseDuration(value) === 0 ? 0 : duration(value))

function leaseDuration(value: string): number {
  const ms = duration(value)
  if (ms < 1000 || ms > 3_600_000) throw new Error('must be a duration from 1s to 1h')
  return ms
}

function durations(value: string): number[] {
  return list(value).map((entry) => {
    try {
      return duration(entry)
    } catch {
      throw new Error('must be durations separated by commas, such as 1s,5s,30s')
    }
  })
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function origins(value: string): string[] {
  return list(value).map((entry) => {
    if (entry === '*' || (URL.canParse(entry) && new URL(entry).origin === entry)) return entry
    throw new Error('must be origins separated by commas, such as https://studio.example, or *')
  })
}

function proxies(value: string): ProxyTrust {
  if (value === 'false' || value === 'off') return false
  if (value === 'true') return 1
  if (/^\d+$/.test(value)) return positiveNumber(value)
  return list(value).map((entry) => {
    const network = parseNetwork(entry)
    if (!network)
      throw new Error(
        'must be true, off, the number of proxies in a row, or networks separated by commas, such as 10.0.0.0/8,::1',
      )
    return network
  })
}

function rateOrOff(value: string): Rate | null {
  if (value === 'off') return null
  const rate = parseRate(value)
  if (!rate) throw new Error('must be a rate such as 100/10s, or off')
  return rate
}

function shareOfTime(value: string): { ms: number; perMs: number } | null {
  if (value === 'off') return null
  const [ms, perMs, ...rest] = value.split('/').map(parseDuration)
  if (!ms || !perMs || rest.length > 0) throw new Error('must be a time per time such as 15m/1h, or off')
  return { ms, perMs }
}

function bytes(value: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB|TB)?$/i.exec(value)
  if (!match) throw new Error('must be a size such as 500MB or 5GB')
  const power = ['B', 'KB', 'MB', 'GB', 'TB'].indexOf((match[2] ?? 'B').toUpperCase())
  return Math.floor(Number(match[1]) * 1024 ** power)
}

function httpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Error('must be an http or https URL, such as https://videos.example.com')
  }
  // The service itself would refuse such URLs of its files in requests.
  if (url.username !== '' || url.password !== '') throw new Error('must be a URL without a user name or password')
  return value.replace(/\/+$/, '')
}

function postgresUrl(value: string): string {
  if (!/^postgres(ql)?:\/\//.test(value)) throw new Error('must be a postgres:// URL')
  return value
}

function storageUrl(value: string): string {
  if (!/^s3:\/\/[^/?]+/.test(value)) throw new Error('must be an s3:// URL, such as s3://bucket?endpoint=https://…')
  return value
}

function modelOrNone(value: string): string | null {
  if (value === 'none') return null
  if (!/^[^/\s]+\/[^/\s]+$/.test(value)) throw new Error('must be a model such as owner/name, or none')
  return value
}

function oneOf<const T extends string>(...values: T[]) {
  return (value: string): T => {
    if (!(values as string[]).includes(value)) throw new Error(`must be one of ${values.join(', ')}`)
    return value as T
  }
}
