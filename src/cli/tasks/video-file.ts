// The file that a video is saved to: a name from its prompt and id, and a write that leaves a whole file or none.
import { spawn } from 'node:child_process'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { TaskRecord } from '../../../client/src/public.ts'
import { OperatorError } from '../../platform/errors.ts'

const slugCharactersMax = 48

/** `slow-push-in-on-the-boat-1a2b3c4d.mp4` */
export function defaultName(record: Pick<TaskRecord, 'taskId' | 'param'>): string {
  const words = promptOf(record)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
  const slug = [...words].slice(0, slugCharactersMax).join('').replace(/^-|-$/g, '')
  return `${slug || 'video'}-${record.taskId.slice(-8)}.mp4`
}

export function promptOf(record: Pick<TaskRecord, 'param'>): string {
  const { input, prompt } = JSON.parse(record.param) as { input?: { prompt?: string }; prompt?: string }
  return input?.prompt ?? prompt ?? ''
}

/** Reports a problem with the path before the server is called. */
export async function checkPlace(path: string): Promise<void> {
  const folder = await stat(dirname(path)).catch(() => null)
  if (!folder?.isDirectory()) throw new OperatorError(`there is no folder ${dirname(path)} for --out`)
  if ((await stat(path).catch(() => null))?.isDirectory()) throw new OperatorError(`--out ${path} is a folder`)
}

export async function saveVideo(video: Blob, path: string): Promise<void> {
  const partPath = `${path}.part`
  try {
    await writeFile(partPath, video.stream())
    await rename(partPath, path)
  } catch (error) {
    await rm(partPath, { force: true })
    throw new OperatorError(`cannot write ${path}: ${(error as Error).message}`, { cause: error })
  }
}

/** Shows the file with the desktop's own player. */
export function openFile(path: string): void {
  const child = spawn('xdg-open', [path], { detached: true, stdio: 'ignore' })
  child.on('error', () => console.error(`dailies: xdg-open is not installed; the video is ${path}`))
  child.unref()
}
