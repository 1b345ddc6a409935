// The program of a process that brings generators' clips into the service's own form.
import { AV_LOG_ERROR } from 'node-av/constants'
import { Log } from 'node-av/lib'
import sharp from 'sharp'
import { serveJobs } from '../../children/serve-jobs.ts'
import { type WorkOutcome, workOutcome } from '../work-outcome.ts'
import type { NormaliseJob } from './normalise-plan.ts'
import { normalise } from './normalise-video.ts'

// What FFmpeg logs below errors is chatter; stderr is kept for the log of a crash.
Log.setLevel(AV_LOG_ERROR)
sharp.cache(false)

serveJobs<NormaliseJob, WorkOutcome>(({ plan, threads }, { progress }) => {
  sharp.concurrency(threads)
  return workOutcome(() => normalise(plan, { threads, progress }))
})
