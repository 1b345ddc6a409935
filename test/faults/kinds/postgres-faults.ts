// What can happen to PostgreSQL under a running cluster. Afterwards every process must use it again within seconds,
// without a restart.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilTrue } from '../../support/until.ts'
import { within } from '../../support/within.ts'
import type { FaultCluster } from '../cluster-processes.ts'
import { figureOf } from '../figures.ts'
import type { Fault, Stage } from './stage.ts'

export const longPostgresFault = 'PostgreSQL is out of reach for 30 s'
const awayMs = 30_000

/** Takes PostgreSQL away for a while; the outage is noted, because nothing can be asked of anybody in it. */
const outage =
  (takeAway: (stage: Stage) => Promise<void>, bringBack: (cluster: FaultCluster) => Promise<void>): Fault =>
  async (stage) => {
    const { cluster } = stage
    await Promise.all(cluster.processes.map(({ up }) => up))
    const before = cluster.processes.map(({ label }) => label)
    const fromMs = Date.now()
    await takeAway(stage)
    await bringBack(cluster)
    cluster.outages.push({ fromMs, toMs: Date.now() })
    const backAtMs = performance.now()
    await usedByAll(stage, Date.now())
    cluster.figures.took('use PostgreSQL again', performance.now() - backAtMs)
    assert.deepEqual(
      cluster.processes.map(({ label }) => label),
      before,
      'a process was started anew',
    )
    for (const { name, process: own } of cluster.processes) assert.equal(own.child.exitCode, null, `${name} ended`)
  }

/** Every server takes a task, every worker a job. */
async function usedByAll({ cluster, load }: Stage, sinceMs: number): Promise<void> {
  await Promise.all(
    cluster.processes.map(({ role, url, label }) =>
      role === 'server'
        ? within(figureOf['use PostgreSQL again'].deadlineMs, `${label} to take a task`, load.send({ url }))
        : untilTrue(
            `${label} takes a job`,
            async () => {
              const sql = `select 1 from audit_jobs where who = $1 and at >= $2 and event = 'claimed' limit 1`
              const found = await cluster.look(sql, [label, sinceMs])
              if (found.length === 0) await sleep(100)
              return found.length > 0
            },
            figureOf['use PostgreSQL again'].deadlineMs,
          ),
    ),
  )
}

const end = (how: Parameters<FaultCluster['postgres']['end']>[0], awayMsMax: number): Fault =>
  outage(
    async ({ cluster, random }) => {
      cluster.proxy.refuse()
      await cluster.postgres.end(how)
      await sleep(random() * awayMsMax)
    },
    async (cluster) => {
      await cluster.postgres.restart()
      await cluster.proxy.accept()
    },
  )

const outOfReach = outage(
  async ({ cluster }) => {
    cluster.proxy.stall()
    await sleep(awayMs)
  },
  async (cluster) => cluster.proxy.resume(),
)

const cutConnections: Fault = outage(
  async ({ cluster }) => {
    await cluster.look(`select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and application_name ~ '^(server|worker)-'`)
  },
  async () => {},
)

export const postgresFaults: Record<string, Fault> = {
  'PostgreSQL crashes and is started again': end('crash', 3000),
  'PostgreSQL is killed and started again': end('kill', 3000),
  'PostgreSQL is shut down and started again': end('shut down', 3000),
  [longPostgresFault]: outOfReach,
  'PostgreSQL cuts every connection': cutConnections,
}
