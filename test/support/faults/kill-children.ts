// Kills child processes of a service as soon as they are seen, as a machine does that has no memory left.
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Kills every child below `pid` whose command line contains `module`, until `stop`, or until `times` were killed. */
export function killChildren(pid: number, module: string, times = Number.POSITIVE_INFINITY) {
  const killed = new Set<number>()
  let isStopped = false
  const running = (async () => {
    while (!isStopped && killed.size < times) {
      for (const child of await childrenOf(pid)) {
        const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
        if (!command.includes(module) || killed.has(child)) continue
        killed.add(child)
        try {
          process.kill(child, 'SIGKILL')
        } catch {
          // It has ended.
        }
      }
      await sleep(2)
    }
  })()
  return {
    get killed() {
      return killed.size
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return list.split(' ').filter(Boolean).map(Number)
}
