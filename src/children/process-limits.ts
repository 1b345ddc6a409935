// Operating-system limits of a child process: a clean environment, a cap on its memory, a lower priority. Correct results
// do not depend on them, so limits that a system does not offer are skipped.
import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { getPriority, setPriority } from 'node:os'
import { dirname } from 'node:path'

/** Nothing else of the service's environment reaches a process that opens clients' files. */
const passedVariables = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'LANG']

export function childEnvironment(): NodeJS.ProcessEnv {
  const passed = passedVariables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))
  // Its name ends with a folder for this process's version and flags; a child adds its own.
  const compileCache = getCompileCacheDir()
  return {
    ...Object.fromEntries(passed),
    ...(compileCache ? { NODE_COMPILE_CACHE: dirname(compileCache) } : {}),
    // Fewer malloc arenas: image buffers come and go on many threads, and each arena would keep its peak.
    MALLOC_ARENA_MAX: '2',
    // Large pages for large blocks: handing out a network's memory page by page took a quarter of its time.
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  }
}

/** Writable memory that Node.js maps and mostly does not touch: thread stacks and spaces of V8. */
const untouchedBytes = 1_000_000_000

/**
 * How to start Node.js so that allocations fail well above `rssBytesMax`: the resident memory is checked only a few
 * times per second, and a single allocation can be larger than what the machine has. The limit is on writable memory
 * (RLIMIT_DATA), because V8 reserves far more address space than it uses.
 */
export function launcher(rssBytesMax: number): { execPath: string; execArgv: string[] } {
  const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path))
  if (prlimit === undefined) return { execPath: process.execPath, execArgv: [] }
  return { execPath: prlimit, execArgv: [`--data=${rssBytesMax + untouchedBytes}`, process.execPath] }
}

const nicenessMax = 19

/** `niceness`: how much lower the priority is than the service's, 0 to 19. */
export function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, Math.min(nicenessMax, getPriority() + niceness))
    // When the machine runs out of memory, the kernel ends a child before the service.
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // Not every system allows it.
  }
}

/** The process's resident memory, or null where the system does not say. */
export async function residentBytes(pid: number): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
    return kilobytes ? Number(kilobytes) * 1024 : null
  } catch {
    return null
  }
}
