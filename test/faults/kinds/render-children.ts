// Finds the render processes below a worker, and what each is rendering, by what the system says of them.
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RenderingChild {
  pid: number
  workerPid: number
  taskId: string
  attempt: number
}

/** A process and all below it. */
export async function processTree(pid: number): Promise<number[]> {
  const below = await childrenOf(pid)
  return [pid, ...(await Promise.all(below.map(processTree))).flat()]
}

export async function renderChildren(workerPid: number): Promise<{ pid: number; taskId: string | null }[]> {
  const children: { pid: number; taskId: string | null }[] = []
  for (const pid of await childrenOf(workerPid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('studio/render-main.ts'))
      children.push({ pid, taskId: (await renderedBy(pid))?.taskId ?? null })
  }
  return children
}

const findWithinMs = 150_000

/** A child of one of the workers that has been at its video for a while. `ofTask`: at the video of this task. */
export async function untilRendering(workerPids: number[], forMs: number, ofTask?: string): Promise<RenderingChild> {
  const deadline = performance.now() + findWithinMs
  while (performance.now() < deadline) {
    for (const workerPid of workerPids) {
      for (const pid of await childrenOf(workerPid)) {
        const before = await renderedBy(pid)
        if (before === null || (ofTask ?? before.taskId) !== before.taskId) continue
        await sleep(forMs)
        const after = await renderedBy(pid)
        if (after?.taskId === before.taskId) return { pid, workerPid, ...after }
      }
    }
    await sleep(10)
  }
  throw new Error(`no child rendered within ${findWithinMs} ms`)
}

async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return list
    .split(' ')
    .filter((each) => each !== '')
    .map(Number)
}

/** Whose video a process has open for writing: its folder is named after the task and the attempt. */
async function renderedBy(pid: number): Promise<{ taskId: string; attempt: number } | null> {
  for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
    const path = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')
    const found = /\/tmp\/[^/]+\/([0-9a-f-]{36})-(\d+)\/[^/]+$/.exec(path)
    if (found) return { taskId: found[1]!, attempt: Number(found[2]) }
  }
  return null
}
