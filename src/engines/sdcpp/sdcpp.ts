// A generator that is stable-diffusion.cpp's `sd-server`. What its responses mean is in the mapping. It keeps a finished
// job for ten minutes and has no idempotent creation: a crash between its response and our note of it submits twice.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Finding } from '../engine.ts'
import { videoBytesMax } from '../remote/common-settings.ts'
import { acceptedOrBusy, requireJob } from '../remote/failures.ts'
import type { Generator } from '../remote/generator.ts'
import { createRemoteHttp, RemoteMisbehaved, submitMsMax, tidyMsMax } from '../remote/http.ts'
import { failureOf, readCapabilities, readJob, readSubmitted, vidGenBody, vidGenSize } from './mapping.ts'
import type { SdcppSettings } from './settings.ts'

/** A finished job carries the video in base64, a third longer than the file. */
const base64Factor = 1.4

export function createSdcpp(name: string, settings: SdcppSettings): Generator {
  const http = createRemoteHttp(settings.url, settings.key)
  const bytesMax = Math.ceil(videoBytesMax(settings) * base64Factor)

  return {
    name,
    abilities: { lastFrame: settings.lastFrame, elements: false },
    secondsMax: settings.secondsMax,
    async submit(clip, { image, whileBusy }) {
      const size = vidGenSize(clip, settings)
      const base64 = async (path: string) => Buffer.from(await image(path, size)).toString('base64')
      const json = vidGenBody(clip, settings, {
        first: await base64(clip.firstFramePath),
        last: clip.lastFramePath === null ? null : await base64(clip.lastFramePath),
      })
      return whileBusy(async () => {
        const response = await http.call('POST', '/sdcpp/v1/vid_gen', { json, timeoutMs: submitMsMax })
        return acceptedOrBusy(readSubmitted(name, response.status, response.body), response)
      })
    },
    async follow({ id }, { workDir, poll }) {
      const path = `/sdcpp/v1/jobs/${encodeURIComponent(String(id))}`
      const base64 = await poll<string>(
        async (looking) => {
          const response = await http.call('GET', path, { signal: looking, bytesMax, timeoutMs: submitMsMax })
          requireJob(name, response.status)
          const job = response.status === 200 ? readJob(response.body) : null
          if (job === null)
            throw new RemoteMisbehaved(`it responded with ${response.status} instead of a job: ${response.text}`)
          if (job.status === 'failed') throw failureOf(name, job)
          return job.status === 'completed' ? { done: job.base64 } : { percent: null }
        },
        () => cancel(String(id)),
      )
      const toPath = join(workDir, 'downloaded')
      await writeFile(toPath, Buffer.from(base64, 'base64'))
      return { paths: [toPath], fps: settings.fps }
    },
    cancel: ({ id }) => cancel(String(id)),
    async probe(signal) {
      const fatal = (await inspect(signal)).filter(({ isFatal }) => isFatal)
      if (fatal.length > 0) throw new Error(fatal.map(({ message }) => message).join('; '))
    },
    inspect,
    close: () => http.close(),
  }

  async function inspect(signal: AbortSignal): Promise<Finding[]> {
    const response = await http.call('GET', '/sdcpp/v1/capabilities', { signal })
    if (response.status !== 200) throw new Error(`it responded with ${response.status}`)
    return readCapabilities(response.body, settings)
  }

  /** Only a queued job is canceled: one that generates responds with 409 and runs to its end. */
  async function cancel(id: string): Promise<void> {
    const path = `/sdcpp/v1/jobs/${encodeURIComponent(id)}/cancel`
    await http.call('POST', path, { json: {}, timeoutMs: tidyMsMax })
  }
}
