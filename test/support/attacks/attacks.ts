// Small requests that once stopped the service for everybody, and what another account notices of them.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { indexBombMp4, scanBombJpeg } from '../files/bombs.ts'
import { png } from '../files/image-files.ts'
import { type Api, createApi, taskBody } from '../service/api.ts'
import { largeBodies } from './large-bodies.ts'

export interface Attack {
  name: string
  /** Goes on until the signal aborts. */
  run(attacker: Api, signal: AbortSignal): Promise<unknown>
}

/** U+FDFA becomes 18 characters when it is normalised. */
const phrase = '\ufdfa'
export const embeddingsPath = '/v1/inference/google/universal-sentence-encoder'

export async function makeAttacks(): Promise<Attack[]> {
  const scans = (await scanBombJpeg(300)).toString('base64')
  const index = indexBombMp4(80_000_000).toString('base64')
  const upload = (base64Data: string) => (api: Api) => api.post('/api/v1/files/upload', { base64Data })
  return [
    {
      name: 'texts that grow when normalised',
      run: repeat(2, (api) => api.post(embeddingsPath, { inputs: new Array(6).fill(phrase.repeat(8192)) })),
    },
    {
      name: 'prompts that grow when normalised',
      run: repeat(2, (api) => api.post('/api/v1/jobs/createTask', taskBody(phrase.repeat(2400)))),
    },
    { name: 'JPEG with 300 scans', run: repeat(5, upload(scans)) },
    { name: 'MP4 with 80 million samples', run: repeat(12, upload(index)) },
  ]
}

export function largeBodyAttacks(): Attack[] {
  return Object.entries(largeBodies).map(([name, { path, options }]) => ({
    name,
    run: repeat(2, (api) => api.post(path, undefined, options)),
  }))
}

/** Fills the list with tasks as large as they may be, and asks for it again and again without reading the answers. */
export function unreadLists({ url, key, readers }: { url: string; key: string; readers: number }): Attack {
  const { hostname, port } = new URL(url)
  const request = `GET /api/v1/jobs/list?limit=100 HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n\r\n`
  return {
    name: `${readers} readers that do not read`,
    async run(attacker, signal) {
      const junk = 'x'.repeat(200_000)
      for (let i = 0; i < 100 && !signal.aborted; i++) {
        await attacker.post('/api/v1/jobs/createTask', { ...taskBody(), junk })
      }
      const lane = async () => {
        while (!signal.aborted) {
          const socket = connect(Number(port), hostname).on('error', () => {})
          socket.pause()
          socket.write(request.repeat(10))
          await sleep(1000)
          socket.destroy()
        }
      }
      await Promise.all(Array.from({ length: readers }, lane))
    },
  }
}

/** Event streams of one sub-key, as many as it may have and more. */
export function manyStreams({ url, key, streams }: { url: string; key: string; streams: number }): Attack {
  return {
    name: `${streams} event streams of a sub-key`,
    async run(attacker, signal) {
      const taskId = await createApi(url, key).createTask()
      const headers = { authorization: `Bearer ${key}` }
      const open = () => fetch(`${url}/api/v1/jobs/events?taskId=${taskId}`, { headers, signal }).catch(() => null)
      const opened = await Promise.all(Array.from({ length: streams }, open))
      await repeat(2, (api) => api.get('/api/v1/jobs/list'))(attacker, signal)
      for (const response of opened) await response?.body?.cancel().catch(() => {})
    },
  }
}

/** Keeps `atOnce` requests going. A refused request is not repeated at once. */
function repeat(atOnce: number, call: (api: Api) => Promise<unknown>): Attack['run'] {
  return (api, signal) => {
    const lane = async () => {
      while (!signal.aborted) {
        await call(api).catch(() => {})
        await sleep(20)
      }
    }
    return Promise.all(Array.from({ length: atOnce }, lane))
  }
}

/** What an uninvolved account does meanwhile. */
export const smallRequests = {
  async embedding(victim: Api) {
    const { status, text } = await victim.post(embeddingsPath, { inputs: [`boat ${crypto.randomUUID()}`] })
    if (status !== 200 || !text.includes('succeeded')) throw new Error(`an embedding failed: ${text.slice(0, 200)}`)
  },
  async upload(victim: Api) {
    const base64Data = (await png(60, 40)).toString('base64')
    const { status, text } = await victim.post('/api/v1/files/upload', { base64Data })
    if (status !== 200) throw new Error(`an upload failed: ${text}`)
  },
}

export interface Times {
  livezMs: number[]
  embeddingMs: number[]
  uploadMs: number[]
}

export async function measure(url: string, victim: Api, rounds: number): Promise<Times> {
  const times: Times = { livezMs: [], embeddingMs: [], uploadMs: [] }
  const open = createApi(url, null)
  let done = false
  const watching = (async () => {
    while (!done) {
      times.livezMs.push(await timed(() => open.get('/livez')))
      await sleep(20)
    }
  })()
  try {
    for (let round = 0; round < rounds; round++) {
      times.embeddingMs.push(await timed(() => smallRequests.embedding(victim)))
      times.uploadMs.push(await timed(() => smallRequests.upload(victim)))
    }
  } finally {
    done = true
    await watching
  }
  return times
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
