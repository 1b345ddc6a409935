// A generator that is LightX2V's server. What its responses mean is in the mapping. The task id is chosen here and
// follows from the submission, so that a repeated submission is refused there instead of generated twice. A last frame
// can only be sent by the form, which takes no id: there the task is found by the name of its result.
import { join } from 'node:path'
import { FormData } from 'undici'
import { sha256Hex } from '../../platform/ids.ts'
import type { Handle } from '../engine.ts'
import { clipSize } from '../remote/clip-size.ts'
import { videoBytesMax } from '../remote/common-settings.ts'
import { acceptedOrBusy, requireJob } from '../remote/failures.ts'
import type { ClipPlan, Generator, SubmitContext } from '../remote/generator.ts'
import { createRemoteHttp, RemoteMisbehaved, type RemoteResponse, submitMsMax, tidyMsMax } from '../remote/http.ts'
import type { ImageBytes } from '../remote/input-images.ts'
import { Busy } from '../remote/poll.ts'
import { failureOf, findTask, readSubmitted, readTask, taskFields } from './mapping.ts'
import type { Lightx2vSettings } from './settings.ts'

/** The server keeps a thousand tasks. */
const listBytesMax = 4 * 2 ** 20
const sizeStep = 16

interface Submission {
  id: string
  first: ImageBytes
  last: ImageBytes | null
}

export function createLightx2v(name: string, settings: Lightx2vSettings): Generator {
  const http = createRemoteHttp(settings.url, settings.key)
  const pathOf = (id: unknown) => `/v1/tasks/${encodeURIComponent(String(id))}`

  function sendJson(clip: ClipPlan, { id, first }: Submission): Promise<RemoteResponse> {
    const image = `data:image/jpeg;base64,${Buffer.from(first).toString('base64')}`
    const json = { ...taskFields(clip, id, settings), task_id: id, image_path: image }
    return http.call('POST', '/v1/tasks/video/', { json, timeoutMs: submitMsMax })
  }

  function sendForm(clip: ClipPlan, { id, first, last }: Submission): Promise<RemoteResponse> {
    const form = new FormData()
    for (const [field, value] of Object.entries(taskFields(clip, id, settings))) form.append(field, String(value))
    for (const [field, bytes] of Object.entries({ image_file: first, last_frame_file: last! })) {
      form.append(field, new Blob([bytes], { type: 'image/jpeg' }), `${field}.jpg`)
    }
    return http.call('POST', '/v1/tasks/video/form', { form, timeoutMs: submitMsMax })
  }

  async function findByResult(id: string): Promise<Handle | null> {
    const response = await http.call('GET', '/v1/tasks/', { bytesMax: listBytesMax })
    const found = response.status === 200 ? findTask(response.body, id) : null
    return found === null ? null : { id: found }
  }

  async function findById(id: string): Promise<Handle | null> {
    const { status } = await http.call('GET', `${pathOf(id)}/status`, {})
    return status === 200 ? { id } : null
  }

  async function submissionOf(clip: ClipPlan, image: SubmitContext['image']): Promise<Submission> {
    const hash = sha256Hex(clip.submission)
    const size = clipSize(clip, settings.shortSide, sizeStep)
    return {
      id: `dailies-${hash.slice(0, 32)}`,
      first: await image(clip.firstFramePath, size),
      last: clip.lastFramePath === null ? null : await image(clip.lastFramePath, size),
    }
  }

  async function submitOnce(clip: ClipPlan, submission: Submission): Promise<Handle | Busy> {
    const { id } = submission
    const hasLast = submission.last !== null
    const known = hasLast ? await findByResult(id) : null
    if (known) return known
    const response = hasLast ? await sendForm(clip, submission) : await sendJson(clip, submission)
    const submitted = acceptedOrBusy(readSubmitted(name, response.status, response.body), response)
    // It refuses in the same way when its queue is full and when the id is taken.
    return submitted instanceof Busy && !hasLast ? ((await findById(id)) ?? submitted) : submitted
  }

  /** A task that waits is canceled; one that generates runs to its end there. */
  async function cancel(id: unknown): Promise<void> {
    await http.call('DELETE', pathOf(id), { timeoutMs: tidyMsMax })
  }

  return {
    name,
    abilities: { lastFrame: settings.lastFrame, elements: false },
    secondsMax: settings.secondsMax,
    async submit(clip, { image, whileBusy }) {
      const submission = await submissionOf(clip, image)
      return whileBusy(() => submitOnce(clip, submission))
    },
    async follow({ id }, { workDir, signal, poll }) {
      const toPath = join(workDir, 'downloaded')
      await poll(
        async (looking) => {
          const response = await http.call('GET', `${pathOf(id)}/status`, { signal: looking })
          requireJob(name, response.status)
          const task = response.status === 200 ? readTask(response.body) : null
          if (task === null) {
            throw new RemoteMisbehaved(`it responded with ${response.status} instead of a task: ${response.text}`)
          }
          if (task.state === 'failed') throw failureOf(name, task)
          if (task.state === 'under way') return { percent: null }
          await http.download(`${pathOf(id)}/result`, { toPath, bytesMax: videoBytesMax(settings), signal })
          return { done: toPath }
        },
        () => cancel(id),
      )
      return { paths: [toPath], fps: settings.fps }
    },
    cancel: ({ id }) => cancel(id),
    async probe(signal) {
      const { status } = await http.call('GET', '/v1/service/status', { signal })
      if (status !== 200) throw new Error(`it responded with ${status}`)
    },
    close: () => http.close(),
  }
}
