// Whether files can be written to a folder. A full disk still lets them be created, so bytes are written.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newToken } from '../platform/ids.ts'

const probe = Buffer.alloc(4096)

/** Makes the folder where it is missing, and rejects when nothing can be written there. */
export async function checkWritable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `probe-${newToken()}`)
  try {
    await writeFile(path, probe)
  } finally {
    await rm(path, { force: true })
  }
}
