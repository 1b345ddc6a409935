// Local copies of stored files, for programs that need a path. Each file is fetched once; the least recently used
// copies are deleted first. Owns its folder, and ignores files that were there before.
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { newToken } from '../platform/ids.ts'

interface FileCacheOptions {
  dir: string
  /** The total size; exceeded only by copies that were requested recently. */
  bytesMax: number
  /** A copy requested this recently may be about to be opened, so it is kept. */
  sparedMs?: number
  /** Writes the bytes of a key to a local path. */
  fetchTo(key: string, path: string): Promise<void>
}

interface Copy {
  path: string
  bytes: number
  askedAtMs: number
}

export function createFileCache({ dir, bytesMax, sparedMs = 600_000, fetchTo }: FileCacheOptions) {
  // Least recently used first.
  const copies = new Map<string, Copy>()
  const fetching = new Map<string, Promise<string>>()
  let bytes = 0

  async function fetchCopy(key: string): Promise<string> {
    // An operator may have deleted its file, to make room.
    const gone = copies.get(key)
    if (gone) await remove(key, gone)
    await mkdir(dir, { recursive: true })
    const path = join(dir, newToken())
    try {
      await fetchTo(key, `${path}.part`)
      await rename(`${path}.part`, path)
    } catch (error) {
      await rm(`${path}.part`, { force: true })
      throw error
    }
    const copy = { path, bytes: (await stat(path)).size, askedAtMs: performance.now() }
    copies.set(key, copy)
    bytes += copy.bytes
    await makeRoom()
    return path
  }

  async function makeRoom() {
    const sparedSinceMs = performance.now() - sparedMs
    for (const [key, copy] of copies) {
      if (bytes <= bytesMax || copy.askedAtMs > sparedSinceMs) return
      await remove(key, copy)
    }
  }

  async function remove(key: string, copy: Copy) {
    copies.delete(key)
    bytes -= copy.bytes
    await rm(copy.path, { force: true })
  }

  return {
    /** A path to the file's bytes. It stays valid while recently requested copies are kept. */
    async path(key: string): Promise<string> {
      const copy = copies.get(key)
      if (copy && existsSync(copy.path)) {
        copies.delete(key)
        copies.set(key, { ...copy, askedAtMs: performance.now() })
        return copy.path
      }
      let fetched = fetching.get(key)
      if (!fetched) {
        fetched = fetchCopy(key).finally(() => fetching.delete(key))
        fetching.set(key, fetched)
      }
      return fetched
    },
    /** Deletes a copy that is no longer needed. */
    async drop(key: string): Promise<void> {
      const copy = copies.get(key)
      if (copy) await remove(key, copy)
    },
  }
}
