// A generator with the OpenAI videos API: SGLang-Diffusion, vLLM-Omni, LiteLLM and others. What its responses mean is in
// the mapping. The API has no idempotent creation: a crash between the server's response and our note of it submits
// twice.
import { join } from 'node:path'
import { FormData } from 'undici'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import { videoBytesMax } from '../remote/common-settings.ts'
import { downloadUrl } from '../remote/download-url.ts'
import { acceptedOrBusy, requireJob } from '../remote/failures.ts'
import type { ClipPlan, Generator, SubmitContext } from '../remote/generator.ts'
import { createRemoteHttp, RemoteMisbehaved, submitMsMax, tidyMsMax } from '../remote/http.ts'
import { failureOf, formFields, imageFields, readJob, readSubmitted, sizeFor } from './mapping.ts'
import type { OpenaiVideosSettings } from './settings.ts'

export function createOpenaiVideos(name: string, settings: OpenaiVideosSettings, fetch: GuardedFetch): Generator {
  const http = createRemoteHttp(settings.url, settings.key)
  const pathOf = (id: unknown) => `/v1/videos/${encodeURIComponent(String(id))}`

  async function formOf(clip: ClipPlan, image: SubmitContext['image']): Promise<FormData> {
    const form = new FormData()
    for (const [field, value] of Object.entries(formFields(clip, settings))) form.append(field, value)
    // Some servers refuse an image that is not as large as the video.
    const size = sizeFor(clip, settings)
    for (const [i, { field, path }] of imageFields(clip, settings).entries()) {
      const jpeg = new Blob([await image(path, size)], { type: 'image/jpeg' })
      form.append(field, jpeg, i === 0 ? 'first-frame.jpg' : 'last-frame.jpg')
    }
    return form
  }

  /** The job, whatever the HTTP status: vLLM-Omni returns a failed job with the status of its error. */
  async function readOnce(id: unknown, signal: AbortSignal) {
    const response = await http.call('GET', pathOf(id), { signal })
    const job = readJob(response.body)
    if (job?.status === 'failed') throw failureOf(name, job)
    requireJob(name, response.status)
    if (response.status !== 200 || job === null) {
      throw new RemoteMisbehaved(`it responded with ${response.status} instead of a job: ${response.text}`)
    }
    return job
  }

  async function remove(id: unknown): Promise<void> {
    await http.call('DELETE', pathOf(id), { timeoutMs: tidyMsMax })
  }

  return {
    name,
    abilities: {
      lastFrame: settings.lastFrameField !== undefined || settings.framesField !== undefined,
      elements: false,
    },
    secondsMax: settings.seconds ? Math.max(...settings.seconds) : 15,
    async submit(clip, { image, whileBusy }) {
      const form = await formOf(clip, image)
      const headers = { 'idempotency-key': clip.submission }
      return whileBusy(async () => {
        const response = await http.call('POST', '/v1/videos', { form, headers, timeoutMs: submitMsMax })
        return acceptedOrBusy(readSubmitted(name, response.status, response.body), response)
      })
    },
    async follow({ id }, { workDir, signal, poll }) {
      const toPath = join(workDir, 'downloaded')
      const download = { toPath, bytesMax: videoBytesMax(settings), signal }
      await poll(
        async (looking) => {
          const job = await readOnce(id, looking)
          if (job.status !== 'completed') return { percent: job.status === 'under way' ? job.percent : null }
          if (job.url === null) await http.download(`${pathOf(id)}/content`, download)
          else await downloadUrl(job.url, { http, fetch, ...download })
          return { done: toPath }
        },
        () => remove(id),
      )
      return { paths: [toPath], fps: 24 }
    },
    cancel: ({ id }) => remove(id),
    discard: ({ id }) => remove(id),
    async probe(signal) {
      // Every such server lists its models; a gateway may respond to the list of videos with an error.
      const models = await http.call('GET', '/v1/models', { signal })
      const isAbsent = models.status === 404 || models.status === 405
      const { status } = isAbsent ? await http.call('GET', '/v1/videos?limit=1', { signal }) : models
      if (status === 401 || status === 403) throw new Error('it does not accept the key')
      if (status >= 500) throw new Error(`it responded with ${status}`)
    },
    close: () => http.close(),
  }
}
