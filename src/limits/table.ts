// Every limit of the service that counts, each as a row: what it limits and per what, its numbers, its setting if it has one, and what a
// client gets beyond it. Windows, debts and slots read their numbers and their refusals from here. SECURITY.md's list is made
// from it (`npm run build:limits`). Limits of single inputs are bounds.ts.
import { apiError, invalidField } from '../contract/errors.ts'
import type { RequestLimit } from '../contract/keys.ts'
import { mebibytes } from '../contract/limits.ts'
import { sharesPerTaskMax } from '../contract/tasks/tasks.ts'
import type { Rate } from '../platform/durations.ts'

/** A row in words. */
export interface LimitText {
  what: string
  limit: string
  /** The status of the refusal, or what happens instead. */
  beyond: number | string
  setting?: string
}

function row<const Numbers, Text extends LimitText>(of: Numbers, text: (of: Numbers) => Text) {
  return { of, ...text(of) }
}

const counted = (count: number) => count.toLocaleString('en')
const seconds = (ms: number) => `${ms / 1000} s`

interface Retry {
  retryAfterS: number
}

/** So many per time: window.ts, shared-window.ts and, for request limits, accounts/keys/request-limit.ts. */
export const windows = {
  rate: row({ byDefault: '10000/10s' }, ({ byDefault }) => ({
    what: 'requests of a key and its sub-keys',
    limit: byDefault.replace('/', ' per '),
    beyond: 429,
    setting: "`DAILIES_RATE_LIMIT`, or the key's own",
    refuse: (of: Rate & Retry) => apiError('rate_limited', of),
  })),
  requestLimit: row({}, () => ({
    what: 'requests of a sub-key per UTC hour, per UTC day or in total',
    limit: 'none',
    beyond: 433,
    setting: "the key's own",
    refuse: (of: RequestLimit & Partial<Retry>) => apiError('request_limit_reached', of),
  })),
  failedAttempts: row({ requests: 100, perMs: 60_000 }, ({ requests }) => ({
    what: 'requests with an invalid key from one address',
    limit: `${requests} per minute; valid keys are always served`,
    beyond: 429,
    refuse: (of: Retry) => apiError('too_many_failed_attempts', of),
  })),
  resends: row({ requests: 60, perMs: 60_000 }, ({ requests }) => ({
    what: 'callbacks of an account that are sent again, and test events',
    limit: `${requests} requests per minute`,
    beyond: 429,
    refuse: (of: Retry) => apiError('too_many_resends', { max: requests, ...of }),
  })),
  resendsOfOne: row(25, (max) => ({
    what: 'times that one callback is sent again',
    limit: `${max}`,
    beyond: 422,
    refuse: () => apiError('resends_used_up', { max }),
  })),
  loggedRefusals: row({ requests: 100, perMs: 10_000 }, ({ requests, perMs }) => ({
    what: 'log lines about refused clients without a key',
    limit: `${requests} per ${seconds(perMs)}`,
    beyond: 'counted in one line',
  })),
  loggedLogins: row({ requests: 20, perMs: 60_000 }, ({ requests }) => ({
    what: 'failed logins in the audit log',
    limit: `${requests} per minute`,
    beyond: 'counted in one line of the log',
  })),
}

/** Work that is paid for afterwards: debt.ts and free-work.ts. */
export const debts = {
  freeWork: row({ byDefault: '15m/1h', budgetsPerAccount: 4 }, ({ byDefault, budgetsPerAccount }) => ({
    what: 'computing time of a key for uploads and for tasks that fail',
    limit: `${byDefault.replace('/', ', refilled within ')}; ${budgetsPerAccount} times as much per account`,
    beyond: 429,
    setting: '`DAILIES_FREE_WORK`',
    refuse: (of: Retry) => apiError('free_work_used_up', of),
  })),
  eventLoop: row({ credit: 100, perMs: 0.2 }, ({ credit, perMs }) => ({
    what: 'task lists, explained prompts, bodies over 16 KiB, forms, and the rest of bodies that were refused',
    limit: `while other accounts are active, ${credit} ms at once and then ${perMs * 100} % of the server's time per account, or per address without a valid key`,
    beyond: 'waits',
  })),
}

/** So many at once. Those with a refusal are counted in the database, in the transaction that adds one. */
export const slots = {
  openTasks: row({ byDefault: '10000' }, ({ byDefault }) => ({
    what: 'unfinished tasks of an account',
    limit: counted(Number(byDefault)),
    beyond: 429,
    setting: '`DAILIES_OPEN_TASKS`',
    refuse: (open: number) => apiError('too_many_tasks', { open, retryAfterS: 10 }),
  })),
  openRequests: row({}, () => ({
    what: 'unfinished inference requests of an account',
    limit: 'as many',
    beyond: 429,
    setting: '`DAILIES_OPEN_TASKS`',
    refuse: (open: number) => apiError('too_many_inference_requests', { open, retryAfterS: 5 }),
  })),
  pendingDeliveries: row({}, () => ({
    what: 'undelivered callbacks of an account',
    limit: 'as many',
    beyond: 429,
    setting: '`DAILIES_OPEN_TASKS`',
    refuse: () => apiError('too_many_callbacks', { retryAfterS: 30 }),
  })),
  uploadQuota: row({ byDefault: '5GB' }, ({ byDefault }) => ({
    what: 'uploads of an account that have not expired',
    limit: byDefault,
    beyond: 422,
    setting: '`DAILIES_UPLOAD_QUOTA`',
    refuse: (field: string, quotaBytes: number, roomBytes: number) => {
      const [allowed, left] = [quotaBytes, Math.max(0, roomBytes)].map((bytes) => Math.floor(bytes / mebibytes(1)))
      const rule = `the account may keep ${allowed} MB of uploads at once and has ${left} MB left`
      return invalidField(field, `${rule}; delete some, or wait until they expire`)
    },
  })),
  shareLinks: row(sharesPerTaskMax, (max) => ({
    what: 'share links of a task',
    limit: `${max}`,
    beyond: 422,
    refuse: (links: number) =>
      invalidField('taskId', `the task has ${links} links, which is the limit; revoke one first`),
  })),
  sessions: row(20, (max) => ({
    what: 'sessions of a key in the console',
    limit: `${max}`,
    beyond: 'the next login ends the oldest',
  })),
  taskStreams: row({ perAccount: 500, allSubKeys: 400, perSubKey: 100 }, (of) => ({
    what: 'task streams',
    limit: `${of.perAccount} per account and server, ${of.perSubKey} per sub-key, ${of.allSubKeys} for all sub-keys`,
    beyond: 429,
    refuse: () => apiError('too_many_event_streams', { max: of.perAccount, retryAfterS: 5 }),
  })),
  callbackStreams: row({ perAccount: 20 }, ({ perAccount }) => ({
    what: 'streams of callbacks',
    limit: `${perAccount} per account and server`,
    beyond: 429,
    refuse: () => apiError('too_many_listeners', { max: perAccount, retryAfterS: 5 }),
  })),
  newWork: row({ waitingMax: 5000, lagMsMax: 500 }, ({ waitingMax, lagMsMax }) => ({
    what: 'new work',
    limit: `refused while ${counted(waitingMax)} creations wait, while the event loop lags ${seconds(lagMsMax)}, or when no database connection is free for 5 s`,
    beyond: 455,
    refuse: () => apiError('overloaded', { retryAfterS: 1 }),
  })),
  fetches: row({ total: 64, perAccount: 24, perKey: 16, perHost: 8, perTask: 4 }, (of) => ({
    what: "fetches of clients' URLs at once",
    limit: `${of.total}; ${of.perAccount} per account, ${of.perKey} per key, ${of.perHost} per key and host, ${of.perTask} per task`,
    beyond: 'waits',
  })),
  inspections: row({ total: 4, perAccount: 3, perKey: 2 }, (of) => ({
    what: 'files that are inspected at once',
    limit: `${of.total} processes; ${of.perAccount} per account, ${of.perKey} per key; while other accounts use them, an account has as many as half of the cores`,
    beyond: 'waits',
  })),
  moderations: row({ total: 2, perAccount: 1, waitingMax: 1000 }, (of) => ({
    what: 'prompts and images that are moderated at once',
    limit: `${of.total} processes; ${of.perAccount} per account; ${counted(of.waitingMax)} wait`,
    beyond: 'waits, then the attempt fails',
  })),
  waitingJobs: row(10_000, (max) => ({
    what: 'other jobs that wait for a kind of child process',
    limit: counted(max),
    beyond: 'the attempt fails',
  })),
  waitingTexts: row(20_000, (max) => ({
    what: 'texts that wait for the encoder',
    limit: `${counted(max)}; accounts and keys take turns, moderation comes first`,
    beyond: 'the attempt fails',
  })),
  preparations: row({ slots: 256, ownerSlots: 96, groupSlots: 24 }, (of) => ({
    what: 'tasks whose input files are prepared at once',
    limit: `${of.slots} per worker; ${of.ownerSlots} per account, ${of.groupSlots} per key`,
    beyond: 'waits',
  })),
  inferences: row({ slots: 64, ownerSlots: 32, groupSlots: 16 }, (of) => ({
    what: 'inference requests at once',
    limit: `${of.slots} per worker; ${of.ownerSlots} per account, ${of.groupSlots} per key`,
    beyond: 'waits',
  })),
  callbacks: row(
    {
      first: { slots: 768, ownerSlots: 512, groupSlotsMax: 64 },
      later: { slots: 512, ownerSlots: 256, groupSlotsMax: 2 },
      large: { slots: 64, ownerSlots: 24, groupSlotsMax: 4 },
    },
    ({ first, later, large }) => ({
      what: 'callbacks under way per worker',
      limit: `${first.ownerSlots} first attempts, ${later.ownerSlots} later ones and ${large.ownerSlots} large ones per account; ${first.groupSlotsMax} per account and receiver`,
      beyond: 'waits',
    }),
  ),
  receivers: row({ unknown: 2, fails: 1, accepts: 8, acceptsMax: 64 }, (of) => ({
    what: 'callbacks under way to one receiver of an account',
    limit: `${of.unknown} until it has accepted one, then ${of.accepts} and one more with each, up to ${of.acceptsMax}; ${of.fails} while it fails`,
    beyond: 'waits',
  })),
  postsPerAddress: row({ slow: 16, unknown: 48, quick: 64 }, (of) => ({
    what: 'callbacks under way per account and address',
    limit: `${of.quick}; ${of.unknown} to receivers that are slow or new, ${of.slow} to slow ones`,
    beyond: 'waits',
  })),
  mcpCalls: row({ perAccount: 100 }, ({ perAccount }) => ({
    what: 'open calls of `dailies mcp --http` per key',
    limit: `${perAccount}`,
    beyond: 429,
  })),
  mcpKeyChecks: row({ total: 64, perAccount: 16, perKey: 16 }, (of) => ({
    what: 'keys that `dailies mcp --http` checks at once',
    limit: `${of.total}; ${of.perAccount} per address`,
    beyond: 'waits',
  })),
  mcpLargeBodies: row({ total: 16, perAccount: 4, perKey: 4 }, (of) => ({
    what: 'large bodies that `dailies mcp --http` reads at once',
    limit: `${of.total}; ${of.perAccount} per key`,
    beyond: 'waits',
  })),
}
