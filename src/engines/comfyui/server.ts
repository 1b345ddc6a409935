// The routes of a ComfyUI server that the generator uses. What the responses mean is in the mapping.
import { join } from 'node:path'
import { FormData } from 'undici'
import { videoBytesMax } from '../remote/common-settings.ts'
import { createRemoteHttp, RemoteMisbehaved, RemoteUnreachable, tidyMsMax } from '../remote/http.ts'
import type { ImageBytes } from '../remote/input-images.ts'
import { type NodeInfos, readNodeInfo } from './inspect-workflow.ts'
import { type OutputFile, readHistory, readQueue } from './mapping.ts'
import type { ComfyuiSettings } from './settings.ts'
import type { Workflow } from './workflow.ts'

const uploadMsMax = 60_000
/** A queue and a history carry whole workflows; the description of a node lists every model file. */
const responseBytesMax = 32 * 2 ** 20

interface ServerOptions {
  settings: ComfyuiSettings
  /** The node whose files are the video; null: the last one that saves. */
  output: string | null
  /** Where images are uploaded to. */
  imageFolder: 'temp' | 'input'
}

export function createComfyuiServer({ settings, output, imageFolder }: ServerOptions) {
  const http = createRemoteHttp(settings.url, settings.key)

  async function read(path: string, signal: AbortSignal): Promise<unknown> {
    const response = await http.call('GET', path, { signal, bytesMax: responseBytesMax })
    if (response.status >= 500) throw new RemoteUnreachable(`it responded with ${response.status}`, { sent: true })
    if (response.status !== 200 || response.body === undefined) {
      throw new RemoteMisbehaved(`it responded with ${response.status} to ${path}: ${response.text}`)
    }
    return response.body
  }

  /** Returns the name by which a workflow loads the image. */
  async function upload(image: ImageBytes, fileName: string, signal: AbortSignal): Promise<string> {
    const form = new FormData()
    form.append('image', new Blob([image], { type: 'image/jpeg' }), fileName)
    form.append('type', imageFolder)
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
    return imageFolder === 'temp' ? `${place} [temp]` : place
  }

  async function stateOf(id: string, signal: AbortSignal) {
    const state = readHistory(await read(`/history/${encodeURIComponent(id)}`, signal), id, output)
    if (state === null) throw new RemoteMisbehaved('its history makes no sense')
    return state
  }

  async function placeInQueue(id: string, signal: AbortSignal) {
    const place = readQueue(await read('/queue', signal), id)
    if (place === null) throw new RemoteMisbehaved('its queue makes no sense')
    return place
  }

  async function isKnown(id: string, signal: AbortSignal): Promise<boolean> {
    if ((await placeInQueue(id, signal)) !== 'absent') return true
    return (await stateOf(id, signal)).state !== 'unknown'
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

  async function deleteFromHistory(id: string): Promise<void> {
    await http.call('POST', '/history', { json: { delete: [id] }, timeoutMs: tidyMsMax })
  }

  /** What the server says about every node class of the workflow. */
  async function nodeInfos(workflow: Workflow, signal: AbortSignal): Promise<NodeInfos> {
    const classes = [...new Set(Object.values(workflow).map(({ class_type: nodeClass }) => nodeClass))]
    const entries = classes.map(async (nodeClass) => {
      const body = await read(`/object_info/${encodeURIComponent(nodeClass)}`, signal)
      return [nodeClass, readNodeInfo(body, nodeClass)] as const
    })
    return new Map(await Promise.all(entries))
  }

  return {
    upload,
    submit: (body: { prompt: Workflow; prompt_id: string; client_id: string }) =>
      http.call('POST', '/prompt', { json: body }),
    stateOf,
    placeInQueue,
    isKnown,
    download,
    cancel,
    deleteFromHistory,
    nodeInfos,
    /** Rejects when the server does not respond as ComfyUI does. */
    check: (signal: AbortSignal) => read('/queue', signal),
    close: () => http.close(),
  }
}
