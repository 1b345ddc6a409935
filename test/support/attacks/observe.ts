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

/** Between two requests of a kind: the observer itself must not be what keeps the machine busy. */
const everyMs: Record<SmallRequest, number> = { livez: 25, balance: 25, upload: 200, embedding: 1000 }

/** Sends requests of every kind beside each other, while `isOver` is false and at least `rounds` of each. */
export async function observe(
  target: { url: string; key: string },
  rounds: number,
  isOver = () => true,
): Promise<Observed> {
  const victim = createApi(target.url, target.key)
  const times: Times = { livez: [], balance: [], upload: [], embedding: [] }
  const refusals: string[] = []
  const isDone = () => isOver() && smallRequests.every((name) => times[name].length >= rounds)
  await Promise.all(
    smallRequests.map(async (name) => {
      while (!isDone()) {
        const startedAt = performance.now()
        const { status, text } = await calls[name](victim)
        times[name].push(performance.now() - startedAt)
        if (status !== 200 || text.includes('"failed"')) refusals.push(text.slice(0, 200))
        await sleep(everyMs[name])
      }
    }),
  )
  return { times, refusals }
}
