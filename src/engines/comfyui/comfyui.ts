// A generator that is a ComfyUI server. What its responses mean is in the mapping, the workflow in files of its own.
// The prompt id is chosen here and follows from the submission: a prompt that is known there already is not sent again.
import { join } from 'node:path'
import { FormData } from 'undici'
import { sha256Hex } from '../../platform/ids.ts'
import type { Size } from '../../video/picture/output-size.ts'
import type { Handle } from '../engine.ts'
import { clipFrames, clipSize } from '../remote/clip-size.ts'
import { videoBytesMax } from '../remote/common-settings.ts'
import { forgotten } from '../remote/failures.ts'
import type { ClipPlan, Generator, SubmitContext } from '../remote/generator.ts'
import { createRemoteHttp, RemoteMisbehaved, RemoteUnreachable, tidyMsMax } from '../remote/http.ts'
import type { ImageBytes } from '../remote/input-images.ts'
import { Busy } from '../remote/poll.ts'
import { inspectWorkflow, missingClasses, type NodeInfos, readNodeInfo, uploadedImage } from './inspect-workflow.ts'
import { loadWorkflow } from './load-workflow.ts'
import { failureOf, type OutputFile, promptIdOf, readHistory, readQueue, readSubmitted } from './mapping.ts'
import { watchProgress } from './progress-socket.ts'
import type { ComfyuiSettings } from './settings.ts'
import { nodeWeights, type Workflow, type WorkflowValues } from './workflow.ts'

const uploadMsMax = 60_000
/** A queue and a history carry whole workflows; the description of a node lists every model file. */
const responseBytesMax = 32 * 2 ** 20
const seedMax = 2 ** 48

export function createComfyui(name: string, settings: ComfyuiSettings): Generator {
  const http = createRemoteHttp(settings.url, settings.key)
  const workflow = loadWorkflow(name, settings)

  async function upload(image: ImageBytes, fileName: string, signal: AbortSignal): Promise<string> {
    const folder = workflow.takesTemporaryImages ? 'temp' : 'input'
    const form = new FormData()
    form.append('image', new Blob([image], { type: 'image/jpeg' }), fileName)
    form.append('type', folder)
    form.append('subfolder', 'dailies')
    form.append('overwrite', 'true')
    const response = await http.call('POST', '/upload/image', { form, signal, timeoutMs: uploadMsMax })
    const { name: stored, subfolder } = (response.body ?? {}) as { name?: unknown; subfolder?: unknown }
    if (response.status >= 500) {
      throw new RemoteUnreachable(`it responded with ${response.status} to an image`, { sent: false })
    }
    if (response.status !== 200 || typeof stored !== 'string') {
      throw new RemoteMisbehaved(`it responded with ${response.status} to an image: ${response.text}`)
    }
    const place = typeof subfolder === 'string' && subfolder !== '' ? `${subfolder}/${stored}` : stored
    return folder === 'temp' ? `${place} [temp]` : place
  }

  const valuesFor = (clip: Pick<ClipPlan, 'prompt' | 'negativePrompt' | 'seconds'>, size: Size): WorkflowValues => ({
    prompt: clip.prompt,
    negativePrompt: clip.negativePrompt,
    ...size,
    frames: clipFrames(clip.seconds, workflow.fps, workflow.frameStep),
    fps: workflow.fps,
  })

  async function workflowFor(clip: ClipPlan, hash: string, { signal, image }: SubmitContext): Promise<Workflow> {
    const size = clipSize(clip, settings.shortSide, workflow.sizeStep)
    const uploaded = async (path: string, which: string) =>
      upload(await image(path, size), `${hash.slice(0, 32)}-${which}.jpg`, signal)
    return workflow.fill({
      ...valuesFor(clip, size),
      firstFrame: await uploaded(clip.firstFramePath, 'first'),
      lastFrame: clip.lastFramePath === null ? null : await uploaded(clip.lastFramePath, 'last'),
      seed: Number.parseInt(hash.slice(0, 12), 16) % seedMax,
    })
  }

  /** The workflow as it will be sent, except for the images. */
  const exampleWorkflow = (): Workflow => {
    const size = clipSize({ width: 1280, height: 720 }, settings.shortSide, workflow.sizeStep)
    const values = valuesFor({ prompt: 'a boat', negativePrompt: '', seconds: workflow.secondsMax }, size)
    return workflow.fill({ ...values, firstFrame: uploadedImage, lastFrame: uploadedImage, seed: 1 })
  }
  const weights = nodeWeights(exampleWorkflow())
  /** Whether the server had every node class when it was last probed, and has responded since. */
  let hasClasses = false

  async function stateOf(id: string, signal: AbortSignal) {
    const history = await read(`/history/${encodeURIComponent(id)}`, signal)
    const state = readHistory(history, id, workflow.output)
    if (state === null) throw new RemoteMisbehaved('its history makes no sense')
    return state
  }

  async function placeInQueue(id: string, signal: AbortSignal) {
    const place = readQueue(await read('/queue', signal), id)
    if (place === null) throw new RemoteMisbehaved('its queue makes no sense')
    return place
  }

  async function read(path: string, signal: AbortSignal): Promise<unknown> {
    const response = await http.call('GET', path, { signal, bytesMax: responseBytesMax })
    if (response.status >= 500) throw new RemoteUnreachable(`it responded with ${response.status}`, { sent: true })
    if (response.status !== 200 || response.body === undefined) {
      throw new RemoteMisbehaved(`it responded with ${response.status} to ${path}: ${response.text}`)
    }
    return response.body
  }

  async function isKnown(id: string, signal: AbortSignal): Promise<boolean> {
    if ((await placeInQueue(id, signal)) !== 'absent') return true
    return (await stateOf(id, signal)).state !== 'unknown'
  }

  async function submit(clip: ClipPlan, context: SubmitContext): Promise<Handle> {
    const { signal, whileBusy } = context
    const hash = sha256Hex(clip.submission)
    const id = promptIdOf(hash)
    const clientId = hash.slice(32, 64)
    if (await isKnown(id, signal)) return { id, clientId }
    const prompt = await workflowFor(clip, hash, context)
    const json = { prompt, prompt_id: id, client_id: clientId }
    return whileBusy(async () => {
      const response = await http.call('POST', '/prompt', { json })
      const submitted = readSubmitted(name, response.status, response.body)
      if (submitted === null) {
        throw new RemoteMisbehaved(`it responded with ${response.status} to a workflow: ${response.text}`)
      }
      if (submitted === 'busy') return new Busy(response)
      if ('failure' in submitted) {
        if (submitted.queuedId !== null) await cancel(submitted.queuedId)
        throw submitted.failure
      }
      // A server that is too old to accept our id has chosen one itself.
      return { id: submitted.id, clientId }
    })
  }

  async function download(files: OutputFile[], workDir: string, signal: AbortSignal): Promise<string[]> {
    const paths: string[] = []
    for (const [i, { filename, subfolder, type }] of files.entries()) {
      const query = new URLSearchParams({ filename, subfolder, type })
      const toPath = join(workDir, `downloaded-${i}`)
      await http.download(`/view?${query}`, { toPath, bytesMax: videoBytesMax(settings), signal })
      paths.push(toPath)
    }
    return paths
  }

  async function cancel(id: string): Promise<void> {
    const signal = AbortSignal.timeout(tidyMsMax)
    const place = await placeInQueue(id, signal)
    if (place === 'pending') await http.call('POST', '/queue', { json: { delete: [id] }, signal })
    // An older server interrupts any job that runs, so it is called only when this job runs.
    if (place === 'running') await http.call('POST', '/interrupt', { json: { prompt_id: id }, signal })
  }

  async function nodeInfos(example: Workflow, signal: AbortSignal): Promise<NodeInfos> {
    const classes = [...new Set(Object.values(example).map(({ class_type: nodeClass }) => nodeClass))]
    const entries = classes.map(async (nodeClass) => {
      const body = await read(`/object_info/${encodeURIComponent(nodeClass)}`, signal)
      return [nodeClass, readNodeInfo(body, nodeClass)] as const
    })
    return new Map(await Promise.all(entries))
  }

  return {
    name,
    abilities: { lastFrame: workflow.lastFrame, elements: false },
    secondsMax: workflow.secondsMax,
    submit,
    async follow({ id: storedId, clientId }, { workDir, signal, poll }) {
      const id = String(storedId)
      const { url, key } = settings
      const socket = watchProgress({ url, key, clientId: String(clientId), promptId: id, weights })
      try {
        const paths = await poll<string[]>(
          async () => {
            const state = await stateOf(id, signal)
            if (state.state === 'failed') throw failureOf(name, state)
            if (state.state === 'done') return { done: await download(state.files, workDir, signal) }
            if ((await placeInQueue(id, signal)) !== 'absent') return { percent: socket.percent() }
            // It may have ended between the two requests.
            if ((await stateOf(id, signal)).state === 'unknown') throw forgotten(name)
            return { percent: socket.percent() }
          },
          () => cancel(id),
        )
        return { paths, fps: workflow.fps }
      } finally {
        socket.close()
      }
    },
    cancel: ({ id }) => cancel(String(id)),
    async discard({ id }) {
      await http.call('POST', '/history', { json: { delete: [String(id)] }, timeoutMs: tidyMsMax })
    },
    async probe(signal) {
      // A server that was away may come back with other nodes.
      const hadClasses = hasClasses
      hasClasses = false
      await read('/queue', signal)
      if (!hadClasses) {
        const example = exampleWorkflow()
        const missing = missingClasses(example, await nodeInfos(example, signal))
        if (missing.length > 0) throw new Error(missing.join('; '))
      }
      hasClasses = true
    },
    async inspect(signal) {
      const example = exampleWorkflow()
      return inspectWorkflow(example, await nodeInfos(example, signal), workflow.output)
    },
    close: () => http.close(),
  }
}
