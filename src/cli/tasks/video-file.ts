// The file that a video is saved to: whether it can be there, and a write that leaves a whole file or none.
import { spawn } from 'node:child_process'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OperatorError } from '../../platform/errors.ts'

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
