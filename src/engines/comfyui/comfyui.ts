// A generator that is a ComfyUI server. Its routes are in server.ts, what its responses mean in the mapping, the workflow in
// files of its own.
// The prompt id is chosen here and follows from the submission: a prompt that is known there already is not sent again.
import { sha256Hex } from '../../platform/ids.ts'
import type { Size } from '../../video/picture/output-size.ts'
import type { Handle } from '../engine.ts'
import { clipFrames, clipSize } from '../remote/clip-size.ts'
import { forgotten } from '../remote/failures.ts'
import type { ClipPlan, Generator, SubmitContext } from '../remote/generator.ts'
import { RemoteMisbehaved } from '../remote/http.ts'
import { Busy } from '../remote/poll.ts'
import { inspectWorkflow, missingClasses, uploadedImage } from './inspect-workflow.ts'
import { loadWorkflow } from './load-workflow.ts'
import { failureOf, promptIdOf, readSubmitted } from './mapping.ts'
import { watchProgress } from './progress-socket.ts'
import { createComfyuiServer } from './server.ts'
import type { ComfyuiSettings } from './settings.ts'
import { nodeWeights, type Workflow, type WorkflowValues } from './workflow.ts'

export function createComfyui(name: string, settings: ComfyuiSettings): Generator {
  const workflow = loadWorkflow(name, settings)
  const imageFolder = workflow.takesTemporaryImages ? 'temp' : 'input'
  const server = createComfyuiServer({ settings, output: workflow.output, imageFolder })

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
      server.upload(await image(path, size), `${hash.slice(0, 32)}-${which}.jpg`, signal)
    return workflow.fill({
      ...valuesFor(clip, size),
      firstFrame: await uploaded(clip.firstFramePath, 'first'),
      lastFrame: clip.lastFramePath === null ? null : await uploaded(clip.lastFramePath, 'last'),
      seed: clip.seed,
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

  async function submit(clip: ClipPlan, context: SubmitContext): Promise<Handle> {
    const { signal, whileBusy } = context
    const hash = sha256Hex(clip.submission)
    const id = promptIdOf(hash)
    const clientId = hash.slice(32, 64)
    if (await server.isKnown(id, signal)) return { id, clientId }
    const prompt = await workflowFor(clip, hash, context)
    const body = { prompt, prompt_id: id, client_id: clientId }
    return whileBusy(async () => {
      const response = await server.submit(body)
      const submitted = readSubmitted(name, response.status, response.body)
      if (submitted === null) {
        throw new RemoteMisbehaved(`it responded with ${response.status} to a workflow: ${response.text}`)
      }
      if (submitted === 'busy') return new Busy(response)
      if ('failure' in submitted) {
        if (submitted.queuedId !== null) await server.cancel(submitted.queuedId)
        throw submitted.failure
      }
      // A server that is too old to accept our id has chosen one itself.
      return { id: submitted.id, clientId }
    })
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
          async (looking) => {
            const state = await server.stateOf(id, looking)
            if (state.state === 'failed') throw failureOf(name, state)
            if (state.state === 'done') return { done: await server.download(state.files, workDir, signal) }
            if ((await server.placeInQueue(id, looking)) !== 'absent') return { percent: socket.percent() }
            // It may have ended between the two requests.
            if ((await server.stateOf(id, looking)).state === 'unknown') throw forgotten(name)
            return { percent: socket.percent() }
          },
          () => server.cancel(id),
        )
        return { paths, fps: workflow.fps }
      } finally {
        socket.close()
      }
    },
    cancel: ({ id }) => server.cancel(String(id)),
    discard: ({ id }) => server.deleteFromHistory(String(id)),
    async probe(signal) {
      // A server that was away may come back with other nodes.
      const hadClasses = hasClasses
      hasClasses = false
      await server.check(signal)
      if (!hadClasses) {
        const example = exampleWorkflow()
        const missing = missingClasses(example, await server.nodeInfos(example, signal))
        if (missing.length > 0) throw new Error(missing.join('; '))
      }
      hasClasses = true
    },
    async inspect(signal) {
      const example = exampleWorkflow()
      return inspectWorkflow(example, await server.nodeInfos(example, signal), workflow.output)
    },
    close: () => server.close(),
  }
}
