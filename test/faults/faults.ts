// What can go wrong, each as one function that makes it happen to a cluster and mends it again.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type FaultCluster, leaseMs, type Member } from './cluster-processes.ts'

export type Fault = (cluster: FaultCluster, random: () => number) => Promise<void>

const hourMs = 3_600_000
const skewsMs = [hourMs, -hourMs, 15 * 24 * hourMs, -15 * 24 * hourMs]
const stopWithinMs = 30_000

function some(cluster: FaultCluster, role: Member['role'], random: () => number): Member {
  const members = cluster.members.filter((member) => member.role === role)
  return members[Math.floor(random() * members.length)]!
}

const kill =
  (role: Member['role']): Fault =>
  async (cluster, random) => {
    const member = some(cluster, role, random)
    await member.process.kill('SIGKILL')
    await member.start()
  }

const terminate =
  (role: Member['role']): Fault =>
  async (cluster, random) => {
    const member = some(cluster, role, random)
    const toldAt = performance.now()
    const code = await member.process.kill('SIGTERM')
    assert.equal(code, 0, `${member.name} ended with ${code}: ${member.process.output()}`)
    assert.ok(performance.now() - toldAt < stopWithinMs, `${member.name} took too long to stop`)
    await member.start()
  }

const skew =
  (role: Member['role']): Fault =>
  async (cluster, random) => {
    const member = some(cluster, role, random)
    await member.process.kill('SIGTERM')
    await member.start(skewsMs[Math.floor(random() * skewsMs.length)]!)
  }

const storage =
  (mode: FaultCluster['s3']['mode']): Fault =>
  async (cluster, random) => {
    cluster.s3.mode = mode
    await sleep(1000 + random() * 2000)
    cluster.s3.mode = 'fine'
  }

export const faults: Record<string, Fault> = {
  'a worker is killed': kill('worker'),
  'a server is killed': kill('server'),
  'a worker hangs for twice its lease, then goes on': async (cluster, random) => {
    const { child } = some(cluster, 'worker', random).process
    child.kill('SIGSTOP')
    await sleep(2 * leaseMs)
    child.kill('SIGCONT')
  },
  'PostgreSQL crashes and is started again': async (cluster, random) => {
    await cluster.postgres.crash()
    await sleep(random() * 3000)
    await cluster.postgres.restart()
  },
  'PostgreSQL is away for 30 s': async (cluster) => {
    await cluster.postgres.crash()
    await sleep(30_000)
    await cluster.postgres.restart()
  },
  'PostgreSQL cuts every connection': async (cluster) => {
    const client = new pg.Client({ connectionString: cluster.postgres.url })
    await client.connect()
    await client
      .query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
      .finally(() => client.end())
  },
  'S3 answers 503': storage('failing'),
  'S3 is slow': storage('slow'),
  'S3 breaks connections': storage('broken'),
  "a worker's clock is off": skew('worker'),
  "a server's clock is off": skew('server'),
  'a worker is told to stop': terminate('worker'),
  'a server is told to stop': terminate('server'),
}
