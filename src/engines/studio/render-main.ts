// The program of a render process.
import { AV_LOG_ERROR } from 'node-av/constants'
import { Log } from 'node-av/lib'
import sharp from 'sharp'
import { serveJobs } from '../../children/serve-jobs.ts'
import { type WorkOutcome, workOutcome } from '../../video/work-outcome.ts'
import { render } from './render.ts'
import type { RenderJob } from './render-plan.ts'

// What FFmpeg logs below errors is chatter; stderr is kept for the log of a crash.
Log.setLevel(AV_LOG_ERROR)
sharp.cache(false)

serveJobs<RenderJob, WorkOutcome>(({ plan, threads, depth }, { progress }) => {
  sharp.concurrency(threads)
  return workOutcome(() => render(plan, { threads, depth, progress, prepared: () => globalThis.gc?.() }))
})
