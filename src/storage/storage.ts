// The storage port: bytes by key. Knows nothing of who owns them, how long they live (storage/files.ts) or how they are
// served (http).
import type { Readable } from 'node:stream'

export interface Storage {
  /** Moves a finished local file into storage. */
  put(key: string, localPath: string): Promise<void>
  /** A readable local path to the bytes, for programs that want a file. */
  localPath(key: string): Promise<string>
  /** A stream of the bytes from `start` to `end`, both inclusive. Rejects with ENOENT when there are none. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>
  /** Deleting what is not there is fine. */
  delete(key: string): Promise<void>
  /** Fails with a reason when the storage cannot be used. */
  check(): Promise<void>
  close?(): Promise<void>
}

/** Keys are made by us, but they are checked where they become a path or part of a URL. */
export function checkStorageKey(key: string): string {
  if (!/^[\w.-]+(\/[\w.-]+)*$/.test(key) || key.split('/').some((part) => /^\.+$/.test(part))) {
    throw new Error(`not a storage key: ${key}`)
  }
  return key
}
