// Whether files can be written to a folder. A full disk still lets them be created, so bytes are written.
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { newToken } from '../platform/ids.ts'

const probe = Buffer.alloc(4096)

/** With less room, the next video probably fails, and so may the database where it is on the same disk. */
const roomMin = 32 * 2 ** 20

/** Makes the folder where it is missing, and rejects when nothing can be written there or almost no room is left. */
export async function checkWritable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { bavail, bsize } = await statfs(folder)
  const room = bavail * bsize
  if (room < roomMin) throw Object.assign(new Error(`only ${room} bytes are free in ${folder}`), { code: 'ENOSPC' })
  const path = join(folder, `probe-${newToken()}`)
  const file = await open(path, 'wx')
  try {
    // Before it is written: a process that is killed here leaves no file.
    await rm(path)
    await file.writeFile(probe)
  } finally {
    await file.close()
  }
}
