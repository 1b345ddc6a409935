// A service in a process of its own that reports on its event loop and its memory.
import { type ServiceProcess, startProcess } from '../service/process.ts'
import { untilTrue } from '../until.ts'

interface LoopReport {
  /** Processor time of the longest turn of the event loop since the last report: another process's load is not in it. */
  longestTurnMs: number
  /** Resident memory after a collection of garbage, and what of it JavaScript uses: the allocator keeps some for later. */
  megabytes: number
  usedMegabytes: number
}

export interface WatchedProcess extends ServiceProcess {
  report(): Promise<LoopReport>
}

const watch = new URL('watch-loop.ts', import.meta.url).href

export async function startWatchedProcess(env: Record<string, string>): Promise<WatchedProcess> {
  const service = await startProcess({ ...env, NODE_OPTIONS: `--expose-gc --import=${watch}` })
  const reports = () =>
    service
      .output()
      .split('\n')
      .flatMap((line) => /^loop report (.*)$/.exec(line)?.[1] ?? [])
  return {
    ...service,
    async report() {
      const before = reports().length
      service.child.kill('SIGUSR2')
      await untilTrue('the process reports', () => reports().length > before)
      return JSON.parse(reports().at(-1)!)
    },
  }
}
