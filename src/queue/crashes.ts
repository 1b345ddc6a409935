// How many crashes in a row end what a job is about. A crash is no failed attempt: any other job of the process, or its
// machine, may be the cause. One job that brings down every process that runs it must still end.
import type { Job } from './queue.ts'

export const crashesMax = 5

/** Its handler ends what the job is about instead of running it again. */
export const hasCrashedTooOften = ({ crashes }: Pick<Job, 'crashes'>) => crashes >= crashesMax

/**
 * Up to how long a job waits after so many crashes in a row. Jobs that crashed together start apart, so that those that
 * only ran beside the cause of the crashes end before it is run again.
 */
const apartMs: Record<number, number> = { 2: 10_000, 3: 30_000, 4: 60_000 }

/** `random` is from 0 to 1. */
export const delayAfterCrashesMs = (crashes: number, random: number) => Math.round((apartMs[crashes] ?? 0) * random)
