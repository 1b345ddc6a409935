// A folder for unfinished files. Files left by an earlier process are deleted at start.
import { existsSync, readdirSync, renameSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { newToken } from '../platform/ids.ts'
import { checkWritable } from './check-writable.ts'

export interface WorkFolder {
  path: string
  /**
   * Runs `work` with an empty folder of its own inside this one, and deletes what it leaves there. Name it after the task,
   * so that the open files of a process show which tasks it works on; a name that is in use gets a suffix.
   */
  withFolder<T>(name: string, work: (path: string) => Promise<T>): Promise<T>
  /** Rejects when nothing can be written there. */
  check(): Promise<void>
  remove(): Promise<void>
}

/**
 * A process that has the data folder for itself clears all of `root`. Processes that share it each get a folder named
 * after machine and process, so that only the folders of ended processes are deleted.
 */
export async function openWorkFolder(root: string, options: { shared: boolean }): Promise<WorkFolder> {
  const host = hostname().replace(/[^\w-]/g, '_')
  const stale = options.shared ? (await entriesOf(root)).filter((name) => isStale(name, host)) : ['']
  for (const name of stale) await rm(join(root, name), { recursive: true, force: true })
  const path = options.shared ? join(root, `${host}.${process.pid}.${newToken()}`) : root
  await mkdir(path, { recursive: true })
  return {
    path,
    withFolder: createFolders(path),
    check: () => checkWritable(path),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/**
 * Empty folders are used again instead of being deleted: ext4 searches past everything deleted in the last minutes
 * whenever it creates a file, and at hundreds of tasks per second that took a third of a worker's time.
 */
function createFolders(root: string): WorkFolder['withFolder'] {
  const free = new Set<string>()
  const used = new Set<string>()

  async function take(path: string): Promise<void> {
    const [other] = free.has(path) ? [path] : free
    if (other !== undefined) {
      free.delete(other)
      if (existsSync(other)) return renameSync(other, path)
    }
    // An operator may have deleted everything, to make room.
    await mkdir(path, { recursive: true })
  }

  return async (name, work) => {
    const named = join(root, name)
    // A job that was taken back may be claimed by the same process again, before its first handler has stopped.
    const path = used.has(named) ? `${named}.${newToken()}` : named
    used.add(path)
    // Failed work may still write to its folder, so that one is never used again.
    let isReusable = false
    try {
      await take(path)
      const result = await work(path)
      isReusable = isEmpty(path)
      return result
    } finally {
      if (isReusable) free.add(path)
      else await rm(path, { recursive: true, force: true })
      used.delete(path)
    }
  }
}

/** False also for a folder that an operator has deleted. */
function isEmpty(path: string): boolean {
  try {
    return readdirSync(path).length === 0
  } catch {
    return false
  }
}

async function entriesOf(root: string): Promise<string[]> {
  return readdir(root).catch(() => [])
}

function isStale(name: string, host: string): boolean {
  const [owner, pid] = name.split('.')
  if (owner !== host) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
