// Load for the fault suite: tasks through any server, each with an idempotency key and asked for again until some
// server has answered, so that every one of them must exist exactly once in the end. Most are scripted; some have
// input files to fetch, and a few are rendered.
import { setTimeout as sleep } from 'node:timers/promises'
import { taskBody, variantB } from '../support/service/api.ts'
import { testKey } from '../support/service/service.ts'

export interface Load {
  /** Task ids by the name in their callback's URL. */
  accepted: Map<string, string>
  /** Requests that were sent; each is accepted in the end. */
  sent(): number
  /** Creates one more task and returns its id. `url`: of the server to ask, instead of any. */
  send(options?: { seconds?: number; url?: string }): Promise<string>
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

const scripts = [
  '',
  '',
  'script: wait 200ms',
  'script: progress 20, wait 300ms, progress 60, wait 300ms',
  'script: wait 2s',
  'script: fail it was asked to',
  'script: crash it was asked to',
]
const cancelShare = 0.08
/** Of the tasks. A render costs a second of one core: one every few seconds. */
const shares = { rendered: 0.03, missing: 0.05 }
/** Of the scripted tasks: those with a picture to fetch. */
const fetchedShare = 0.3
const tryAgainMs = 200
const answerWithinMs = 20_000
const finishWithinMs = 60_000
const openMax = 40

export function startLoad({ urls, callbackOrigin, pictureOrigin, random, everyMs, calledBack }: LoadOptions): Load {
  const accepted = new Map<string, string>()
  const running = new Set<Promise<unknown>>()
  const pick = <T>(items: T[]) => items[Math.floor(random() * items.length)]!
  let count = 0
  let giveUpAtMs = Number.POSITIVE_INFINITY

  const rendered = (picture: string, seconds: number) => ({
    model: variantB,
    input: { prompt: 'push in', image_urls: [pictureOrigin + picture], duration: seconds },
  })

  function someBody() {
    const place = random()
    if (place < shares.rendered) return rendered(pick(['/picture', '/slow']), 3)
    if (place < shares.rendered + shares.missing) return rendered('/missing', 3)
    const fetched = random() < fetchedShare ? { image_url: pictureOrigin + pick(['/picture', '/slow']) } : {}
    return taskBody(`a boat ${pick(scripts)}`, fetched)
  }

  async function create(body: object, url?: string): Promise<string> {
    const name = `t${++count}`
    for (;;) {
      const whole = { ...body, callBackUrl: `${callbackOrigin}/ok?${name}` }
      const taskId = await tryCreate(url ?? pick(urls), name, whole)
      if (taskId !== null) {
        accepted.set(name, taskId)
        return taskId
      }
      if (performance.now() > giveUpAtMs) throw new Error(`${name} was not accepted in the end`)
      await sleep(tryAgainMs)
    }
  }

  async function createAndMaybeCancel(): Promise<void> {
    const isCanceled = random() < cancelShare
    const taskId = await create(someBody())
    if (isCanceled) await post(pick(urls), '/api/v1/jobs/cancelTask', { taskId }).catch(() => null)
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
    sent: () => count,
    send: ({ seconds, url } = {}) =>
      run(create(seconds === undefined ? taskBody('a boat') : rendered('/picture', seconds), url)),
    async finish() {
      clearInterval(timer)
      giveUpAtMs = performance.now() + finishWithinMs
      await Promise.all(running)
    },
  }
}

/** The task's id; null when no server responded, or one responded that something went wrong. */
async function tryCreate(url: string, name: string, body: object): Promise<string | null> {
  const answer = await post(url, '/api/v1/jobs/createTask', body, { 'idempotency-key': name }).catch(() => null)
  if (answer === null || answer.code === 500 || answer.code === 455) return null
  if (answer.code !== 200) throw new Error(`createTask answered ${JSON.stringify(answer)}`)
  return answer.data!.taskId
}

async function post(
  url: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ code: number; data: { taskId: string } | null }> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerWithinMs),
  })
  return (await response.json()) as { code: number; data: { taskId: string } | null }
}
