// Load for the fault suite: tasks through any server, each with an idempotency key and asked for again until some
// server has answered, so that every one of them must exist exactly once in the end, and end as it was asked to. Most
// are scripted; some have input files to fetch, and a few are rendered.
import { setTimeout as sleep } from 'node:timers/promises'
import { taskBody, variantB } from '../support/service/api.ts'
import { testKey } from '../support/service/service.ts'
import { type AcceptedTask, type AskedEnd, endsAfterCancel } from './asked-ends.ts'

/** One request to a server. */
export interface Call {
  what: 'create' | 'read'
  sentAtMs: number
  tookMs: number
  /** What was wrong with the response, or that there was none. */
  refusal: string | null
}

export interface Load {
  /** By the name in the callback's URL. */
  accepted: Map<string, AcceptedTask>
  calls: Call[]
  /** Requests that were sent; each is accepted in the end. */
  sent(): number
  /** Creates one more task and returns its id. `url`: of the server to ask, instead of any. */
  send(options?: { seconds?: number; url?: string }): Promise<string>
  /** Reads the record of one of the tasks. */
  read(): Promise<void>
  /** Sends no more, and waits until all that was sent is accepted. */
  finish(): Promise<void>
}

interface LoadOptions {
  urls: string[]
  callbackOrigin: string
  /** Of a server of pictures (test/faults/pictures.ts). */
  pictureOrigin: string
  random: () => number
  everyMs: number
  /** How many of the tasks have been called back: with too many open ones, none are added. */
  calledBack(): number
}

interface Wanted {
  body: object
  end: AskedEnd
}

const failed = (message: RegExp): AskedEnd => ({ reason: 'engine_failed', message })
const scripts: [script: string, end: AskedEnd][] = [
  ['', 'success'],
  ['', 'success'],
  ['script: wait 200ms', 'success'],
  ['script: progress 20, wait 300ms, progress 60, wait 300ms', 'success'],
  ['script: wait 2s', 'success'],
  ['script: fail it was asked to', failed(/^it was asked to$/)],
  ['script: crash it was asked to', failed(/could not be generated in 3 attempts/)],
]
const cancelShare = 0.08
/** Of the tasks. A render costs a second of one core: one every few seconds. */
const shares = { rendered: 0.03, missing: 0.03, unusable: 0.02 }
/** Of the scripted tasks: those with a picture to fetch. */
const fetchedShare = 0.3
const tryAgainMs = 200
const answerWithinMs = 20_000
const finishWithinMs = 60_000
const openMax = 40

export function startLoad({ urls, callbackOrigin, pictureOrigin, random, everyMs, calledBack }: LoadOptions): Load {
  const accepted = new Map<string, AcceptedTask>()
  const calls: Call[] = []
  const running = new Set<Promise<unknown>>()
  const pick = <T>(items: T[]) => items[Math.floor(random() * items.length)]!
  let count = 0
  let giveUpAtMs = Number.POSITIVE_INFINITY

  const rendered = (picture: string, seconds: number, end: AskedEnd = 'success'): Wanted => ({
    body: {
      model: variantB,
      input: { prompt: 'push in', image_urls: [pictureOrigin + picture], duration: seconds },
    },
    end,
  })

  function someTask(): Wanted {
    const place = random()
    if (place < shares.rendered) return rendered(pick(['/picture', '/slow']), 3)
    if (place < shares.rendered + shares.missing) {
      return rendered('/missing', 3, { reason: 'image_fetch_failed', message: /^image_urls\[0\]: .* 404/ })
    }
    if (place < shares.rendered + shares.missing + shares.unusable) {
      return rendered('/text', 3, { reason: 'image_format', message: /^image_urls\[0\]: / })
    }
    const [script, end] = pick(scripts)
    const fetched = random() < fetchedShare ? { image_url: pictureOrigin + pick(['/picture', '/slow']) } : {}
    return { body: taskBody(`a boat ${script}`, fetched), end }
  }

  async function create({ body, end }: Wanted, url?: string): Promise<AcceptedTask> {
    const name = `t${++count}`
    for (;;) {
      const whole = { ...body, callBackUrl: `${callbackOrigin}/ok?${name}` }
      const sending = post(url ?? pick(urls), '/api/v1/jobs/createTask', whole, { 'idempotency-key': name })
      const answer = await noted('create', sending)
      if (answer !== null && ![200, 500, 455].includes(answer.code)) {
        throw new Error(`createTask answered ${JSON.stringify(answer)}`)
      }
      if (answer?.code === 200) {
        const task = { taskId: answer.data!.taskId, ends: [end] }
        accepted.set(name, task)
        return task
      }
      if (performance.now() > giveUpAtMs) throw new Error(`${name} was not accepted in the end`)
      await sleep(tryAgainMs)
    }
  }

  async function noted(what: Call['what'], sending: Promise<Answer>): Promise<Answer | null> {
    const [sentAtMs, startedAtMs] = [Date.now(), performance.now()]
    const answer = await sending.catch((error: unknown) => String(error))
    const refusal = typeof answer === 'string' ? answer : answer.code === 200 ? null : JSON.stringify(answer)
    calls.push({ what, sentAtMs, tookMs: Math.round(performance.now() - startedAtMs), refusal })
    return typeof answer === 'string' ? null : answer
  }

  async function createAndMaybeCancel(): Promise<void> {
    const isCanceled = random() < cancelShare
    const task = await create(someTask())
    if (!isCanceled) return
    const answer = await post(pick(urls), '/api/v1/jobs/cancelTask', { taskId: task.taskId }).catch(() => null)
    task.ends = endsAfterCancel(task.ends, answer?.code ?? null)
  }

  /** Kept when it failed, for `finish` to report. */
  function run<T>(sending: Promise<T>): Promise<T> {
    running.add(sending)
    sending.then(
      () => running.delete(sending),
      () => {},
    )
    return sending
  }

  const timer = setInterval(() => {
    if (count - calledBack() < openMax) run(createAndMaybeCancel())
  }, everyMs)

  return {
    accepted,
    calls,
    sent: () => count,
    async send({ seconds, url } = {}) {
      const wanted: Wanted =
        seconds === undefined ? { body: taskBody('a boat'), end: 'success' } : rendered('/picture', seconds)
      return (await run(create(wanted, url))).taskId
    },
    async read() {
      const { taskId } = pick([...accepted.values()])
      await noted('read', ask(pick(urls), `/api/v1/jobs/recordInfo?taskId=${taskId}`, { method: 'GET' }))
    },
    async finish() {
      clearInterval(timer)
      giveUpAtMs = performance.now() + finishWithinMs
      await Promise.all(running)
    },
  }
}

interface Answer {
  code: number
  data: { taskId: string } | null
}

function post(url: string, path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const json = { 'content-type': 'application/json', ...headers }
  return ask(url, path, { method: 'POST', headers: json, body: JSON.stringify(body) })
}

async function ask(url: string, path: string, { headers = {}, ...request }: RequestInit): Promise<Answer> {
  const response = await fetch(url + path, {
    ...request,
    headers: { authorization: `Bearer ${testKey}`, ...headers },
    signal: AbortSignal.timeout(answerWithinMs),
  })
  return (await response.json()) as Answer
}
