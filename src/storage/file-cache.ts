// Local copies of stored files for programs that want a path: each is fetched once, the longest unused go first.
// Owns its folder; what is in it at the start is not known and not used.
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { newToken } from '../platform/ids.ts'

export interface FileCache {
  /** A path to the file's bytes, which stays valid for as long as a copy that was asked for just now is spared. */
  path(key: string): Promise<string>
  /** Forgets a copy that is of no use any more. */
  drop(key: string): Promise<void>
}

export interface FileCacheOptions {
  dir: string
  /** Together; exceeded only by copies that are spared. */
  bytesMax: number
  /** A copy that was asked for so recently may be about to be opened. */
  sparedMs?: number
  /** Writes the bytes of a key to a local path. */
  fetchTo(key: string, path: string): Promise<void>
}

interface Copy {
  path: string
  bytes: number
  askedAtMs: number
}

export function createFileCache({ dir, bytesMax, sparedMs = 600_000, fetchTo }: FileCacheOptions): FileCache {
  // In order of last use.
  const copies = new Map<string, Copy>()
  const fetching = new Map<string, Promise<string>>()
  let bytes = 0

  async function fetchCopy(key: string): Promise<string> {
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
    async path(key) {
      const copy = copies.get(key)
      if (copy) {
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
    async drop(key) {
      const copy = copies.get(key)
      if (copy) await remove(key, copy)
    },
  }
}
