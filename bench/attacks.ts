// What another account notices of each attack: its small requests and /livez while it is quiet and while it is attacked,
// measured from this process, and the service's memory before and after.   node bench/attacks.ts [--seconds=30]
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  largeBodyAttacks,
  makeAttacks,
  manyStreams,
  measure,
  type Times,
  unreadLists,
} from '../test/support/attacks/attacks.ts'
import { createApi } from '../test/support/service/api.ts'
import { cliJson, startProcess } from '../test/support/service/process.ts'
import { testKey } from '../test/support/service/service.ts'
import { median } from './support.ts'

const { values: flags } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } })
const attackMs = Number(flags.seconds) * 1000

const folder = await mkdtemp(join(tmpdir(), 'bench-attacks-'))
// Without the budget of time: otherwise most of an attack is refused, and nothing is measured.
const env = { DAILIES_DATA: folder, TEST_ENGINE: 'studio', DAILIES_CREDITS: '100000000', DAILIES_FREE_WORK: 'off' }
const service = await startProcess(env)
const { key } = await cliJson(['accounts', 'create', 'victim', '--credits', '1000000'], env)
const victim = createApi(service.url, key)

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1000
}

/** Medians of the first row, which the others are compared with. */
let quietMs: { embedding: number; upload: number } | undefined

function row(name: string, { livezMs, embeddingMs, uploadMs }: Times, megabytes: number): void {
  const cells = [Math.max(...livezMs), median(embeddingMs), Math.max(...embeddingMs), median(uploadMs)]
  const figures = [...cells.map((ms) => `${ms.toFixed(0)} ms`), `${megabytes.toFixed(0)} MB`]
  quietMs ??= { embedding: median(embeddingMs), upload: median(uploadMs) }
  const ratios = [median(embeddingMs) / quietMs.embedding, median(uploadMs) / quietMs.upload]
  const shown = [...figures, ...ratios.map((ratio) => `${ratio.toFixed(2)}×`)]
  console.log(name.padEnd(36), shown.map((figure) => figure.padStart(12)).join(''))
}

try {
  await measure(service.url, victim, 2)
  console.log(
    ''.padEnd(36),
    ['livez max', 'embedding', 'max', 'upload', 'memory', 'embedding', 'upload']
      .map((head) => head.padStart(12))
      .join(''),
  )
  row('quiet', await measure(service.url, victim, 10), await residentMegabytes())
  const subKey = (await service.api.post('/api/v1/keys', { name: 'attacker' })).body.data.key
  const attacks = [
    ...(await makeAttacks()),
    ...largeBodyAttacks(),
    unreadLists({ url: service.url, key: testKey, readers: 12 }),
    manyStreams({ url: service.url, key: subKey, streams: 500 }),
  ]
  for (const { name, run } of attacks) {
    const stop = new AbortController()
    const attack = run(service.api, stop.signal)
    const times: Times = { livezMs: [], embeddingMs: [], uploadMs: [] }
    const endsAt = performance.now() + attackMs
    while (performance.now() < endsAt) {
      const more = await measure(service.url, victim, 1)
      for (const key of ['livezMs', 'embeddingMs', 'uploadMs'] as const) times[key].push(...more[key])
    }
    stop.abort()
    await attack
    row(name, times, await residentMegabytes())
  }
} finally {
  await service.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
}
