// What can happen between workers and the host of the input files: it goes away, or one worker loses its way to it.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Fault, some } from './stage.ts'

const awayMs = 10_000

const hostAway: Fault = async ({ pictures }) => {
  await pictures.leave()
  await sleep(awayMs)
  await pictures.comeBack()
}

const workerCutOff: Fault = async (stage) => {
  const worker = await some(stage, 'worker')
  const reconnect = await worker.cutOffFrom(stage.pictures.origin)
  await sleep(awayMs)
  await reconnect()
}

export const pictureFaults: Record<string, Fault> = {
  'the image host is away for 10 s': hostAway,
  'a worker reaches no image host for 10 s': workerCutOff,
}
