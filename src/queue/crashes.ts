// How many crashes in a row end what a job is about. A crash is no failed attempt: any other job of the process, or its
// machine, may be the cause. One job that brings down every process that runs it must still end.
import type { Job } from './queue.ts'

export const crashesMax = 5

/** Its handler ends what the job is about instead of running it again. */
export const hasCrashedTooOften = ({ crashes }: Pick<Job, 'crashes'>) => crashes >= crashesMax
