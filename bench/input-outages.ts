// What outages on the way to input files cost: a server and three workers, and tasks that each name a picture, while one
// worker cannot reach the hosts, and while the hosts are away for a while. Each is measured without an outage, with the
// first failure being final (DAILIES_FETCH_PATIENCE=0s), and with the usual patience.
//   node bench/input-outages.ts [--tasks 300] [--away 30] [--accounts 1,4]
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Api } from '../test/support/service/api.ts'
import { type FetchingCluster, startFetchingCluster } from '../test/support/service/fetching-cluster.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '300' },
    away: { type: 'string', default: '30' },
    accounts: { type: 'string', default: '1,4' },
  },
})
const taskCount = Number(values.tasks)
const awayMs = Number(values.away) * 1000
const endsWithinMs = 300_000

/** Begins an outage, and returns how it ends. It may end by itself. */
type Outage = (cluster: FetchingCluster) => Promise<() => Promise<void>>

const outages: Record<string, Outage> = {
  none: async () => async () => {},
  'one of three workers without egress': async ({ workers: [first] }) => {
    await first!.cutOff()
    return () => first!.connect()
  },
  [`hosts away for ${awayMs / 1000} s`]: async ({ hosts }) => {
    await Promise.all(hosts.map((host) => host.leave()))
    const back = sleep(awayMs).then(() => Promise.all(hosts.map((host) => host.comeBack())))
    return async () => void (await back)
  },
}

interface Result {
  failed: number
  seconds: number
}

async function measure(cluster: FetchingCluster, apis: Api[], outage: Outage): Promise<Result> {
  const end = await outage(cluster)
  const startedMs = performance.now()
  const created = await Promise.all(
    Array.from({ length: taskCount }, async (_, i) => {
      const api = apis[i % apis.length]!
      const host = cluster.hosts[i % cluster.hosts.length]!
      return { api, id: await api.createTask('a boat', { image_url: host.picture(`${i}.jpg`) }) }
    }),
  )
  const left = new Set(created)
  let failed = 0
  // By reading records: an account has fewer streams than this bench has tasks.
  while (left.size > 0) {
    if (performance.now() - startedMs > endsWithinMs) throw new Error(`${left.size} tasks have not ended`)
    for (const task of [...left]) {
      const { state } = await task.api.record(task.id)
      if (state !== 'success' && state !== 'fail') break
      left.delete(task)
      if (state === 'fail') failed++
    }
    await sleep(50)
  }
  const seconds = (performance.now() - startedMs) / 1000
  await end()
  return { failed, seconds }
}

console.log('| accounts | outage | patience | tasks | failed | all ended after | extra |')
console.log('|---|---|---|---|---|---|---|')
for (const accountCount of values.accounts.split(',').map(Number)) {
  for (const patience of ['0s', '2m']) {
    const cluster = await startFetchingCluster({ workers: 3, hosts: 2, env: { DAILIES_FETCH_PATIENCE: patience } })
    try {
      const apis = await Promise.all(
        Array.from({ length: accountCount }, (_, i) => cluster.createAccount(`account-${i + 1}`)),
      )
      await measure(cluster, apis, outages.none!)
      let usualSeconds = 0
      for (const [name, outage] of Object.entries(outages)) {
        const { failed, seconds } = await measure(cluster, apis, outage)
        if (name === 'none') usualSeconds = seconds
        const cells = [accountCount, name, patience, taskCount, failed, `${seconds.toFixed(1)} s`]
        console.log(`| ${cells.join(' | ')} | ${(seconds - usualSeconds).toFixed(1)} s |`)
      }
    } finally {
      await cluster.stop()
    }
  }
}
