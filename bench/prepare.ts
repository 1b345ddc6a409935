// What it costs to fetch and check images, beside a bare download with a look at the header, in one run:
//   node bench/prepare.ts
// The server runs in a process of its own. Rounds alternate, and medians are compared, because machines are noisy.
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import sharp from 'sharp'
import { Agent, request } from 'undici'
import { mebibytes } from '../src/contract/limits.ts'
import { fetchInput } from '../src/media/fetch-input.ts'
import type { InputUse } from '../src/media/inspect-input.ts'
import { parsePrivateNetwork } from '../src/outbound/address-rules.ts'
import { createGuardedFetch } from '../src/outbound/guarded-fetch.ts'
import { openInspectors, tester } from '../test/support/files/inspectors.ts'
import { addedBytes } from '../test/support/memory-watch.ts'
import { startImageServer } from '../test/support/network/image-server.ts'

const IMAGES_A_ROUND = 100
const AT_ONCE = 16
const ROUNDS = 5
const HEAVY_AT_ONCE = 64

const folder = await mkdtemp(join(tmpdir(), 'bench-prepare-'))
const server = await startImageServer()
const agent = new Agent()
const fetch = createGuardedFetch({ policy: parsePrivateNetwork(undefined, true) })
const inspectors = openInspectors()
const use: InputUse = { kind: 'frame', bytesMax: mebibytes(10), ratio: { min: 0.4, max: 2.5 } }

async function bare(path: string, toPath: string): Promise<void> {
  const { body } = await request(server.origin + path, { dispatcher: agent })
  await pipeline(body, createWriteStream(toPath))
  await sharp(toPath).metadata()
  await rm(toPath)
}

/** The least that it takes to know that an image is whole. */
async function decoded(path: string, toPath: string): Promise<void> {
  const { body } = await request(server.origin + path, { dispatcher: agent })
  await pipeline(body, createWriteStream(toPath))
  await sharp(toPath, { failOn: 'error' }).raw().toBuffer()
  await rm(toPath)
}

/** The guarded fetch alone, to separate its cost from that of decoding every pixel. */
async function guarded(path: string, toPath: string): Promise<void> {
  await fetch.download(server.origin + path, { toPath, bytesMax: mebibytes(10) })
  await sharp(toPath).metadata()
  await rm(toPath)
}

async function checked(path: string, toPath: string): Promise<void> {
  await fetchInput({ fetch, ...inspectors }, server.origin + path, use, toPath, tester)
  await rm(toPath)
}

async function imagesPerSecond(way: typeof bare): Promise<number> {
  const startedAt = performance.now()
  let next = 0
  const worker = async () => {
    while (next < IMAGES_A_ROUND) await way('/photo', join(folder, String(next++)))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return IMAGES_A_ROUND / ((performance.now() - startedAt) / 1000)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

const heavyAtOnce = (way: typeof bare) =>
  Promise.all(Array.from({ length: HEAVY_AT_ONCE }, (_, i) => way('/heavy', join(folder, `heavy${i}`))))

try {
  const ways = { bare, guarded, decoded, checked }
  const names = Object.keys(ways) as (keyof typeof ways)[]
  const rates: Record<keyof typeof ways, number[]> = { bare: [], guarded: [], decoded: [], checked: [] }
  for (const name of names) await ways[name]('/heavy', join(folder, 'warm-up'))
  const checkedAdds = await addedBytes(() => heavyAtOnce(checked))
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) rates[name].push(await imagesPerSecond(ways[name]))
  }
  const rate = (name: keyof typeof ways) => Math.round(median(rates[name]))
  const ratio = (name: keyof typeof ways, to: keyof typeof ways) =>
    Number((median(rates[name]) / median(rates[to])).toFixed(2))
  const figures = {
    photoBytes: server.photoBytes,
    imagesPerSecond: {
      'bare download, header read': rate('bare'),
      'guarded download, header read': rate('guarded'),
      'bare download, image decoded': rate('decoded'),
      'guarded download, all checks': rate('checked'),
    },
    ratios: {
      'guarded door to bare download': ratio('guarded', 'bare'),
      'all checks to bare download with header': ratio('checked', 'bare'),
      'all checks to bare download with decode': ratio('checked', 'decoded'),
    },
    heavyBytes: server.heavyBytes,
    heavyAtOnce: HEAVY_AT_ONCE,
    heavyAddsMegabytes: Math.round(checkedAdds / mebibytes(1)),
  }
  console.log(JSON.stringify(figures, null, 2))
} finally {
  await Promise.all([fetch.close(), inspectors.close(), agent.close(), server.close()])
  await rm(folder, { recursive: true })
}
