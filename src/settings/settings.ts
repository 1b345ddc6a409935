// Every setting, declared once: its name, parser, default and one line of help. The type of the configuration and which
// names are unknown follow from here, and test/settings compares the table of docs/operating.md with it.
import { availableParallelism } from 'node:os'
import { debts, slots, windows } from '../limits/table.ts'
import { OperatorError } from '../platform/errors.ts'
import * as value from './values.ts'

export type Environment = Record<string, string | undefined>

interface Setting<T> {
  name: string
  /** As the documentation shows it. */
  shownDefault: string
  help: string
  read(env: Environment): T
}

interface About {
  help: string
  /** A name that others use for the same, and that is read where this one is not set. */
  also?: string
}

/**
 * `parse` throws an Error whose message completes the sentence "<NAME> …". An empty value means unset: a setting then has
 * its default, written as an operator would write it, or is null. `shown` documents a default that no text can say.
 */
function setting<T>(
  name: string,
  parse: (value: string) => T,
  about: About & { byDefault: string; shown?: string },
): Setting<T>
function setting<T>(name: string, parse: (value: string) => T, about: About & { shown: string }): Setting<T | null>
function setting<T>(
  name: string,
  parse: (value: string) => T,
  { help, also = name, byDefault, shown = `\`${byDefault}\`` }: About & { byDefault?: string; shown?: string },
): Setting<T | null> {
  return {
    name,
    help,
    shownDefault: shown,
    read(env) {
      const found = [name, also].find((each) => env[each]?.trim()) ?? name
      const text = env[found]?.trim() || byDefault
      if (text === undefined) return null
      try {
        return parse(text)
      } catch (error) {
        throw new OperatorError(`${found} ${(error as Error).message}`)
      }
    },
  }
}

const { durationFrom, oneOf } = value
const slotsDefault = () => String(Math.max(1, Math.floor(availableParallelism() / 2)))

export const settings = {
  host: setting('DAILIES_HOST', value.text, { byDefault: '127.0.0.1', help: 'address to listen on' }),
  port: setting('DAILIES_PORT', value.port, {
    byDefault: '8080',
    also: 'PORT',
    shown: '`PORT`, else `8080`',
    help: 'port to listen on',
  }),
  publicUrl: setting('DAILIES_PUBLIC_URL', value.httpUrl, {
    shown: 'the listening address',
    help: 'the beginning of file URLs, as clients reach the service',
  }),
  dataDir: setting('DAILIES_DATA', value.text, { byDefault: './data', help: 'database, files and work in progress' }),
  databaseUrl: setting('DAILIES_DATABASE_URL', value.postgresUrl, {
    shown: 'SQLite in the data folder',
    help: '`postgres://…`',
  }),
  databaseDirectUrl: setting('DAILIES_DATABASE_DIRECT_URL', value.postgresUrl, {
    shown: 'none',
    help: 'URL of PostgreSQL itself, for notifications, when `DAILIES_DATABASE_URL` is a pooler in transaction mode',
  }),
  storageUrl: setting('DAILIES_STORAGE_URL', value.storageUrl, {
    shown: 'a folder in the data folder',
    help: '`s3://bucket/prefix?endpoint=…&region=…`',
  }),
  startWaitMs: setting('DAILIES_START_WAIT', durationFrom('0s', '1d'), {
    byDefault: '60s',
    help: 'how long a start (`serve`, `work`, `migrate`) waits for a PostgreSQL that does not respond yet',
  }),
  stopGraceMs: setting('DAILIES_STOP_GRACE', durationFrom('0s', '1d'), {
    byDefault: '20s',
    help: 'how long a stop waits for requests and running jobs before it cuts them off',
  }),
  apiKey: setting('DAILIES_API_KEY', value.visibleAscii, {
    shown: 'created and printed once',
    help: 'a key of the account `default`; at least 16 characters when listening beyond loopback',
  }),
  cell: setting('DAILIES_CELL', value.cell, {
    shown: 'none',
    help: 'name of this service among several behind one address',
  }),
  secretKeys: setting('DAILIES_SECRET_KEY', value.secretKeys, {
    byDefault: 'none',
    shown: 'none: secrets are stored as they are',
    help: 'encrypts webhook secrets in the database: 32 random bytes in base64 or hex',
  }),
  credits: setting('DAILIES_CREDITS', value.grantedCredits, {
    byDefault: '1000000',
    help: 'initial credits of the first account',
  }),
  videoTtlMs: setting('DAILIES_VIDEO_TTL', value.duration, {
    byDefault: '14d',
    help: 'how long videos can be downloaded',
  }),
  recordTtlMs: setting('DAILIES_RECORD_TTL', durationFrom('1m', '36500d'), {
    byDefault: '90d',
    help: 'how long the records of ended tasks and requests are kept, at least 1m',
  }),
  upstreamSilenceMs: setting('DAILIES_UPSTREAM_SILENCE', durationFrom('100ms', '30d'), {
    byDefault: '10m',
    help: 'a task fails with 408 when its engine sends no heartbeat for this long; 100ms to 30d',
  }),
  fetchPatienceMs: setting('DAILIES_FETCH_PATIENCE', value.durationOrZero, {
    byDefault: '2m',
    help: 'how long an input file is fetched again whose server cannot be reached, or responds with 408, 425, 429 or 5xx',
  }),
  queueTimeoutMs: setting('DAILIES_QUEUE_TIMEOUT', value.duration, {
    byDefault: '24h',
    help: 'a task that is queued for longer fails',
  }),
  renderSlots: setting('DAILIES_RENDER_SLOTS', value.slots, {
    byDefault: slotsDefault(),
    shown: 'one per two cores',
    help: 'videos rendered at the same time, at most 1000',
  }),
  rateLimit: setting('DAILIES_RATE_LIMIT', value.rateOrOff, {
    byDefault: windows.rate.of.byDefault,
    help: 'requests per key, those of its sub-keys included, or `off`',
  }),
  freeWork: setting('DAILIES_FREE_WORK', value.shareOfTime, {
    byDefault: debts.freeWork.of.byDefault,
    help: 'computing time of a key for unpaid work (uploads, previews, and tasks and requests that fail), and how fast it refills',
  }),
  openTasksMax: setting('DAILIES_OPEN_TASKS', value.positiveNumber, {
    byDefault: slots.openTasks.of.byDefault,
    help: 'unfinished tasks per account, and as many undelivered callbacks',
  }),
  moderation: setting('DAILIES_MODERATION', oneOf('on', 'prompts', 'off'), {
    byDefault: 'on',
    help: '`on`, `prompts` or `off`',
  }),
  privateNetwork: setting('DAILIES_ALLOW_PRIVATE_NETWORK', value.privateNetwork, {
    shown: 'loopback only, and only while the installation is local',
    help: 'private addresses that input files and callbacks may use: `true`, `false` or CIDRs',
  }),
  uploadQuotaBytes: setting('DAILIES_UPLOAD_QUOTA', value.bytes, {
    byDefault: slots.uploadQuota.of.byDefault,
    help: 'unexpired uploads per account',
  }),
  webhookDelaysMs: setting('DAILIES_WEBHOOK_DELAYS', value.durations, {
    byDefault: '1s,5s,30s,2m,10m,1h',
    help: 'delays before the retries of a callback, each ±10 %',
  }),
  syncWaitMs: setting('DAILIES_SYNC_WAIT', durationFrom('100ms', '1h'), {
    byDefault: '55s',
    help: 'how long an inference request without a webhook waits for its result; 100ms to 1h',
  }),
  defaultModel: setting('DAILIES_DEFAULT_MODEL', value.modelOrNone, {
    byDefault: 'google/universal-sentence-encoder',
    help: 'serves inference paths that are not in the catalogue; `none` makes them 404',
  }),
  trustProxy: setting('DAILIES_TRUST_PROXY', value.proxies, {
    byDefault: 'off',
    help: 'whose `X-Forwarded-For`, `-Proto` and `-Host` headers are trusted',
  }),
  connectionsMax: setting('DAILIES_CONNECTIONS', value.positiveNumber, {
    shown: 'half of the file descriptors, at most `10000`',
    help: 'open connections, a quarter of them per client address',
  }),
  corsOrigins: setting('DAILIES_CORS_ORIGINS', value.origins, {
    byDefault: '',
    shown: 'none',
    help: 'origins from which browsers may call the API, separated by commas',
  }),
  metricsToken: setting('DAILIES_METRICS_TOKEN', value.text, {
    shown: 'none',
    help: 'when set, `/metrics` requires it as a Bearer token',
  }),
  revision: setting('DAILIES_REVISION', value.visibleAscii, {
    shown: 'none',
    help: 'the commit that runs, shown as `revision` of `dailies_build_info` and in `/readyz`',
  }),
  logLevel: setting('DAILIES_LOG_LEVEL', oneOf('debug', 'info', 'warn', 'error', 'silent'), {
    byDefault: 'info',
    help: '`debug` (also logs every request), `info`, `warn`, `error` or `silent`',
  }),
  otlpEndpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', value.httpUrl, {
    shown: 'none',
    help: 'base URL of an OTLP receiver over HTTP, such as `http://collector.example:4318`: turns [traces](#traces) on',
  }),
  tracesSampler: setting('OTEL_TRACES_SAMPLER', oneOf(...value.tracesSamplers), {
    byDefault: 'parentbased_always_on',
    help: 'which traces are recorded, as OpenTelemetry defines it',
  }),
  tracesShare: setting('OTEL_TRACES_SAMPLER_ARG', value.share, {
    byDefault: '1',
    help: 'the share that `traceidratio` and `parentbased_traceidratio` record, 0 to 1',
  }),
  configFile: setting('DAILIES_CONFIG', value.readableFile, {
    shown: '`./dailies.config.json` if it exists',
    help: 'which engine serves which model, your own models, and [further settings](#settings-in-dailiesconfigjson)',
  }),
}

export type Settings = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['read']> }

export function readSettings(env: Environment): Settings {
  return Object.fromEntries(Object.entries(settings).map(([name, each]) => [name, each.read(env)])) as Settings
}
