// A cluster of real processes for the fault suite: two servers and three workers on a PostgreSQL and an S3 of their
// own. The way to each of the two can be disturbed, and each worker has a small disk.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createSmallDisk, type SmallDisk } from '../support/faults/small-disk.ts'
import { type FaultyProxy, startFaultyProxy } from '../support/network/faulty-proxy.ts'
import { type StallableProxy, startStallableProxy } from '../support/network/stallable-proxy.ts'
import { freePort, startPostgres, type TestPostgres } from '../support/places/postgres.ts'
import { startS3 } from '../support/places/s3.ts'
import { variantB } from '../support/service/api.ts'
import { installAudit } from './audit.ts'
import { createFigures, type Figures } from './figures.ts'
import type { RenderingChild } from './kinds/render-children.ts'
import { createSupervisedProcess, type Kill, type SupervisedProcess } from './supervised-process.ts'

interface Outage {
  fromMs: number
  toMs: number
}

export interface FaultCluster {
  processes: SupervisedProcess[]
  leaseMs: number
  postgres: TestPostgres
  /** Every process's way to PostgreSQL. */
  proxy: StallableProxy
  s3: FaultyProxy
  /** By the worker's name. */
  disks: Map<string, SmallDisk>
  /** What was done to it, for the judge. */
  kills: Kill[]
  /** Of PostgreSQL. */
  outages: Outage[]
  storageOutages: Outage[]
  killedRenders: RenderingChild[]
  /** How long things took, against the figures to hold. */
  figures: Figures
  /** Where the bytes of a stored file lie. */
  storedAt(storageKey: string): string
  /** A look at the database from outside. */
  look<Row>(sql: string, params?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

const diskMegabytes = 64

interface ClusterOptions {
  leaseMs: number
  /** Where the input files are. */
  pictureOrigin: string
}

export async function startFaultCluster({ leaseMs, pictureOrigin }: ClusterOptions): Promise<FaultCluster> {
  // Ended last first: at the end, or at once when the cluster cannot be started.
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'dailies-faults-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const postgres = opened.adopt(await startPostgres(), (each) => each.stop())
  const bucket = opened.adopt(await startS3(), (each) => each.stop())
  const s3 = opened.adopt(await startFaultyProxy(bucket.endpoint), (each) => each.stop())
  const proxy = opened.adopt(await startStallableProxy(postgres.port), (each) => each.stop())
  const ports = [await freePort(), await freePort()]
  const engineFile = join(folder, 'engines.json')
  await writeFile(engineFile, JSON.stringify({ models: { [variantB]: { engines: ['studio'] } } }))
  const proxyUrl = new URL(postgres.url)
  proxyUrl.port = String(proxy.port)
  const env = (label: string) => ({
    DAILIES_DATABASE_URL: `${proxyUrl.href}?application_name=${label}`,
    DAILIES_STORAGE_URL: bucket.storageUrl(s3.url),
    DAILIES_PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    DAILIES_CONFIG: engineFile,
    TEST_LEASE: `${leaseMs}ms`,
    DAILIES_WEBHOOK_DELAYS: '200ms,500ms,1s,2s,2s,5s,5s',
    DAILIES_RENDER_SLOTS: '1',
    DAILIES_MODERATION: 'off',
    DAILIES_CREDITS: '100000000',
    DAILIES_ALLOW_PRIVATE_NETWORK: 'true',
    DAILIES_FETCH_PATIENCE: '2m',
    TEST_GATHER_FROM: pictureOrigin,
  })
  const kills: Kill[] = []
  const figures = createFigures()
  const common = { env, kills, onStopped: (tookMs: number) => figures.took('stop', tookMs) }
  const disks = new Map<string, SmallDisk>()
  for (const name of ['worker 1', 'worker 2', 'worker 3']) {
    disks.set(
      name,
      opened.adopt(await createSmallDisk(diskMegabytes), (each) => each.remove()),
    )
  }
  const processes = [
    ...ports.map((port, i) =>
      createSupervisedProcess({ ...common, name: `server ${i + 1}`, role: 'server', port, dataDir: folder }),
    ),
    ...[...disks].map(([name, { dir }]) => createSupervisedProcess({ ...common, name, role: 'worker', dataDir: dir })),
  ]
  opened.defer(async () => {
    await Promise.allSettled(processes.map((each) => each.up))
    await Promise.all(processes.map((each) => each.process?.kill('SIGKILL')))
  })
  const look = async <Row>(sql: string, params: unknown[] = []) => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    try {
      return (await client.query(sql, params)).rows as Row[]
    } finally {
      await client.end()
    }
  }
  // The first brings the schema along; the others may race.
  await processes[0]!.start()
  await installAudit(look)
  await Promise.all(processes.slice(1).map((each) => each.start()))
  const all = opened.move()
  return {
    processes,
    leaseMs,
    postgres,
    proxy,
    s3,
    disks,
    kills,
    outages: [],
    storageOutages: [],
    killedRenders: [],
    figures,
    look,
    storedAt: (key) => join(bucket.folder, `${key}._S3rver_object`),
    stop: () => all.disposeAsync(),
  }
}
