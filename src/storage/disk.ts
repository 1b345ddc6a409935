// How much room a disk has.
import { statfs } from 'node:fs/promises'

interface Disk {
  freeBytes: number
  totalBytes: number
}

/** Of the disk that a folder is on; null where the system does not say. */
export async function diskOf(folder: string): Promise<Disk | null> {
  const found = await statfs(folder).catch(() => null)
  return found && { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize }
}
