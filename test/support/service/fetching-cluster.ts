// A server and workers as processes that fetch real input files from hosts of the test. Hosts can go away and come back,
// and a worker can lose its way to them.
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { createTestDatabase, freePort } from '../places/postgres.ts'
import { type Api, createApi } from './api.ts'
import { type ServiceProcess, startProcess, startWorker } from './process.ts'

export interface FetchingCluster {
  api: Api
  hosts: PictureHost[]
  workers: FetchingWorker[]
  /** A further account with credits. */
  createAccount(name: string): Promise<Api>
  stop(): Promise<void>
}

export interface PictureHost {
  /** The address of a picture; different paths are different files. */
  picture(path: string): string
  origin: string
  leave(): Promise<void>
  comeBack(): Promise<void>
}

export interface FetchingWorker {
  name: string
  /** Where `/readyz` and `/metrics` are. */
  healthUrl: string
  process: Omit<ServiceProcess, 'api'>
  /** Refuses its connections to the hosts until it is connected again. */
  cutOff(): Promise<void>
  connect(): Promise<void>
}

const noEgress = new URL('../faults/no-egress.ts', import.meta.url).href
/** Part of the path of every picture: only such input files are fetched. */
const picturePath = '/pictures-of-the-test/'

export async function startFetchingCluster(options: {
  workers: number
  hosts: number
  env?: Record<string, string>
}): Promise<FetchingCluster> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'dailies-fetching-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const database = opened.adopt(await createTestDatabase(), (each) => each.stop())
  const port = String(await freePort())
  const env = {
    DAILIES_DATA: folder,
    DAILIES_DATABASE_URL: database.url,
    DAILIES_PUBLIC_URL: `http://127.0.0.1:${port}`,
    DAILIES_ALLOW_PRIVATE_NETWORK: 'true',
    DAILIES_MODERATION: 'off',
    DAILIES_RENDER_SLOTS: '16',
    DAILIES_FETCH_PATIENCE: '2m',
    TEST_GATHER_FROM: picturePath,
    TEST_ENGINE: 'scripted',
    TEST_ENGINE_WORKS: 'in process',
    ...options.env,
  }
  const hosts: PictureHost[] = []
  for (let i = 0; i < options.hosts; i++) hosts.push(opened.adopt(await startPictureHost(), (host) => host.leave()))
  const stopProcess = async ({ kill }: Pick<ServiceProcess, 'kill'>) => void (await kill('SIGKILL'))
  const server = opened.adopt(await startProcess({ ...env, DAILIES_PORT: port }, ['serve']), stopProcess)
  const workers: FetchingWorker[] = []
  for (let i = 0; i < options.workers; i++) {
    const file = join(folder, `no-egress-${i}`)
    const own = { ...env, NODE_OPTIONS: `--import ${noEgress}`, TEST_NO_EGRESS_FILE: file }
    const process = opened.adopt(await startWorker(own, ['--port', '0']), stopProcess)
    workers.push({
      name: `worker ${i + 1}`,
      healthUrl: /health on (\S+)/.exec(process.output())![1]!,
      process,
      cutOff: () => writeFile(file, hosts.map(({ origin }) => new URL(origin).host).join('\n')),
      connect: () => rm(file, { force: true }),
    })
  }
  const all = opened.move()
  return {
    api: server.api,
    hosts,
    workers,
    async createAccount(name) {
      const { body } = await server.api.post('/api/v1/operator/accounts', { name, credits: 1_000_000 })
      return createApi(server.url, body.data.key)
    },
    stop: () => all.disposeAsync(),
  }
}

async function startPictureHost(): Promise<PictureHost> {
  const picture = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#478' } })
    .jpeg()
    .toBuffer()
  const server = createServer((_, response) => response.end(picture))
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    picture: (path) => `${origin}${picturePath}${path}`,
    async leave() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    comeBack: async () => void (await listen(port)),
  }
}
