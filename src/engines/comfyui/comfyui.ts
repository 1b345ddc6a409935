// A generator that is a ComfyUI server. The wire's meaning is in the mapping, the workflow's in its own file. The id of a
// prompt is ours and follows from the submission: one that is there already is not sent again.
import { join } from 'node:path'
import { FormData } from 'undici'
import { sha256Hex } from '../../platform/ids.ts'
import type { Handle } from '../engine.ts'
import { clipFrames, clipSize } from '../remote/clip-size.ts'
import { forgotten } from '../remote/failures.ts'
import type { ClipContext, ClipOrder, Generator } from '../remote/generator.ts'
import { createRemoteHttp, RemoteMisbehaved, RemoteUnreachable } from '../remote/http.ts'
import { inputImage } from '../remote/input-image.ts'
import { poll, whileBusy } from '../remote/poll.ts'
import { loadWorkflow } from './load-workflow.ts'
import { failureOf, type OutputFile, promptIdOf, readHistory, readQueue, readSubmitted } from './mapping.ts'
import { watchProgress } from './progress-socket.ts'
import type { ComfyuiSettings } from './settings.ts'
import type { Workflow } from './workflow.ts'

const busyRetryMs = 2_000
const uploadMsMax = 60_000
const cancelMsMax = 10_000
/** A queue and a history carry whole workflows, images included where nodes hold them. */
const answerBytesMax = 32 * 2 ** 20
const seedMax = 2 ** 48

export function createComfyui(name: string, settings: ComfyuiSettings): Generator {
  const http = createRemoteHttp(settings.url, settings.key)
  const workflow = loadWorkflow(name, settings)

  async function upload(path: string, fileName: string, size: Size, signal: AbortSignal): Promise<string> {
    const form = new FormData()
    form.append('image', new Blob([await inputImage(path, size)], { type: 'image/jpeg' }), fileName)
    form.append('subfolder', 'dailies')
    form.append('overwrite', 'true')
    const answer = await http.call('POST', '/upload/image', { form, signal, timeoutMs: uploadMsMax })
    const { name: stored, subfolder } = (answer.body ?? {}) as { name?: unknown; subfolder?: unknown }
    if (answer.status >= 500) throw new RemoteUnreachable(`it answered ${answer.status} to an image`, { sent: false })
    if (answer.status !== 200 || typeof stored !== 'string') {
      throw new RemoteMisbehaved(`it answered ${answer.status} to an image: ${answer.text}`)
    }
    return typeof subfolder === 'string' && subfolder !== '' ? `${subfolder}/${stored}` : stored
  }

  async function workflowFor(clip: ClipOrder, hash: string, signal: AbortSignal): Promise<Workflow> {
    const size = clipSize(clip, settings.shortSide, workflow.sizeStep)
    const image = (path: string, which: string) => upload(path, `${hash.slice(0, 32)}-${which}.jpg`, size, signal)
    return workflow.fill({
      prompt: clip.prompt,
      negativePrompt: clip.negativePrompt,
      firstFrame: await image(clip.firstFramePath, 'first'),
      lastFrame: clip.lastFramePath === null ? null : await image(clip.lastFramePath, 'last'),
      ...size,
      frames: clipFrames(clip.seconds, workflow.fps, workflow.frameStep),
      fps: workflow.fps,
      seed: Number.parseInt(hash.slice(0, 12), 16) % seedMax,
    })
  }

  async function stateOf(id: string, signal: AbortSignal) {
    const history = await read(`/history/${encodeURIComponent(id)}`, signal)
    const state = readHistory(history, id)
    if (state === null) throw new RemoteMisbehaved('its history makes no sense')
    return state
  }

  async function placeInQueue(id: string, signal: AbortSignal) {
    const place = readQueue(await read('/queue', signal), id)
    if (place === null) throw new RemoteMisbehaved('its queue makes no sense')
    return place
  }

  async function read(path: string, signal: AbortSignal): Promise<unknown> {
    const answer = await http.call('GET', path, { signal, bytesMax: answerBytesMax })
    if (answer.status >= 500) throw new RemoteUnreachable(`it answered ${answer.status}`, { sent: true })
    if (answer.status !== 200 || answer.body === undefined) {
      throw new RemoteMisbehaved(`it answered ${answer.status} to ${path}: ${answer.text}`)
    }
    return answer.body
  }

  async function isKnown(id: string, signal: AbortSignal): Promise<boolean> {
    if ((await placeInQueue(id, signal)) !== 'absent') return true
    return (await stateOf(id, signal)).state !== 'unknown'
  }

  async function submit(clip: ClipOrder, { signal, progress }: ClipContext): Promise<Handle> {
    const hash = sha256Hex(clip.submission)
    const id = promptIdOf(hash)
    const clientId = hash.slice(32, 64)
    if (await isKnown(id, signal)) return { id, clientId }
    const prompt = await workflowFor(clip, hash, signal)
    return whileBusy(
      async () => {
        const json = { prompt, prompt_id: id, client_id: clientId }
        const answer = await http.call('POST', '/prompt', { json })
        const submitted = readSubmitted(name, answer.status, answer.body)
        if (submitted === null) throw new RemoteMisbehaved(`it answered ${answer.status} to a workflow: ${answer.text}`)
        if (submitted === 'busy') return submitted
        if ('failure' in submitted) throw submitted.failure
        // A server that is too old to take our id has one of its own.
        return { id: submitted.id, clientId }
      },
      { engine: name, jobMsMax: settings.jobTime, retryMs: busyRetryMs, signal, progress },
    )
  }

  async function fetchFiles(files: OutputFile[], workDir: string, signal: AbortSignal): Promise<string[]> {
    const paths: string[] = []
    for (const [i, { filename, subfolder, type }] of files.entries()) {
      const query = new URLSearchParams({ filename, subfolder, type })
      const toPath = join(workDir, `downloaded-${i}`)
      await http.download(`/view?${query}`, { toPath, bytesMax: settings.videoMegabytesMax, signal })
      paths.push(toPath)
    }
    return paths
  }

  async function cancel(id: string): Promise<void> {
    const signal = AbortSignal.timeout(cancelMsMax)
    const place = await placeInQueue(id, signal)
    if (place === 'pending') await http.call('POST', '/queue', { json: { delete: [id] }, signal })
    // An older server would interrupt whatever runs: so only when that is ours.
    if (place === 'running') await http.call('POST', '/interrupt', { json: { prompt_id: id }, signal })
  }

  return {
    name,
    abilities: { lastFrame: workflow.lastFrame, elements: false },
    secondsMax: workflow.secondsMax,
    submit,
    async follow({ id: storedId, clientId }, _clip, { workDir, signal, progress }) {
      const id = String(storedId)
      const socket = watchProgress({
        url: settings.url,
        clientId: String(clientId),
        promptId: id,
        nodes: workflow.nodes,
      })
      try {
        const paths = await poll<string[]>(
          async () => {
            const state = await stateOf(id, signal)
            if (state.state === 'failed') throw failureOf(name, state)
            if (state.state === 'done') return { done: await fetchFiles(state.files, workDir, signal) }
            if ((await placeInQueue(id, signal)) !== 'absent') return { percent: socket.percent() }
            // It may have ended between the two questions.
            if ((await stateOf(id, signal)).state === 'unknown') throw forgotten(name)
            return { percent: socket.percent() }
          },
          {
            ...{ engine: name, everyMs: settings.pollEvery, jobMsMax: settings.jobTime, signal, progress },
            overdue: () => cancel(id),
          },
        )
        return { paths, fps: workflow.fps }
      } finally {
        socket.close()
      }
    },
    cancel: ({ id }) => cancel(String(id)),
    async probe(signal) {
      await read('/queue', signal)
    },
    close: () => http.close(),
  }
}

type Size = { width: number; height: number }
