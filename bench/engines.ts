// What an adapter costs: a task through each of them to an idle stand-in of its server, beside the same task on an engine
// that takes no time and the conversion of the delivered clip alone, alternating in one run. The conversion is taken off,
// since the service orders it and the adapter does not cause it. So is the time of a service behind, which is a real one:
// the upload and the task, ordered from it directly. Processor time is that of the service's own process,
// beside what a render of the same length takes. Prints a line per adapter. Linux only: it reads /proc.
//
//   node bench/engines.ts [--tasks=10] [--only=comfyui]

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createNormaliser, type Normaliser } from '../src/engines/remote/normaliser.ts'
import { remoteSubjects } from '../test/contracts/engine-subjects.ts'
import { videoOf } from '../test/support/engines/scripted.ts'
import { jpeg } from '../test/support/files/image-files.ts'
import { createApi } from '../test/support/service/api.ts'
import { uploadImage } from '../test/support/service/chain.ts'
import { configured, engineFile } from '../test/support/service/engine-file.ts'
import { type ServiceProcess, startProcess } from '../test/support/service/process.ts'
import { testKey } from '../test/support/service/service.ts'

const { values: flags } = parseArgs({
  options: { tasks: { type: 'string', default: '10' }, only: { type: 'string' } },
})
const tasks = Number(flags.tasks)
const warmUp = 2
const ticksPerSecond = 100
const seconds = 5

/** Processor seconds of a process itself, and of the children that it has. */
async function cpuSeconds(pid: number): Promise<{ own: number; children: number }> {
  const stat = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.split(' ')
  if (!stat) return { own: 0, children: 0 }
  const own = (Number(stat[11]) + Number(stat[12])) / ticksPerSecond
  let children = (Number(stat[13]) + Number(stat[14])) / ticksPerSecond
  for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
    const pids = await readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')
    for (const child of pids.split(' ').filter(Boolean)) {
      const used = await cpuSeconds(Number(child))
      children += used.own + used.children
    }
  }
  return { own, children }
}

async function runTask(service: Pick<ServiceProcess, 'api'>, image_url: string): Promise<number> {
  const began = performance.now()
  const taskId = await service.api.createTask('push in', { image_url })
  const record = await service.api.until(taskId, ['success', 'fail'], 300_000)
  if (record.state !== 'success') throw new Error(JSON.stringify(record))
  return performance.now() - began
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const folder = await mkdtemp(join(tmpdir(), 'bench-engines-'))
const open = (name: string, env: Record<string, string>) =>
  startProcess({ DAILIES_DATA: join(folder, name), DAILIES_MODERATION: 'off', ...env })

/** How long the conversion of what a stand-in delivers takes; `copy` for a service, whose videos are kept. */
async function conversionMs(normaliser: Normaliser, mode: 'encode' | 'copy'): Promise<number> {
  const workDir = await mkdtemp(join(folder, 'conversion-'))
  const path = join(workDir, 'delivered.mp4')
  await writeFile(path, await videoOf(seconds))
  const began = performance.now()
  await normaliser.run(
    'bench',
    {
      workDir,
      mode,
      prompt: 'push in',
      size: { shortSide: 720, ratio: 'auto' },
      audio: false,
      picture: { width: 1280, height: 720 },
      keepsEnd: false,
      soundPaths: [],
      clips: [{ paths: [path], fps: 24, seconds }],
    },
    { signal: AbortSignal.timeout(60_000), progress() {} },
  )
  return performance.now() - began
}

/** How long a service behind takes for an upload and a task, ordered from it directly; the other stand-ins take no time. */
async function behindMs(url: string): Promise<number> {
  const service = { api: createApi(url, testKey) }
  const base64Data = (await jpeg(1280, 720)).toString('base64')
  const began = performance.now()
  const { body } = await service.api.post('/api/v1/files/upload', { base64Data, fileName: 'first.jpg' })
  await runTask(service, body.data.downloadUrl)
  return performance.now() - began
}

async function renderSeconds(): Promise<number> {
  const studio = await open('studio', { TEST_ENGINE: 'studio' })
  try {
    const image = await uploadImage(studio, 1280, 720)
    const used = async () => {
      const { own, children } = await cpuSeconds(studio.child.pid!)
      return own + children
    }
    await runTask(studio, image)
    const before = await used()
    await runTask(studio, image)
    return (await used()) - before
  } finally {
    await studio.kill('SIGTERM')
  }
}

const direct = await open('direct', {})
const normaliser = createNormaliser({ slots: 1 })
try {
  const render = await renderSeconds()
  console.log(`a render of ${seconds} s in 720p takes ${render.toFixed(2)} s of processor time`)
  const directImage = await uploadImage(direct, 1280, 720)
  for (const subject of remoteSubjects.filter(({ name }) => flags.only === undefined || flags.only === name)) {
    const server = await subject.startGenerator()
    server.set('finish')
    const config = await configured(engineFile({ ...subject.settings, url: server.url }))
    const service = await open(subject.name, config.env)
    try {
      const isService = subject.name === 'upstream'
      const convert = () => conversionMs(normaliser, isService ? 'copy' : 'encode')
      const image = await uploadImage(service, 1280, 720)
      for (let i = 0; i < warmUp; i++) {
        await runTask(service, image)
        await convert()
        if (isService) await behindMs(server.url)
      }
      const times = {
        direct: [] as number[],
        through: [] as number[],
        conversion: [] as number[],
        behind: [] as number[],
        added: [] as number[],
      }
      const before = (await cpuSeconds(service.child.pid!)).own
      for (let i = 0; i < tasks; i++) {
        const [alone, through, conversion, behind] = [
          await runTask(direct, directImage),
          await runTask(service, image),
          await convert(),
          isService ? await behindMs(server.url) : 0,
        ]
        times.direct.push(alone)
        times.through.push(through)
        times.conversion.push(conversion)
        times.behind.push(behind)
        times.added.push(through - alone - conversion - behind)
      }
      const cpu = ((await cpuSeconds(service.child.pid!)).own - before) / tasks
      console.log(
        [
          subject.name.padEnd(14),
          `direct ${median(times.direct).toFixed(0)} ms`,
          `through ${median(times.through).toFixed(0)} ms`,
          `of it conversion ${median(times.conversion).toFixed(0)} ms`,
          ...(isService ? [`the service behind ${median(times.behind).toFixed(0)} ms`] : []),
          `added ${median(times.added).toFixed(0)} ms`,
          `processor time ${(cpu * 1000).toFixed(0)} ms, ${((100 * cpu) / render).toFixed(1)} % of a render`,
        ].join('   '),
      )
    } finally {
      await service.kill('SIGTERM')
      await server.close()
      await config.remove()
    }
  }
} finally {
  await normaliser.close()
  await direct.kill('SIGTERM')
  await rm(folder, { recursive: true, force: true })
}
