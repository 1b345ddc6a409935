// The parent's side of one render child: starts it at low priority, hands it orders, and watches its time and memory.
// A child that breaks a limit is killed; whoever asked gets an EngineError. Which child works on what is the pool's.

import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Rendered } from '../../video/rendered.ts'
import { EngineError } from '../engine.ts'
import type { FromChild, ToChild, WorkOrder } from './render-order.ts'

export interface ChildLimits {
  /** Resident memory of a child; native memory obeys no V8 flag. */
  rssBytesMax: number
  renderMsMax: number
  /** How long a child may take to answer an abort before it is killed. */
  abortMsMax: number
  startMsMax: number
  /** How far it stands back behind our own process, 0 to 19; 10 when left out. */
  niceness?: number
}

export interface RenderRequest {
  order: WorkOrder
  threads: number
  depth: boolean
  signal: AbortSignal
  progress(percent: number): void
}

export interface RenderChild {
  readonly pid: number
  readonly alive: boolean
  /** One at a time. */
  render(request: RenderRequest): Promise<Rendered>
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>
}

const watchEveryMs = 200
const nicenessOfRenders = 10
const nicenessMax = 19
const stderrCharsMax = 2_000
/** Nothing else of the parent's environment reaches the process that decodes clients' files. */
const passedVariables = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'LANG']

export async function startChild(limits: ChildLimits): Promise<RenderChild> {
  const process_ = fork(fileURLToPath(new URL('child-main.ts', import.meta.url)), [], {
    env: childEnvironment(),
    // The child collects its garbage itself before it draws: pixel buffers weigh nothing to V8, but much to the limit.
    execArgv: ['--max-old-space-size=768', '--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const exited = new Promise<string>((resolve) => {
    process_.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `code ${code}`))
    process_.once('error', (error) => resolve(error.message))
  })
  let ending: string | null = null
  void exited.then((how) => {
    ending = how
  })
  const lastWords = collectStderr(process_)
  await ready(process_, exited, limits.startMsMax, lastWords)
  lowerPriority(process_.pid!, limits.niceness ?? nicenessOfRenders)
  let orders = 0
  let rendersDone = 0

  async function render(request: RenderRequest): Promise<Rendered> {
    const id = ++orders
    const { signal } = request
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Rendered>()
    let reportedRss = 0
    let deathReason: EngineError | null = null
    let settled = false
    const kill = (reason: EngineError) => {
      deathReason ??= reason
      process_.kill('SIGKILL')
    }

    const onMessage = (message: FromChild) => {
      if (message.verb === 'ready' || message.id !== id) return
      if (message.verb === 'progress') {
        reportedRss = message.rssBytes
        request.progress(message.percent)
      } else if (message.verb === 'done') resolve(message.result)
      else reject(new EngineError(message.message, { retryable: message.retryable }))
    }
    const onExit = () => {
      void exited.then((how) => reject(deathReason ?? endError(how, lastWords())))
    }
    const watch = setInterval(async () => {
      const rss = (await residentBytes(process_.pid!)) ?? reportedRss
      // The answer may come when the child already works for somebody else.
      if (settled) return
      // A child that has rendered before may only have grown; a fresh one may fit.
      if (rss > limits.rssBytesMax) kill(memoryError(rss, limits.rssBytesMax, rendersDone > 0))
    }, watchEveryMs)
    const limit = setTimeout(() => {
      kill(new EngineError(`the render took longer than ${limits.renderMsMax} ms`, { retryable: true }))
    }, limits.renderMsMax)
    let patience: NodeJS.Timeout | undefined
    const onAbort = () => {
      tell(process_, { verb: 'abort', id })
      patience = setTimeout(() => process_.kill('SIGKILL'), limits.abortMsMax)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    process_.on('message', onMessage)
    process_.once('exit', onExit)
    if (ending !== null) onExit()
    tell(process_, { verb: 'render', id, order: request.order, threads: request.threads, depth: request.depth })
    try {
      return await promise
    } catch (error) {
      // Only now has the work stopped, so that the caller may remove its folder.
      signal.throwIfAborted()
      throw error
    } finally {
      settled = true
      rendersDone++
      clearInterval(watch)
      clearTimeout(limit)
      clearTimeout(patience)
      signal.removeEventListener('abort', onAbort)
      process_.off('message', onMessage)
      process_.off('exit', onExit)
    }
  }

  return {
    pid: process_.pid!,
    get alive() {
      return ending === null
    },
    render,
    async stop() {
      process_.kill('SIGKILL')
      await exited
    },
  }
}

function endError(how: string, lastWords: string): EngineError {
  return new EngineError(`the render process ended with ${how}${lastWords && `: ${lastWords}`}`, { retryable: true })
}

function memoryError(rss: number, max: number, retryable: boolean): EngineError {
  const megabytes = (bytes: number) => Math.round(bytes / 1e6)
  return new EngineError(`the render needs more than ${megabytes(max)} MB (it reached ${megabytes(rss)} MB)`, {
    retryable,
  })
}

async function ready(
  process_: ChildProcess,
  exited: Promise<string>,
  startMsMax: number,
  lastWords: () => string,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  process_.once('message', () => resolve())
  void exited.then((how) => {
    reject(new EngineError(`the render process did not start (${how}): ${lastWords()}`, { retryable: true }))
  })
  const limit = setTimeout(() => {
    process_.kill('SIGKILL')
    reject(new EngineError('the render process did not start in time', { retryable: true }))
  }, startMsMax)
  await promise.finally(() => clearTimeout(limit))
}

/** The end of what the child wrote to stderr, for the log. */
function collectStderr(process_: ChildProcess): () => string {
  let text = ''
  process_.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-stderrCharsMax)
  })
  return () => text.trim()
}

function tell(process_: ChildProcess, message: ToChild): void {
  // A closed channel shows as the child's exit, which settles the request.
  if (process_.connected) process_.send(message, () => {})
}

/** What a process that renders is started with. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const passed = passedVariables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))
  return {
    ...Object.fromEntries(passed),
    // Fewer malloc arenas: image buffers come and go on many threads, and each arena would keep its peak.
    MALLOC_ARENA_MAX: '2',
    // Large pages for large blocks: handing out the network's memory page by page took a quarter of its time.
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  }
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, Math.min(nicenessMax, getPriority() + niceness))
  } catch {
    // Not allowed everywhere, and not needed for a right result.
  }
}

/** The process's resident memory, or null where the system does not tell. */
async function residentBytes(pid: number): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
    return kilobytes ? Number(kilobytes) * 1024 : null
  } catch {
    return null
  }
}
