// One run: a cluster under load, faults in a seeded order, then the judgement.
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { startReceiver } from '../support/receiver.ts'
import { seeded } from '../support/seeded.ts'
import { startFaultCluster } from './cluster-processes.ts'
import { faults } from './faults.ts'
import { judge, untilAllEnded, type Verdict } from './judge.ts'
import { startLoad } from './load.ts'

export interface FaultRunOptions {
  seed: number
  /** Names of faults in order; else so many at random. */
  faults: string[] | number
  say(line: string): void
}

const newTaskEveryMs = 120
const betweenFaultsMs = 600
const restWithinMs = 120_000

export async function runFaults({ seed, faults: wanted, say }: FaultRunOptions): Promise<Verdict> {
  const random = seeded(seed)
  const names = typeof wanted === 'number' ? order(wanted, random) : wanted
  const receiver = await startReceiver()
  const cluster = await startFaultCluster()
  const urls = cluster.members.flatMap(({ url }) => (url === '' ? [] : [url]))
  const load = startLoad({ urls, callbackOrigin: receiver.origin, random, everyMs: newTaskEveryMs })
  try {
    for (const name of names) {
      await sleep(betweenFaultsMs + random() * betweenFaultsMs)
      say(`${load.sent()} tasks sent; ${name}`)
      await faults[name]!(cluster, random)
    }
    await load.finish()
    const db = await openDatabase(loadConfig(cluster.env))
    try {
      await untilAllEnded(db, restWithinMs)
      return await judge(db, load.accepted, receiver)
    } finally {
      await db.close()
    }
  } catch (error) {
    for (const { name, process: own } of cluster.members) say(`--- ${name}\n${own.output().slice(-3000)}`)
    throw error
  } finally {
    await load.finish().catch(() => {})
    await cluster.stop()
    await receiver.close()
  }
}

/** Every fault once before any comes again. */
function order(count: number, random: () => number): string[] {
  const chosen: string[] = []
  while (chosen.length < count) {
    const round = Object.keys(faults).map((name) => ({ name, at: random() }))
    chosen.push(...round.sort((a, b) => a.at - b.at).map(({ name }) => name))
  }
  return chosen.slice(0, count)
}
