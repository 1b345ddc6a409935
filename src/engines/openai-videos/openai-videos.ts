// A generator that speaks the OpenAI videos API: SGLang-Diffusion, vLLM-Omni, LiteLLM and others. The wire's meaning is in
// the mapping. The API knows no idempotent creation: a crash in the instant between the generator's answer and our note of
// it submits twice.

import { join } from 'node:path'
import { FormData } from 'undici'
import { forgotten } from '../remote/failures.ts'
import type { ClipOrder, Generator } from '../remote/generator.ts'
import { createRemoteHttp, RemoteMisbehaved, RemoteUnreachable } from '../remote/http.ts'
import { inputImage } from '../remote/input-image.ts'
import { poll, whileBusy } from '../remote/poll.ts'
import { failureOf, formFields, readJob, readSubmitted, sizeFor } from './mapping.ts'
import type { OpenaiVideosSettings } from './settings.ts'

const busyRetryMs = 2_000
const submitMsMax = 2 * 60_000
const cancelMsMax = 10_000

export function createOpenaiVideos(name: string, settings: OpenaiVideosSettings): Generator {
  const http = createRemoteHttp(settings.url, settings.key)

  async function formOf(clip: ClipOrder): Promise<FormData> {
    const form = new FormData()
    for (const [field, value] of Object.entries(formFields(clip, settings))) form.append(field, value)
    // Some servers refuse an image that is not as large as the video.
    const size = sizeFor(clip, settings.sizes)
    const image = async (path: string) => new Blob([await inputImage(path, size)], { type: 'image/jpeg' })
    form.append('input_reference', await image(clip.firstFramePath), 'first-frame.jpg')
    if (clip.lastFramePath !== null && settings.lastFrameField !== undefined) {
      form.append(settings.lastFrameField, await image(clip.lastFramePath), 'last-frame.jpg')
    }
    return form
  }

  return {
    name,
    abilities: { lastFrame: settings.lastFrameField !== undefined, elements: false },
    secondsMax: settings.seconds ? Math.max(...settings.seconds) : 15,
    submit: (clip, { signal, progress }) =>
      whileBusy(
        async () => {
          const answer = await http.call('POST', '/v1/videos', {
            ...{ form: await formOf(clip), timeoutMs: submitMsMax },
            headers: { 'idempotency-key': clip.submission },
          })
          const submitted = readSubmitted(name, answer.status, answer.body)
          if (submitted === null) throw new RemoteMisbehaved(`it answered ${answer.status} to a video: ${answer.text}`)
          if (submitted === 'busy') return submitted
          if ('failure' in submitted) throw submitted.failure
          return { id: submitted.id }
        },
        { engine: name, jobMsMax: settings.jobTime, retryMs: busyRetryMs, signal, progress },
      ),
    async follow({ id }, _clip, { workDir, signal, progress }) {
      const path = `/v1/videos/${encodeURIComponent(String(id))}`
      const toPath = join(workDir, 'downloaded')
      await poll(
        async () => {
          const answer = await http.call('GET', path, { signal })
          if (answer.status === 404) throw forgotten(name)
          if (answer.status >= 500 || answer.status === 429) {
            throw new RemoteUnreachable(`it answered ${answer.status}`, { sent: true })
          }
          const job = answer.status === 200 ? readJob(answer.body) : null
          if (job === null) throw new RemoteMisbehaved(`it answered ${answer.status} instead of a job: ${answer.text}`)
          if (job.status === 'failed') throw failureOf(name, job)
          if (job.status === 'under way') return { percent: job.percent }
          await http.download(`${path}/content`, { toPath, bytesMax: settings.videoMegabytesMax, signal })
          return { done: toPath }
        },
        {
          ...{ engine: name, everyMs: settings.pollEvery, jobMsMax: settings.jobTime, signal, progress },
          overdue: () => remove(String(id)),
        },
      )
      return { paths: [toPath], fps: 24 }
    },
    cancel: ({ id }) => remove(String(id)),
    async probe(signal) {
      // Servers that lack the list of videos mostly have the list of models.
      const answer = await http.call('GET', '/v1/videos?limit=1', { signal })
      if (answer.status === 401 || answer.status === 403) throw new Error('it does not accept the key')
      if (answer.status >= 500) throw new Error(`it answered ${answer.status}`)
    },
    close: () => http.close(),
  }

  async function remove(id: string): Promise<void> {
    const signal = AbortSignal.timeout(cancelMsMax)
    await http.call('DELETE', `/v1/videos/${encodeURIComponent(id)}`, { signal })
  }
}
