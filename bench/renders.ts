// The service while it renders: how long a task takes from its creation to its end beside the render alone, how long
// records take to read beside a service at rest, what memory the service has after each ten renders, and the most that a
// render process had at each size. Linux only: it reads /proc.
//
//   node bench/renders.ts [--renders=50] [--4k]

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createRenderPool } from '../src/engines/studio/render-pool.ts'
import { variantB } from '../test/support/service/api.ts'
import { type ServiceProcess, startProcess } from '../test/support/service/process.ts'
import { plainPlan } from './plain-plan.ts'
import { median, percentile } from './support.ts'

const { values: flags } = parseArgs({
  options: { renders: { type: 'string', default: '50' }, '4k': { type: 'boolean', default: false } },
})
const renders = Number(flags.renders)
const sizes = [{ resolution: '1080p', times: 2 }, ...(flags['4k'] ? [{ resolution: '4k', times: 1 }] : [])] as const
const readEveryMs = 10
const idleReads = 1000
const wholeWays = 15
/** A picture with a subject, so that layers are part of what is measured. */
const picture = new URL('../docs/samples/lake-noon.jpg', import.meta.url)

/** Kilobytes that a process has, or has had at most. */
async function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}

/** The most that any child of the service has had since it was started, in kilobytes. */
async function largestChild(service: ServiceProcess): Promise<number> {
  const sizes = await Promise.all((await childrenOf(service.child.pid!)).map((pid) => memoryOf(pid, 'VmHWM')))
  return Math.max(0, ...sizes)
}

/** Reads the record every few milliseconds until it is stopped; returns how long each read took. */
async function readRecords(service: ServiceProcess, taskId: string, goesOn: (reads: number) => boolean) {
  const tookMs: number[] = []
  while (goesOn(tookMs.length)) {
    const began = performance.now()
    await service.api.record(taskId)
    tookMs.push(performance.now() - began)
    await sleep(readEveryMs)
  }
  return tookMs
}

/** Tasks one by one, with all checks, and the same video straight from a warm render process, in turns. */
async function compareWays(service: ServiceProcess, image_url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-renders-'))
  const limits = { rssBytesMax: 1.5e9, renderMsMax: 60_000, abortMsMax: 700, startMsMax: 30_000 }
  const studio = createRenderPool({ slots: 1, rendersPerChildMax: 1000, ...limits })
  const path = fileURLToPath(picture)
  const plan = plainPlan({ prompt: 'push in', seconds: 5, workDir: folder, path, shortSide: 720 })
  const alone: number[] = []
  const whole: number[] = []
  // The first of each warms up and does not count.
  for (let i = 0; i <= wholeWays; i++) {
    const began = performance.now()
    await studio.run({ plan, threads: 2, depth: true }, { signal: new AbortController().signal, progress() {} })
    alone.push(performance.now() - began)
    const taskId = await service.api.createTask('push in', { image_url })
    await service.api.until(taskId, ['success'], 120_000)
    const { createTime, completeTime } = await service.api.record(taskId)
    whole.push(Number(completeTime) - Number(createTime))
  }
  await studio.close()
  await rm(folder, { recursive: true })
  const [render, task] = [median(alone.slice(1)), median(whole.slice(1))]
  const more = median(whole.slice(1).map((ms, i) => ms / alone[i + 1]! - 1))
  console.log(
    `a task of 5 s in 720p: ${(task / 1000).toFixed(2)} s from creation to success, the render alone ` +
      `${(render / 1000).toFixed(2)} s: ${(100 * more).toFixed(1)} % more (medians of ${wholeWays} pairs)`,
  )
}

async function withStudio<T>(
  work: (service: ServiceProcess, imageUrl: string) => Promise<T>,
  settings: Record<string, string> = { DAILIES_MODERATION: 'off' },
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-renders-'))
  const service = await startProcess({
    DAILIES_DATA: folder,
    TEST_ENGINE: 'studio',
    DAILIES_CREDITS: '1000000',
    ...settings,
  })
  try {
    const base64Data = (await readFile(picture)).toString('base64')
    const upload = await service.api.post('/api/v1/files/upload', { base64Data, fileName: 'picture.jpg' })
    return await work(service, upload.body.data.downloadUrl)
  } finally {
    await service.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}

async function renderMany(service: ServiceProcess, image_url: string): Promise<void> {
  const first = await service.api.createTask('push in', { image_url })
  await service.api.until(first, ['success'], 120_000)
  const idle = await readRecords(service, first, (reads) => reads < idleReads)
  let done = 0
  const residentKb: number[] = [await memoryOf(service.child.pid!, 'VmRSS')]
  const reading = readRecords(service, first, () => done < renders)
  const lane = async (moves: string[]) => {
    for (const move of moves) {
      const taskId = await service.api.createTask(move, { image_url })
      await service.api.until(taskId, ['success'], 300_000)
      if (++done % 10 === 0) residentKb.push(await memoryOf(service.child.pid!, 'VmRSS'))
    }
  }
  const moves = Array.from({ length: renders }, (_, i) => ['push in', 'pan left', 'orbit', 'tilt up'][i % 4]!)
  const beganAt = performance.now()
  // One more at a time than there are cores, so that none is ever idle.
  await Promise.all([0, 1, 2].map((i) => lane(moves.filter((_, at) => at % 3 === i))))
  const seconds = (performance.now() - beganAt) / 1000
  const busy = await reading
  const row = (name: string, values: number[]) =>
    `${name.padEnd(28)} median ${median(values).toFixed(2)} ms   p99 ${percentile(values, 0.99).toFixed(2)} ms   (${values.length} reads)`
  console.log(`${renders} renders of 5 s in 720p, one after the other on every core: ${seconds.toFixed(0)} s`)
  console.log(row('records at rest', idle))
  console.log(row('records during renders', busy))
  console.log(`p99 during renders: ${(percentile(busy, 0.99) / percentile(idle, 0.99)).toFixed(2)} x at rest`)
  console.log(
    `the service's memory, every ten renders: ${residentKb.map((kb) => `${(kb / 1000).toFixed(0)} MB`).join(', ')}`,
  )
  console.log(`the largest render process at 720p: ${((await largestChild(service)) / 1000).toFixed(0)} MB`)
}

await withStudio(compareWays, { DAILIES_RENDER_SLOTS: '1' })
if (renders > 0) await withStudio(renderMany)
for (const { resolution, times } of sizes) {
  await withStudio(async (service, imageUrl) => {
    for (let i = 0; i < times; i++) {
      const input = { prompt: 'push in', image_url: [imageUrl], duration: '5', resolution }
      const created = await service.api.post('/api/v1/jobs/createTask', { model: variantB, input })
      if (created.status !== 200) throw new Error(created.text)
      await service.api.until(created.body.data.taskId, ['success'], 600_000)
    }
    console.log(`the largest render process at ${resolution}: ${((await largestChild(service)) / 1000).toFixed(0)} MB`)
  })
}
