// What a second service in a row costs: a task through `upstream` to an idle service whose engine takes no time, beside
// the same task given to that service directly, alternating in one run; and the processor time that the front service
// spends on a task, beside what a render of the same length takes. Prints a table. Linux only: it reads /proc.
//
//   node bench/engines.ts [--tasks=40] [--no-render]

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { uploadImage } from '../test/support/service/chain.ts'
import { configured, engineFile } from '../test/support/service/engine-file.ts'
import { type ServiceProcess, startProcess } from '../test/support/service/process.ts'
import { testKey } from '../test/support/service/service.ts'

const { values: flags } = parseArgs({
  options: { tasks: { type: 'string', default: '40' }, 'no-render': { type: 'boolean', default: false } },
})
const tasks = Number(flags.tasks)
const warmUp = 5
const ticksPerSecond = 100

/** Processor seconds of a process and of the children it has. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.split(' ')
  if (!stat) return 0
  const own = (Number(stat[11]) + Number(stat[12]) + Number(stat[13]) + Number(stat[14])) / ticksPerSecond
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  let children = 0
  for (const thread of threads) {
    const pids = await readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')
    for (const child of pids.split(' ').filter(Boolean)) children += await cpuSeconds(Number(child))
  }
  return own + children
}

async function runTask(service: ServiceProcess, prompt: string, image_url: string): Promise<number> {
  const began = performance.now()
  const taskId = await service.api.createTask(prompt, { image_url })
  const record = await service.api.until(taskId, ['success', 'fail'], 300_000)
  if (record.state !== 'success') throw new Error(JSON.stringify(record))
  return performance.now() - began
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const share = (values: number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

const dirs = await Promise.all(['back', 'front', 'studio'].map((name) => mkdtemp(join(tmpdir(), `bench-${name}-`))))
const [backDir, frontDir, studioDir] = dirs as [string, string, string]
const back = await startProcess({ DAILIES_DATA: backDir, DAILIES_MODERATION: 'off' })
const config = await configured(engineFile({ type: 'upstream', url: back.url, key: testKey, slots: 4 }))
const front = await startProcess({ ...config.env, DAILIES_DATA: frontDir })
try {
  const images = { front: await uploadImage(front, 1280, 720), back: await uploadImage(back, 1280, 720) }
  for (let i = 0; i < warmUp; i++) await runTask(front, 'a boat', images.front)
  const times = { direct: [] as number[], through: [] as number[] }
  const cpuBefore = await cpuSeconds(front.child.pid!)
  for (let i = 0; i < tasks; i++) {
    times.direct.push(await runTask(back, 'a boat', images.back))
    times.through.push(await runTask(front, 'a boat', images.front))
  }
  const frontCpu = ((await cpuSeconds(front.child.pid!)) - cpuBefore) / tasks
  const row = (name: string, list: number[]) =>
    console.log(
      `${name.padEnd(22)} best ${share(list, 0).toFixed(1)} ms   median ${median(list).toFixed(1)} ms   p95 ${share(list, 0.95).toFixed(1)} ms`,
    )
  console.log(`${tasks} tasks each, one at a time, alternating`)
  row('direct', times.direct)
  row('through a second one', times.through)
  const added = (of: (list: number[]) => number) => (of(times.through) - of(times.direct)).toFixed(1)
  console.log(`added                  best ${added((list) => share(list, 0))} ms   median ${added(median)} ms`)
  console.log(`processor time of the front service: ${(frontCpu * 1000).toFixed(0)} ms a task`)
  if (!flags['no-render']) {
    const studio = await startProcess({ DAILIES_DATA: studioDir, TEST_ENGINE: 'studio', DAILIES_MODERATION: 'off' })
    try {
      const image = await uploadImage(studio, 1280, 720)
      await runTask(studio, 'push in', image)
      const before = await cpuSeconds(studio.child.pid!)
      await runTask(studio, 'push in', image)
      const render = (await cpuSeconds(studio.child.pid!)) - before
      console.log(
        `a render of 5 s in 720p takes ${render.toFixed(1)} s of it: ${((100 * frontCpu) / render).toFixed(1)} % more`,
      )
    } finally {
      await studio.kill('SIGTERM')
    }
  }
} finally {
  await front.kill('SIGTERM')
  await back.kill('SIGTERM')
  await config.remove()
  await Promise.all(dirs.map((dir) => rm(dir, { recursive: true, force: true })))
}
