// Load for the fault suite: tasks through any server, each with an idempotency key and asked for again until some
// server has answered, so that every one of them must exist exactly once in the end.
import { setTimeout as sleep } from 'node:timers/promises'
import { taskBody } from '../support/api.ts'
import { testKey } from '../support/service.ts'

export interface Load {
  /** Task ids by the name in their callback's URL. */
  accepted: Map<string, string>
  /** Requests that were sent; each is accepted in the end. */
  sent(): number
  /** Sends no more, and waits until all that was sent is accepted. */
  finish(): Promise<void>
}

export interface LoadOptions {
  urls: string[]
  callbackOrigin: string
  random: () => number
  everyMs: number
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
const tryAgainMs = 200
const answerWithinMs = 20_000
const finishWithinMs = 60_000

export function startLoad({ urls, callbackOrigin, random, everyMs }: LoadOptions): Load {
  const accepted = new Map<string, string>()
  const running = new Set<Promise<void>>()
  const pick = <T>(items: T[]) => items[Math.floor(random() * items.length)]!
  let count = 0
  let giveUpAtMs = Number.POSITIVE_INFINITY

  async function send(name: string, script: string, isCanceled: boolean): Promise<void> {
    const body = { ...taskBody(`a boat ${script}`), callBackUrl: `${callbackOrigin}/ok?${name}` }
    for (;;) {
      const taskId = await create(pick(urls), name, body)
      if (taskId !== null) {
        accepted.set(name, taskId)
        if (isCanceled) await post(pick(urls), '/api/v1/jobs/cancelTask', { taskId }).catch(() => null)
        return
      }
      if (performance.now() > giveUpAtMs) throw new Error(`${name} was not accepted in the end`)
      await sleep(tryAgainMs)
    }
  }

  const timer = setInterval(() => {
    const sending = send(`t${++count}`, pick(scripts), random() < cancelShare)
    running.add(sending)
    sending.then(
      () => running.delete(sending),
      () => {},
    )
  }, everyMs)

  return {
    accepted,
    sent: () => count,
    async finish() {
      clearInterval(timer)
      giveUpAtMs = performance.now() + finishWithinMs
      await Promise.all(running)
    },
  }
}

/** The task's id; null when nobody answered, or answered that something went wrong. */
async function create(url: string, name: string, body: object): Promise<string | null> {
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
