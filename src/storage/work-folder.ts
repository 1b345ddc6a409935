// A folder for unfinished files. Files left by an earlier process are deleted at start.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { newToken } from '../platform/ids.ts'

/**
 * A process that has the data folder for itself clears all of `root`. Processes that share it each get a folder named
 * after machine and process, so that only the folders of ended processes are deleted.
 */
export async function openWorkFolder(
  root: string,
  options: { shared: boolean },
): Promise<{ path: string; remove(): Promise<void> }> {
  const host = hostname().replace(/[^\w-]/g, '_')
  const stale = options.shared ? (await entriesOf(root)).filter((name) => isStale(name, host)) : ['']
  for (const name of stale) await rm(join(root, name), { recursive: true, force: true })
  const path = options.shared ? join(root, `${host}.${process.pid}.${newToken()}`) : root
  await mkdir(path, { recursive: true })
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
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
