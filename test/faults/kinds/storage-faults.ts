// What can happen to storage under a running cluster. Creations and reads need none of it, so that they continue; the
// videos of that time are stored when it is back.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultCluster } from '../cluster-processes.ts'
import type { Fault } from './stage.ts'

type Mode = FaultCluster['s3']['mode']

const longMs = 60_000
/** Between creations, and between reads, beside the load, which adds nothing while many tasks are open. */
const askEveryMs = 500

/** Takes storage away for a while; the outage is noted, because nothing may be refused in it. */
const outage =
  (mode: Mode, awayMs: (random: () => number) => number): Fault =>
  async ({ cluster, load, random }) => {
    await Promise.all(cluster.processes.map(({ up }) => up))
    const fromMs = Date.now()
    cluster.s3.mode = mode
    const asking = setInterval(() => {
      load.send().catch(() => {})
      load.read().catch(() => {})
    }, askEveryMs)
    await sleep(awayMs(random))
    clearInterval(asking)
    cluster.storageOutages.push({ fromMs, toMs: Date.now() })
    cluster.s3.mode = 'fine'
  }

const short = (mode: Mode) => outage(mode, (random) => 1000 + random() * 2000)
const long = (mode: Mode) => outage(mode, () => longMs)

const longOnes: Record<string, Fault> = {
  'S3 is away for 60 s': long('broken'),
  'S3 does not respond for 60 s': long('silent'),
}

export const longStorageFaults = Object.keys(longOnes)

export const storageFaults: Record<string, Fault> = {
  'S3 answers 503': short('failing'),
  'S3 is slow': short('slow'),
  'S3 breaks connections': short('broken'),
  ...longOnes,
}
