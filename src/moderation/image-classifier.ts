// Keeps one child process that scores images: started when first needed, reused, replaced when it dies or hangs. An
// image over which a child died gets one more try. What the scores mean is decided in moderation.ts.

import { type ChildProcess, fork } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { ChildAnswer, ChildRequest } from './nsfw-child.ts'
import type { ImageScores } from './nsfw-model.ts'

export interface ImageClassifier {
  classify(path: string): Promise<ImageScores>
  /** Of the child that is running now, if one is; for measurements. */
  childPid(): number | null
  close(): Promise<void>
}

export interface ImageClassifierOptions {
  /** From handing an image over to its scores; the first includes the start of the child and loading the model. */
  imageMs?: number
  /** Images waiting for the child; past it a call is refused at once. */
  waitingMax?: number
  childUrl?: URL
}

export class ImageClassifierError extends Error {
  readonly code: 'closed' | 'busy' | 'crashed' | 'timed_out' | 'unreadable' | 'model_failed'
  constructor(code: ImageClassifierError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ImageClassifierError'
    this.code = code
  }
}

/** Characters of a dead child's error output that are kept for the log. */
const lastWordsMax = 2000

interface Job {
  path: string
  /** Whether a child died over it already: it may have been killed for other reasons, so there is a second try. */
  retried: boolean
  resolve(scores: ImageScores): void
  reject(error: ImageClassifierError): void
}

export function createImageClassifier(options: ImageClassifierOptions = {}): ImageClassifier {
  const imageMs = options.imageMs ?? 30_000
  const waitingMax = options.waitingMax ?? 1000
  const childUrl = options.childUrl ?? new URL('./nsfw-child.ts', import.meta.url)

  const waiting: Job[] = []
  let current: { id: number; job: Job; timer: NodeJS.Timeout } | null = null
  let child: ChildProcess | null = null
  let lastId = 0
  let closed = false

  function startChild(): ChildProcess {
    const started = fork(fileURLToPath(childUrl), {
      // Neither the service's secrets nor its debugger flags are the child's business.
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let lastWords = ''
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-lastWordsMax)
    })
    started.on('message', (answer: ChildAnswer) => {
      if (child === started) receive(answer, started)
    })
    started.on('error', (error) => dropChild(started, 'crashed', 'The image check could not be reached', error))
    started.on('close', (code, signal) =>
      dropChild(started, 'crashed', `The image check ended (${signal ?? `code ${code}`})`, lastWords),
    )
    return started
  }

  function dropChild(dropped: ChildProcess, code: ImageClassifierError['code'], message: string, cause?: unknown) {
    if (child !== dropped) return
    child = null
    dropped.kill('SIGKILL')
    endCurrent((job) => {
      if (code === 'crashed' && !job.retried && !closed) waiting.unshift({ ...job, retried: true })
      else job.reject(new ImageClassifierError(code, message, cause))
    })
  }

  function endCurrent(settle: (job: Job) => void) {
    const ended = current
    current = null
    if (ended) {
      clearTimeout(ended.timer)
      settle(ended.job)
    }
    sendNext()
  }

  function receive(answer: ChildAnswer, from: ChildProcess) {
    if (current?.id !== answer.id) return
    // A child whose model did not load will not do better later: the next image gets a fresh one.
    if ('error' in answer && answer.code === 'model_failed') return dropChild(from, answer.code, answer.error)
    endCurrent((job) => {
      if ('scores' in answer) job.resolve(answer.scores)
      else job.reject(new ImageClassifierError(answer.code, answer.error))
    })
  }

  /** An idle child does not keep the service's process alive; it ends by itself when the channel closes. */
  function holdProcess(hold: boolean) {
    const verb = hold ? 'ref' : 'unref'
    child?.[verb]()
    child?.channel?.[verb]()
    if (child?.stderr instanceof Socket) child.stderr[verb]()
  }

  function sendNext() {
    if (current || closed) return
    const job = waiting.shift()
    if (!job) return holdProcess(false)
    const target = (child ??= startChild())
    holdProcess(true)
    const timer = setTimeout(() => {
      dropChild(target, 'timed_out', `The image check gave no answer within ${imageMs} ms`)
    }, imageMs)
    current = { id: ++lastId, job, timer }
    // A send into a dying channel fails here and again as 'close', which settles the image.
    target.send({ id: current.id, path: job.path } satisfies ChildRequest, () => undefined)
  }

  return {
    async classify(path) {
      if (closed) throw new ImageClassifierError('closed', 'The image check is closed')
      if (waiting.length >= waitingMax) throw new ImageClassifierError('busy', `${waitingMax} images are waiting`)
      const { promise, resolve, reject } = Promise.withResolvers<ImageScores>()
      waiting.push({ path, retried: false, resolve, reject })
      sendNext()
      return await promise
    },

    childPid: () => child?.pid ?? null,

    async close() {
      closed = true
      const error = new ImageClassifierError('closed', 'The image check was closed')
      const ending = child
      child = null
      endCurrent((job) => job.reject(error))
      for (const job of waiting.splice(0)) job.reject(error)
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
      const ended = new Promise((resolve) => ending.once('exit', resolve))
      ending.ref()
      ending.kill('SIGKILL')
      await ended
    },
  }
}
