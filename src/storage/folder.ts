// Storage in a local folder. What takes microseconds is done in this thread: handing it to another one costs more. Only
// waiting for the disk is left to others.
import { closeSync, fsync, openSync, renameSync } from 'node:fs'
import { copyFile, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createBatcher } from '../platform/batcher.ts'
import { asError, withErrorListener } from '../platform/errors.ts'
import { checkWritable } from './check-writable.ts'
import { checkStorageKey, type Storage } from './storage.ts'

const syncFile = promisify(fsync)

async function sync(path: string): Promise<void> {
  const file = openSync(path, 'r+')
  await syncFile(file).finally(() => closeSync(file))
}

async function move(from: string, to: string): Promise<void> {
  try {
    renameSync(from, to)
  } catch (error) {
    // The folder may be a mount of its own. Until all is copied, only the caller knows the key.
    if (codeOf(error) !== 'EXDEV') throw error
    await copyFile(from, to)
    await rm(from)
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** A disk that hangs on one file delays the files after it by at most this much. */
const stuckAfterMs = 1000
const syncsMax = 256

export function createFolderStorage(root: string): Storage {
  const pathOf = (key: string) => join(root, checkStorageKey(key))
  // Files that are ready together are synced together: the file system then writes its journal once for several of them.
  const syncs = createBatcher<string, undefined>(
    (paths) => Promise.all(paths.map((path) => sync(path).then(() => undefined, asError))),
    { batchMax: syncsMax, stuckAfterMs },
  )

  return {
    async put(key, localPath, signal) {
      signal?.throwIfAborted()
      const path = pathOf(key)
      try {
        await move(localPath, path)
      } catch (error) {
        // Folders are made once and stay.
        if (codeOf(error) !== 'ENOENT') throw error
        await mkdir(dirname(path), { recursive: true })
        await move(localPath, path)
      }
      // The bytes and their name must be on disk before a record that points at them. On the file systems of Linux with a
      // journal, a sync that follows the renaming covers both.
      await syncs.add(path)
    },
    localPath: async (key) => pathOf(key),
    async read(key, range) {
      const file = await open(pathOf(key), 'r')
      if (range && range.end < range.start) {
        // A stream cannot read a range of an empty file.
        await file.close()
        return withErrorListener(Readable.from([]))
      }
      return withErrorListener(file.createReadStream(range ?? {}))
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    check: () => checkWritable(root),
  }
}
