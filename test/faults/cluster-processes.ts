// A cluster of real processes for the fault suite: two servers and two workers on a PostgreSQL and an S3 of their own.
// Each process can be killed, stopped and started again, also with its clock off.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts'
import { freePort, startPostgres, type TestPostgres } from '../support/postgres.ts'
import { type ServiceProcess, startProcess, startWorker } from '../support/process.ts'
import { startS3 } from '../support/s3.ts'

export const leaseMs = 2000

export interface Member {
  name: string
  role: 'server' | 'worker'
  /** Of a server. */
  url: string
  process: Omit<ServiceProcess, 'api'>
  /** Starts a new process in place of one that has ended. */
  start(clockSkewMs?: number): Promise<void>
}

export interface FaultCluster {
  members: Member[]
  postgres: TestPostgres
  s3: FaultyProxy
  /** Settings for a look at the database from outside. */
  env: Record<string, string>
  stop(): Promise<void>
}

const skewedClock = new URL('../support/skewed-clock.ts', import.meta.url).href

export async function startFaultCluster(): Promise<FaultCluster> {
  const postgres = await startPostgres()
  const bucket = await startS3()
  const s3 = await startFaultyProxy(bucket.endpoint)
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-faults-'))
  const ports = [await freePort(), await freePort()]
  const env = {
    DAILIES_DATA: dataDir,
    DAILIES_DATABASE_URL: postgres.url,
    DAILIES_STORAGE_URL: bucket.storageUrl(s3.url),
    DAILIES_PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    DAILIES_LEASE: `${leaseMs}ms`,
    DAILIES_WEBHOOK_DELAYS: '200ms,500ms,1s,2s,2s,5s,5s',
    DAILIES_RENDER_SLOTS: '4',
    DAILIES_ALLOW_PRIVATE_NETWORK: 'true',
  }
  const member = (role: Member['role'], i: number): Member => {
    const own: Member = {
      name: `${role} ${i + 1}`,
      role,
      url: role === 'server' ? `http://127.0.0.1:${ports[i]}` : '',
      process: undefined as unknown as ServiceProcess,
      async start(clockSkewMs = 0) {
        const skew = { NODE_OPTIONS: `--import ${skewedClock}`, TEST_CLOCK_SKEW_MS: String(clockSkewMs) }
        const settings = { ...env, ...(clockSkewMs === 0 ? {} : skew) }
        own.process =
          role === 'worker'
            ? await startWorker(settings)
            : await startProcess({ ...settings, DAILIES_PORT: String(ports[i]) }, ['serve'])
      },
    }
    return own
  }
  const members = [member('server', 0), member('server', 1), member('worker', 0), member('worker', 1)]
  // The first brings the schema along; the others may race.
  await members[0]!.start()
  await Promise.all(members.slice(1).map((each) => each.start()))
  return {
    members,
    postgres,
    s3,
    env,
    async stop() {
      await Promise.all(members.map((each) => each.process.kill('SIGKILL')))
      await s3.stop()
      await bucket.stop()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
