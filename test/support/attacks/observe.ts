// What an uninvolved account notices: how long its small requests take, and /livez, which needs no account.
import { setTimeout as sleep } from 'node:timers/promises'
import { png } from '../files/image-files.ts'
import { type Answer, type Api, createApi } from '../service/api.ts'
import { embeddingsPath } from './large-bodies.ts'

export const smallRequests = ['livez', 'balance', 'upload', 'embedding'] as const
export type SmallRequest = (typeof smallRequests)[number]
export type Times = Record<SmallRequest, number[]>
export interface Observed {
  times: Times
  /** Responses other than a success. */
  refusals: string[]
}

const base64Data = (await png(60, 40)).toString('base64')

const calls: Record<SmallRequest, (victim: Api) => Promise<Answer>> = {
  livez: (victim) => victim.get('/livez'),
  balance: (victim) => victim.get('/api/v1/account/credit'),
  upload: (victim) => victim.post('/api/v1/files/upload', { base64Data }),
  embedding: (victim) => victim.post(embeddingsPath, { inputs: [`boat ${crypto.randomUUID()}`] }),
}

/** Milliseconds of each request, while `isOver` is false and in at least `rounds` rounds. */
export async function observe(
  target: { url: string; key: string },
  rounds: number,
  isOver = () => true,
): Promise<Observed> {
  const victim = createApi(target.url, target.key)
  const times: Times = { livez: [], balance: [], upload: [], embedding: [] }
  const measure = async (name: SmallRequest) => {
    const startedAt = performance.now()
    const { status, text } = await calls[name](victim)
    times[name].push(performance.now() - startedAt)
    if (status !== 200 || text.includes('"failed"')) refusals.push(text.slice(0, 200))
    await sleep(20)
  }
  const refusals: string[] = []
  let done = false
  const watching = (async () => {
    while (!done) await measure('livez')
  })()
  try {
    for (let round = 0; round < rounds || !isOver(); round++) {
      for (const name of ['balance', 'upload', 'embedding'] as const) await measure(name)
    }
  } finally {
    done = true
    await watching
  }
  return { times, refusals }
}
