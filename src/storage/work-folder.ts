// A folder for files in the making. What an earlier process left there is removed when the next one starts.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { newToken } from '../platform/ids.ts'

/**
 * A process that has the data folder for itself takes all of `root`. Those that share one get a folder each, named after
 * machine and process, so that only what the dead have left is removed.
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
