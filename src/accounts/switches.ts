// Maintenance, features and paused queues. An operator switches them at run time, and every process sees it within a second.
import { type Actor, recordAct } from '../audit/audit.ts'
import type { Db, Sql, Tx } from '../db/db.ts'

const maintenance = 'maintenance'
const featurePrefix = 'feature:'
const queuePrefix = 'queue:'

export interface Switches {
  maintenance(): boolean
  featureEnabled(name: string): boolean
  /** No process claims jobs of a paused queue. */
  queuePaused(queue: string): boolean
  close(): void
}

export async function createSwitches(db: Db): Promise<Switches> {
  let off: ReadonlySet<string> = new Set()
  let reads = 0
  let latest = 0

  async function read(): Promise<void> {
    const number = ++reads
    const fresh = await readSwitches(db)
    // Two reads may finish out of order.
    if (number < latest) return
    latest = number
    off = fresh
  }

  const stop = db.onChange((topic) => {
    if (topic !== 'settings' && topic !== null) return
    // While the database is unreachable, the last known values apply; the next change is read again.
    read().catch(() => {})
  })
  // After subscribing, so that no change is missed.
  await read()
  return {
    maintenance: () => off.has(maintenance),
    featureEnabled: (name) => !off.has(featurePrefix + name),
    queuePaused: (queue) => off.has(queuePrefix + queue),
    close: stop,
  }
}

/** Names of all active switches: maintenance on, a feature off, or a queue paused. */
async function readSwitches(sql: Sql): Promise<Set<string>> {
  const rows = await sql.all<{ name: string }>('select name from switches')
  return new Set(rows.map((row) => row.name))
}

export async function readMaintenance(sql: Sql): Promise<boolean> {
  return (await readSwitches(sql)).has(maintenance)
}

export async function disabledFeatures(sql: Sql): Promise<Set<string>> {
  return withPrefix(await readSwitches(sql), featurePrefix)
}

export async function pausedQueues(sql: Sql): Promise<Set<string>> {
  return withPrefix(await readSwitches(sql), queuePrefix)
}

function withPrefix(thrown: Set<string>, prefix: string): Set<string> {
  return new Set([...thrown].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)))
}

export async function setMaintenance(tx: Tx, by: Actor, on: boolean, nowMs: number): Promise<void> {
  const before = await throwSwitch(tx, maintenance, on, nowMs)
  const action = on ? 'maintenance.on' : 'maintenance.off'
  await recordAct(tx, by, { action, target: null, before: { on: before }, after: { on } }, nowMs)
}

export async function setFeature(tx: Tx, by: Actor, name: string, enabled: boolean, nowMs: number): Promise<void> {
  const wasOff = await throwSwitch(tx, featurePrefix + name, !enabled, nowMs)
  const action = enabled ? 'feature.enable' : 'feature.disable'
  await recordAct(tx, by, { action, target: name, before: { enabled: !wasOff }, after: { enabled } }, nowMs)
}

export async function setQueuePaused(tx: Tx, by: Actor, queue: string, paused: boolean, nowMs: number): Promise<void> {
  const before = await throwSwitch(tx, queuePrefix + queue, paused, nowMs)
  const action = paused ? 'queue.pause' : 'queue.resume'
  await recordAct(tx, by, { action, target: queue, before: { paused: before }, after: { paused } }, nowMs)
}

/** Returns whether it was set before. */
async function throwSwitch(tx: Tx, name: string, thrown: boolean, nowMs: number): Promise<boolean> {
  // Two processes may set the same switch at once.
  const changed = thrown
    ? await tx.run('insert into switches (name, changed_at) values (?, ?) on conflict (name) do nothing', [name, nowMs])
    : await tx.run('delete from switches where name = ?', [name])
  await tx.announce('settings')
  return changed === 0 ? thrown : !thrown
}
