// Storage in a local folder. A file appears under its key only when all of it is written. What takes microseconds is done
// in this thread: handing it to another one costs more. Only waiting for the disk is left to others.
import { closeSync, fsync, openSync, renameSync } from 'node:fs'
import { access, constants, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createBatcher } from '../platform/batcher.ts'
import { asError } from '../platform/errors.ts'
import { checkStorageKey, type Storage } from './storage.ts'

const syncFile = promisify(fsync)

async function sync(path: string): Promise<void> {
  const file = openSync(path, 'r+')
  await syncFile(file).finally(() => closeSync(file))
}

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
    async put(key, localPath) {
      const path = pathOf(key)
      try {
        renameSync(localPath, path)
      } catch (error) {
        // Folders are made once and stay.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        await mkdir(dirname(path), { recursive: true })
        renameSync(localPath, path)
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
        return Readable.from([])
      }
      return file.createReadStream(range ?? {})
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    async check() {
      await mkdir(root, { recursive: true })
      await access(root, constants.W_OK)
    },
  }
}
