// The service's side of one child process: starts it, hands it jobs, and watches its time and memory. A child that
// exceeds a limit is killed. The pool decides which child gets which job.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { withErrorListener } from '../platform/errors.ts'
import { ChildError } from './child-error.ts'
import { childEnvironment, launcher, lowerPriority, residentBytes } from './process-limits.ts'
import type { FromChild, ToChild } from './protocol.ts'

export interface ChildOptions {
  /** What the child does, for messages: "render", "image check". */
  name: string
  /** The module that it runs, which calls `serveJobs`. */
  module: URL
  /** Resident memory; native memory obeys no flag of V8. */
  rssBytesMax: number
  /** V8's own heap, in megabytes. */
  heapMegabytesMax: number
  /** Wall-clock time for one job, from the moment that the child has it. */
  jobMsMax: number
  /** How long a child may take to obey an abort before it is killed (default 2 s). */
  abortMsMax?: number
  /** Default 30 s. */
  startMsMax?: number
  /** How much lower its priority is than the service's, 0 to 19 (default 5). */
  niceness?: number
}

interface JobContext {
  signal: AbortSignal
  progress?: (percent: number) => void
}

export interface Child<Job, Result> {
  readonly pid: number
  readonly alive: boolean
  readonly jobsDone: number
  /** One at a time. */
  run(job: Job, context: JobContext): Promise<Result>
  /** Ends the process and waits for its end. */
  stop(): Promise<void>
}

const watchEveryMs = 200
const stderrCharactersMax = 2_000

export async function startChild<Job, Result>(options: ChildOptions): Promise<Child<Job, Result>> {
  const { name, abortMsMax = 2_000, startMsMax = 30_000, niceness = 5 } = options
  const { execPath, execArgv } = launcher(options.rssBytesMax)
  const process_ = fork(fileURLToPath(options.module), [], {
    env: childEnvironment(),
    execPath,
    // Children may collect garbage themselves: pixel buffers weigh little to V8, but much to the limit.
    execArgv: [...execArgv, `--max-old-space-size=${options.heapMegabytesMax}`, '--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const exited = new Promise<string>((resolve) => {
    process_.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `code ${code}`))
    // The first one counts, but a child may report several: that it did not start, and that it could not be killed.
    withErrorListener(process_, (error) => resolve(error.message))
  })
  let ending: string | null = null
  void exited.then((how) => {
    ending = how
  })
  const errorOutput = collectErrorOutput(process_)
  await ready(process_, exited, { name, startMsMax }, errorOutput)
  const pid = process_.pid!
  lowerPriority(pid, niceness)
  let lastId = 0
  let jobsDone = 0

  async function run(job: Job, { signal, progress }: JobContext): Promise<Result> {
    signal.throwIfAborted()
    const id = ++lastId
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    let reportedRss = 0
    let killedFor: ChildError | null = null
    let settled = false
    const kill = (reason: ChildError) => {
      killedFor ??= reason
      process_.kill('SIGKILL')
    }
    const onMessage = (message: FromChild<Result>) => {
      if (message.verb === 'ready' || message.id !== id) return
      if (message.verb === 'progress') {
        reportedRss = message.rssBytes
        progress?.(message.percent)
      } else if (message.verb === 'done') resolve(message.result)
      else reject(new ChildError('failed', message.message))
    }
    const onExit = () => {
      void exited.then((how) => reject(killedFor ?? crashed(name, how, errorOutput())))
    }
    const watch = setInterval(async () => {
      const rss = (await residentBytes(pid)) ?? reportedRss
      // The figure may arrive when the child already works on its next job.
      if (settled || rss <= options.rssBytesMax) return
      // A child that did other jobs before may only have grown; a fresh one may fit.
      kill(outOfMemory(name, rss, options.rssBytesMax, jobsDone > 0))
    }, watchEveryMs)
    const timeLimit = setTimeout(() => {
      kill(new ChildError('timed_out', `the ${name} took longer than ${options.jobMsMax} ms`))
    }, options.jobMsMax)
    let abortLimit: NodeJS.Timeout | undefined
    const onAbort = () => {
      send(process_, { verb: 'abort', id })
      abortLimit = setTimeout(() => process_.kill('SIGKILL'), abortMsMax)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    process_.on('message', onMessage)
    process_.once('exit', onExit)
    if (ending !== null) onExit()
    send(process_, { verb: 'run', id, job })
    try {
      return await promise
    } catch (error) {
      // Only now has the work stopped, so that the caller may remove its files.
      signal.throwIfAborted()
      throw error
    } finally {
      settled = true
      jobsDone++
      clearInterval(watch)
      clearTimeout(timeLimit)
      clearTimeout(abortLimit)
      signal.removeEventListener('abort', onAbort)
      process_.off('message', onMessage)
      process_.off('exit', onExit)
    }
  }

  return {
    pid,
    get alive() {
      return ending === null
    },
    get jobsDone() {
      return jobsDone
    },
    run,
    async stop() {
      process_.kill('SIGKILL')
      await exited
    },
  }
}

function crashed(name: string, how: string, errorOutput: string): ChildError {
  return new ChildError('crashed', `the ${name} process ended with ${how}${errorOutput && `: ${errorOutput}`}`)
}

function outOfMemory(name: string, rss: number, max: number, retryable: boolean): ChildError {
  const megabytes = (bytes: number) => Math.round(bytes / 1e6)
  const message = `the ${name} needs more than ${megabytes(max)} MB (it reached ${megabytes(rss)} MB)`
  return new ChildError('out_of_memory', message, { retryable })
}

async function ready(
  process_: ChildProcess,
  exited: Promise<string>,
  { name, startMsMax }: { name: string; startMsMax: number },
  errorOutput: () => string,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  process_.once('message', () => resolve())
  void exited.then((how) => {
    reject(new ChildError('start_failed', `the ${name} process did not start (${how}): ${errorOutput()}`))
  })
  const limit = setTimeout(() => {
    process_.kill('SIGKILL')
    reject(new ChildError('start_failed', `the ${name} process did not start within ${startMsMax} ms`))
  }, startMsMax)
  await promise.finally(() => clearTimeout(limit))
}

/** The end of what the child wrote to stderr, for the log. */
function collectErrorOutput(process_: ChildProcess): () => string {
  let text = ''
  const { stderr } = process_
  // A child that could not be started has none.
  if (stderr) {
    withErrorListener(stderr)
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        text = (text + chunk).slice(-stderrCharactersMax)
      })
  }
  return () => text.trim()
}

function send<Job>(process_: ChildProcess, message: ToChild<Job>): void {
  // A closed channel shows as the child's exit, which settles the job.
  if (process_.connected) process_.send(message, () => {})
}
