// A generator that is stable-diffusion.cpp's `sd-server`. The wire's meaning is in the mapping. It keeps a finished job for
// ten minutes and knows no idempotent creation: a crash in the instant between its answer and our note of it submits
// twice.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forgotten } from '../remote/failures.ts'
import type { Generator } from '../remote/generator.ts'
import { createRemoteHttp, RemoteMisbehaved, RemoteUnreachable } from '../remote/http.ts'
import { inputImage } from '../remote/input-image.ts'
import { poll, whileBusy } from '../remote/poll.ts'
import { failureOf, readJob, readSubmitted, vidGenBody, vidGenSize } from './mapping.ts'
import type { SdcppSettings } from './settings.ts'

const busyRetryMs = 2_000
const submitMsMax = 2 * 60_000
const cancelMsMax = 10_000
/** Its answers carry the video in base64, a third longer than it is. */
const answerFactor = 1.4

export function createSdcpp(name: string, settings: SdcppSettings): Generator {
  const http = createRemoteHttp(settings.url, settings.key)
  const bytesMax = Math.ceil(settings.videoMegabytesMax * answerFactor)

  return {
    name,
    abilities: { lastFrame: settings.lastFrame, elements: false },
    secondsMax: settings.secondsMax,
    async submit(clip, { signal, progress }) {
      const size = vidGenSize(clip, settings)
      const image = async (path: string) => Buffer.from(await inputImage(path, size)).toString('base64')
      const json = vidGenBody(clip, settings, {
        first: await image(clip.firstFramePath),
        last: clip.lastFramePath === null ? null : await image(clip.lastFramePath),
      })
      return whileBusy(
        async () => {
          const answer = await http.call('POST', '/sdcpp/v1/vid_gen', { json, timeoutMs: submitMsMax })
          const submitted = readSubmitted(name, answer.status, answer.body)
          if (submitted === null) throw new RemoteMisbehaved(`it answered ${answer.status} to a video: ${answer.text}`)
          if (submitted === 'busy') return submitted
          if ('failure' in submitted) throw submitted.failure
          return { id: submitted.id }
        },
        { engine: name, jobMsMax: settings.jobTime, retryMs: busyRetryMs, signal, progress },
      )
    },
    async follow({ id }, _clip, { workDir, signal, progress }) {
      const path = `/sdcpp/v1/jobs/${encodeURIComponent(String(id))}`
      const base64 = await poll<string>(
        async () => {
          const answer = await http.call('GET', path, { signal, bytesMax, timeoutMs: submitMsMax })
          if (answer.status === 404 || answer.status === 410) throw forgotten(name)
          if (answer.status >= 500 || answer.status === 429) {
            throw new RemoteUnreachable(`it answered ${answer.status}`, { sent: true })
          }
          const job = answer.status === 200 ? readJob(answer.body) : null
          if (job === null) throw new RemoteMisbehaved(`it answered ${answer.status} instead of a job: ${answer.text}`)
          if (job.status === 'failed') throw failureOf(name, job)
          return job.status === 'completed' ? { done: job.base64 } : { percent: null }
        },
        {
          ...{ engine: name, everyMs: settings.pollEvery, jobMsMax: settings.jobTime, signal, progress },
          overdue: () => cancel(String(id)),
        },
      )
      const toPath = join(workDir, 'downloaded')
      await writeFile(toPath, Buffer.from(base64, 'base64'))
      return { paths: [toPath], fps: settings.fps }
    },
    cancel: ({ id }) => cancel(String(id)),
    async probe(signal) {
      const answer = await http.call('GET', '/sdcpp/v1/capabilities', { signal })
      const modes = (answer.body as { supported_modes?: unknown } | undefined)?.supported_modes
      if (answer.status !== 200) throw new Error(`it answered ${answer.status}`)
      if (Array.isArray(modes) && !modes.includes('vid_gen')) throw new Error('its model makes no videos')
    },
    close: () => http.close(),
  }

  async function cancel(id: string): Promise<void> {
    const signal = AbortSignal.timeout(cancelMsMax)
    await http.call('POST', `/sdcpp/v1/jobs/${encodeURIComponent(id)}/cancel`, { json: {}, signal })
  }
}
