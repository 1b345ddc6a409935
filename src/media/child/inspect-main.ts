// The program of a process that opens clients' files: images with sharp, audio and video with FFmpeg.
import { describe, serveJobs } from '../../children/serve-jobs.ts'
import { InputFailure, UnusableFile } from '../input-failure.ts'
import type { InspectJob, InspectResult } from '../inspect-job.ts'

serveJobs<InspectJob, InspectResult>(async (job) => {
  try {
    // Each library is loaded when the first file needs it: most children only ever see images.
    if (job.kind !== 'av') {
      const { inspectImage, writePreview } = await import('./inspect-image.ts')
      const image = await inspectImage(job.path, job.limits)
      if (job.kind === 'preview') await writePreview(job.path, job.toPath)
      return { kind: 'image', image }
    }
    const { probeAv } = await import('./probe-av.ts')
    return { kind: 'av', probed: await probeAv(job.path, job.demuxer) }
  } catch (error) {
    if (error instanceof InputFailure) {
      const { reason, message } = error
      return { kind: 'refused', reason, message, detail: describe(error) }
    }
    if (error instanceof UnusableFile) return { kind: 'unusable', detail: error.message }
    throw error
  }
})
