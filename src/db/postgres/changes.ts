// Change notifications between processes through PostgreSQL's NOTIFY. Listeners in this process are notified at once;
// other processes shortly afterwards, in batches, through one listening connection that is reopened when it breaks. A
// transaction that notifies holds a database-wide lock while it commits, so notifying in every transaction would
// serialise all commits behind each other's disk writes. Therefore only `settings` is sent inside the transaction; the
// rest is sent after the commit, in a separate statement. A process that crashes in between sends nothing, so readers
// that must not miss a change also poll.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { OperatorError } from '../../platform/errors.ts'
import type { ChangeListener, Topic } from '../db.ts'
import { retryPolicy } from '../retry.ts'

const channel = 'dailies_changes'
/**
 * The first announcement is sent at once; those that follow within this time are sent together. The longer the last ones
 * took, the busier the database is, and every process is woken for each sending.
 */
const gatherMs = (tookMs: number) => Math.max(20, Math.min(100, 10 * tookMs))
/** PostgreSQL limits a notification to 8,000 bytes. */
const payloadCharactersMax = 7_000
/** A broken connection that reports no error is found by a query. */
const pingEveryMs = 10_000
const pingWithinMs = 5_000
const probe = { attempts: 3, withinMs: 3_000 }

export interface Changes {
  announce(topic: Topic, subject?: string): void
  /** The statement that notifies other processes when its transaction commits. */
  notification(topic: Topic): { name?: string; text: string; values: unknown[] }
  onChange(listener: ChangeListener): () => void
  stop(): Promise<void>
}

interface ChangesOptions {
  /** The URL for LISTEN. Null: changes made by other processes are found by polling every second. */
  listenUrl: string | null
  pool: pg.Pool
  isNamed: boolean
}

/**
 * Without LISTEN, listeners are notified at this interval that anything may have changed. Switches take effect within a
 * second.
 */
const lookEveryMs = 800

const notifyText = `select pg_notify('${channel}', payload) from json_array_elements_text($1::json) as payload`

export async function openChanges({ listenUrl, pool, isNamed }: ChangesOptions): Promise<Changes> {
  const origin = randomUUID()
  const listeners = new Set<ChangeListener>()
  const probes = new Set<() => void>()
  const outbox = new Map<Topic, Set<string>>()
  let sending: Promise<void> | undefined
  let nextMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  const notifyListeners: ChangeListener = (topic, subjects) => {
    for (const listener of listeners) listener(topic, subjects)
  }

  function hear(payload: string) {
    const [from, topic, subjects] = payload.split(' ') as [string, Topic | 'probe', string | undefined]
    if (topic === 'probe') for (const heard of probes) heard()
    else if (from !== origin) notifyListeners(topic, subjects?.split(','))
  }

  const notification = (payloads: string[]) => ({
    ...(isNamed ? { name: 'announce' } : {}),
    text: notifyText,
    values: [JSON.stringify(payloads)],
  })

  function flush() {
    timer = undefined
    if (sending || outbox.size === 0) return
    const payloads = [...outbox].flatMap(([topic, subjects]) => payloadsOf(`${origin} ${topic}`, subjects))
    outbox.clear()
    const startMs = performance.now()
    sending = pool
      .query(notification(payloads))
      // An unreachable database is unreachable for other processes too; after reconnecting, every process reads again.
      .catch(() => {})
      .then(() => {
        nextMs = startMs + gatherMs(performance.now() - startMs)
        sending = undefined
        if (outbox.size > 0) schedule()
      })
  }

  function schedule() {
    timer ??= setTimeout(flush, Math.max(0, nextMs - performance.now()))
  }

  const line =
    listenUrl === null
      ? pollChanges(() => notifyListeners(null))
      : await keepLine(listenUrl, hear, () => notifyListeners(null))
  if (listenUrl !== null) {
    try {
      await proveHearing(() => pool.query(notification([`${origin} probe`])), probes)
    } catch (error) {
      await line.stop()
      throw error
    }
  }

  return {
    announce(topic, subject) {
      outbox.set(topic, (outbox.get(topic) ?? new Set()).add(subject ?? anything))
      schedule()
      notifyListeners(topic, subject === undefined ? undefined : [subject])
    },
    notification: (topic) => notification([`${origin} ${topic}`]),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async stop() {
      listeners.clear()
      await sending
      clearTimeout(timer)
      flush()
      await sending
      await line.stop()
    },
  }
}

/** Marks an announcement without subjects. */
const anything = ''

/** Splits the subjects into as many payloads as they need; one payload when there are no subjects. */
function payloadsOf(head: string, subjects: Set<string>): string[] {
  if (subjects.has(anything)) return [head]
  const payloads: string[] = []
  let current = ''
  for (const subject of subjects) {
    if (current.length + subject.length > payloadCharactersMax) {
      payloads.push(`${head} ${current}`)
      current = ''
    }
    current += current === '' ? subject : `,${subject}`
  }
  return [...payloads, `${head} ${current}`]
}

/** Through a pooler in transaction mode, LISTEN succeeds but no notification ever arrives. */
async function proveHearing(send: () => Promise<unknown>, probes: Set<() => void>): Promise<void> {
  for (let attempt = 1; attempt <= probe.attempts; attempt++) {
    let heard = () => {}
    const response = new Promise<boolean>((resolve) => {
      heard = () => resolve(true)
      setTimeout(resolve, probe.withinMs, false).unref()
    })
    probes.add(heard)
    await send()
    const isHeard = await response
    probes.delete(heard)
    if (isHeard) return
  }
  throw new OperatorError(
    'the database connection does not pass on notifications (LISTEN and NOTIFY); set DAILIES_DATABASE_DIRECT_URL to ' +
      'the address of PostgreSQL itself',
  )
}

/** For poolers in transaction mode, where LISTEN does not work: reports that anything may have changed. */
function pollChanges(onLook: () => void): { stop(): Promise<void> } {
  const timer = setInterval(onLook, lookEveryMs)
  timer.unref()
  return { stop: async () => clearInterval(timer) }
}

/** A listening connection that is replaced when it breaks. */
async function keepLine(
  url: string,
  hear: (payload: string) => void,
  onReconnect: () => void,
): Promise<{ stop(): Promise<void> }> {
  let stopped = false
  let client: pg.Client
  let isListening = false

  async function connect() {
    const next = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5000 })
    client = next
    // A terminated connection reports it twice: with the server's error and with the end of the connection.
    next.on('error', () => next === client && broke())
    next.on('end', () => next === client && broke())
    next.on('notification', (message) => hear(message.payload ?? ''))
    await next.connect()
    await next.query(`listen ${channel}`)
    isListening = true
  }

  function broke() {
    if (isListening && !stopped) setTimeout(reconnect, retryPolicy.listen.any.everyMs).unref()
    isListening = false
  }

  async function reconnect() {
    if (stopped) return
    try {
      await connect()
      onReconnect() // anything announced in the meantime was missed
    } catch {
      client.end().catch(() => {})
      setTimeout(reconnect, retryPolicy.listen.any.everyMs).unref()
    }
  }

  async function ping() {
    if (!isListening) return
    const asked = client
    const late = setTimeout(() => {
      if (asked !== client) return
      broke()
      asked.end().catch(() => {})
    }, pingWithinMs)
    late.unref()
    await asked.query('select 1').catch(() => {})
    clearTimeout(late)
  }

  await connect()
  const pings = setInterval(ping, pingEveryMs)
  pings.unref()
  return {
    async stop() {
      stopped = true
      clearInterval(pings)
      await client.end().catch(() => {})
    },
  }
}
