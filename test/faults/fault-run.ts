// One run: a cluster under load, faults in a seeded order, then the judgement.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { seededRandom } from '../../src/video/random.ts'
import { startReceiver } from '../support/network/receiver.ts'
import { startFaultCluster } from './cluster-processes.ts'
import { judge, untilAllEnded, type Verdict } from './judge.ts'
import { faults, longFaults } from './kinds/faults.ts'
import { startLoad } from './load.ts'
import { startPictures } from './pictures.ts'

interface FaultRunOptions {
  seed: number
  /** Names of faults in order; else so many at random. */
  faults: string[] | number
  leaseMs?: number
  say(line: string): void
  /** Ends the run before its next fault. */
  signal?: AbortSignal
}

interface FaultVerdict extends Verdict {
  /** The longest that each took, and what took longer than the figure to hold. */
  slowestMs: Record<string, number>
  late: string[]
}

const newTaskEveryMs = 200
const betweenFaultsMs = 300
const restStepWithinMs = 60_000

export async function runFaults(options: FaultRunOptions): Promise<FaultVerdict> {
  const { seed, say, leaseMs = 3000 } = options
  const startedAt = performance.now()
  const random = seededRandom(seed)
  const names = typeof options.faults === 'number' ? order(options.faults, random) : options.faults
  await using opened = new AsyncDisposableStack()
  const receiver = opened.adopt(await startReceiver(), (each) => each.close())
  const pictures = opened.adopt(await startPictures(), (each) => each.close())
  const cluster = opened.adopt(await startFaultCluster({ leaseMs, pictureOrigin: pictures.origin }), (each) =>
    each.stop(),
  )
  const urls = cluster.processes.flatMap(({ url }) => (url === '' ? [] : [url]))
  const origins = { callbackOrigin: receiver.origin, pictureOrigin: pictures.origin }
  const calledBack = () => new Set(receiver.received.map(({ path }) => path)).size
  const load = startLoad({ urls, ...origins, random, everyMs: newTaskEveryMs, calledBack })
  opened.defer(() => load.finish().catch(() => {}))
  try {
    for (const name of names) {
      await sleep(betweenFaultsMs + random() * betweenFaultsMs)
      options.signal?.throwIfAborted()
      say(`${Math.round((performance.now() - startedAt) / 1000)} s, ${load.sent()} tasks sent: ${name}`)
      await faults[name]!({ cluster, load, pictures, random })
    }
    await Promise.all(cluster.processes.map(({ up }) => up))
    await load.finish()
    const db = await openDatabase(loadConfig({ DAILIES_DATABASE_URL: cluster.postgres.url }))
    try {
      await untilAllEnded(db, restStepWithinMs)
      const isStored = async (key: string) => existsSync(cluster.storedAt(key))
      const verdict = await judge(db, { accepted: load.accepted, calls: load.calls, receiver, cluster, isStored })
      return { ...verdict, slowestMs: cluster.figures.slowestMs, late: cluster.figures.late }
    } finally {
      await db.close()
    }
  } catch (error) {
    for (const { name, process: own } of cluster.processes) say(`--- ${name}\n${own.output().slice(-3000)}`)
    throw error
  }
}

/** Every fault once before any comes again; those that take long only once. */
function order(count: number, random: () => number): string[] {
  const chosen: string[] = []
  while (chosen.length < count) {
    const names = Object.keys(faults).filter((name) => !(longFaults.includes(name) && chosen.includes(name)))
    const round = names.map((name) => ({ name, at: random() }))
    chosen.push(...round.sort((a, b) => a.at - b.at).map(({ name }) => name))
  }
  return chosen.slice(0, count)
}
