// Keeps the probing child processes: made when first needed, reused, replaced when they crash or overrun.
// It passes questions and answers; what they mean is for `inspect-av.ts`.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ProbeAnswer, ProbeQuestion } from './probed.ts'

export interface ProbeChildren {
  /** Answers in order of asking; a crashed or overrun child answers with a failure. */
  ask(question: ProbeQuestion): Promise<ProbeAnswer>
  close(): Promise<void>
}

export interface ProbeChildrenOptions {
  childrenMax: number
  /** Time for one file, from the moment that a child has it. */
  probeMs: number
  childFile?: string | undefined
}

interface Waiting {
  question: ProbeQuestion
  resolve(answer: ProbeAnswer): void
  reject(error: Error): void
}

const CHILD_FILE = fileURLToPath(new URL('./inspect-av-child.ts', import.meta.url))

export function createProbeChildren({
  childrenMax,
  probeMs,
  childFile = CHILD_FILE,
}: ProbeChildrenOptions): ProbeChildren {
  const idle: ChildProcess[] = []
  const alive = new Set<ChildProcess>()
  const waiting: Waiting[] = []
  let closed = false

  function ask(question: ProbeQuestion): Promise<ProbeAnswer> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(new Error('the probing children are closed'))
      waiting.push({ question, resolve, reject })
      serve()
    })
  }

  function serve(): void {
    while (waiting.length > 0) {
      const child = idle.pop() ?? (alive.size < childrenMax ? start() : undefined)
      if (child === undefined) return
      hand(child, waiting.shift()!)
    }
  }

  function start(): ChildProcess {
    // No setting or secret of the service is passed on.
    const child = fork(childFile, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    alive.add(child)
    child.once('exit', () => {
      alive.delete(child)
      const place = idle.indexOf(child)
      if (place >= 0) idle.splice(place, 1)
      serve()
    })
    // Without a listener an error would end the service; the `exit` or the overrun settles what was asked.
    child.on('error', () => {})
    return child
  }

  function hand(child: ChildProcess, { question, resolve, reject }: Waiting): void {
    const overrun = setTimeout(() => {
      settle({ failure: `no answer within ${probeMs} ms` })
      child.kill('SIGKILL')
    }, probeMs)
    const onExit = (code: number | null, signal: string | null) => settle({ failure: `ended by ${signal ?? code}` })
    const onMessage = (answer: ProbeAnswer) => {
      settle(answer)
      idle.push(child)
      serve()
    }
    const onError = (error: Error) => {
      settle(error)
      child.kill('SIGKILL')
      // A process that never started has no exit.
      if (child.pid === undefined) alive.delete(child)
    }
    function settle(outcome: ProbeAnswer | Error): void {
      clearTimeout(overrun)
      child.off('exit', onExit).off('message', onMessage).off('error', onError)
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    child.once('exit', onExit).once('message', onMessage).once('error', onError)
    child.send(question)
  }

  async function close(): Promise<void> {
    closed = true
    for (const { reject } of waiting.splice(0)) reject(new Error('the probing children are closed'))
    const exits = [...alive].map((child) => new Promise((resolve) => child.once('exit', resolve)))
    for (const child of alive) child.kill('SIGKILL')
    await Promise.all(exits)
  }

  return { ask, close }
}
