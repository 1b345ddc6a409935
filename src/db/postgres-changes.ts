// News between processes over PostgreSQL's NOTIFY: told at once to listeners in this process, and shortly after, many
// together, to all others. Heard on one connection of our own, which is opened anew when it breaks.
//
// A transaction that notifies holds a lock of the whole database while it commits, so that notifying in every
// transaction would make commits queue up behind each other's disk writes. Therefore only `settings` is told inside
// the transaction; everything else follows the commit in a statement of its own. A process that dies in between has
// told nobody: what must not be missed is looked for now and then by those who wait for it.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { OperatorError } from '../platform/errors.ts'
import type { ChangeListener, Topic } from './db.ts'

const channel = 'dailies_changes'
const reconnectMs = 500
/** What is announced within this time goes out together. */
const gatherMs = 5
/** PostgreSQL allows 8,000 bytes a notification. */
const payloadCharactersMax = 7_000
/** A line that is dead without saying so is found by asking. */
const pingEveryMs = 10_000
const pingWithinMs = 5_000
const probe = { tries: 3, withinMs: 3_000 }

export interface Changes {
  announce(topic: Topic, subject?: string): void
  /** The statement that tells other processes when the transaction that runs it commits. */
  notification(topic: Topic): { name?: string; text: string; values: unknown[] }
  onChange(listener: ChangeListener): () => void
  stop(): Promise<void>
}

export interface ChangesOptions {
  /** Where LISTEN works; null: changes of other processes are found by looking every second. */
  listenUrl: string | null
  pool: pg.Pool
  isNamed: boolean
}

/** Without LISTEN, everything may have changed once per this time. Switches are seen within a second. */
const lookEveryMs = 800

const notifyText = `select pg_notify('${channel}', payload) from json_array_elements_text($1::json) as payload`

export async function openChanges({ listenUrl, pool, isNamed }: ChangesOptions): Promise<Changes> {
  const origin = randomUUID()
  const listeners = new Set<ChangeListener>()
  const probes = new Set<() => void>()
  const outbox = new Map<Topic, Set<string>>()
  let sending: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const tell: ChangeListener = (topic, subjects) => {
    for (const listener of listeners) listener(topic, subjects)
  }

  function hear(payload: string) {
    const [from, topic, subjects] = payload.split(' ') as [string, Topic | 'probe', string | undefined]
    if (topic === 'probe') for (const heard of probes) heard()
    else if (from !== origin) tell(topic, subjects?.split(','))
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
    sending = pool
      .query(notification(payloads))
      // A database that cannot be reached has nobody else on it either; reconnecting makes everyone look anew.
      .catch(() => {})
      .then(() => {
        sending = undefined
        if (outbox.size > 0) timer ??= setTimeout(flush, gatherMs)
      })
  }

  const line = listenUrl === null ? pollChanges(() => tell(null)) : await keepLine(listenUrl, hear, () => tell(null))
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
      timer ??= setTimeout(flush, gatherMs)
      tell(topic, subject === undefined ? undefined : [subject])
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

/** Stands among the subjects for an announcement without one. */
const anything = ''

/** As many payloads as the subjects need; one where it is about anything. */
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

/** Through a pooler that hands connections out by the transaction, LISTEN succeeds and then nothing is ever heard. */
async function proveHearing(send: () => Promise<unknown>, probes: Set<() => void>): Promise<void> {
  for (let tries = 1; tries <= probe.tries; tries++) {
    let heard = () => {}
    const answer = new Promise<boolean>((resolve) => {
      heard = () => resolve(true)
      setTimeout(resolve, probe.withinMs, false).unref()
    })
    probes.add(heard)
    await send()
    const isHeard = await answer
    probes.delete(heard)
    if (isHeard) return
  }
  throw new OperatorError(
    'the database connection does not pass on notifications (LISTEN and NOTIFY); set DAILIES_DATABASE_DIRECT_URL to ' +
      'the address of PostgreSQL itself',
  )
}

/** For poolers in transaction mode, where nothing can be heard: reports that anything may have changed. */
function pollChanges(onLook: () => void): { stop(): Promise<void> } {
  const timer = setInterval(onLook, lookEveryMs)
  timer.unref()
  return { stop: async () => clearInterval(timer) }
}

/** A listening connection that is replaced whenever it breaks. */
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
    // A connection that is cut off reports it twice: the server's last words, then the end of the line.
    next.on('error', () => next === client && broke())
    next.on('end', () => next === client && broke())
    next.on('notification', (message) => hear(message.payload ?? ''))
    await next.connect()
    await next.query(`listen ${channel}`)
    isListening = true
  }

  function broke() {
    if (isListening && !stopped) setTimeout(reconnect, reconnectMs).unref()
    isListening = false
  }

  async function reconnect() {
    if (stopped) return
    try {
      await connect()
      onReconnect() // whatever was announced meanwhile was missed
    } catch {
      client.end().catch(() => {})
      setTimeout(reconnect, reconnectMs).unref()
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
