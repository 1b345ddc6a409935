// A disk that a test can fill: a file system of our own where we may mount one; elsewhere a limit on the size of files,
// which fails the writes of the processes that it is set for alike.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallDisk {
  dir: string
  /** From now on the processes that use it cannot write, or almost nothing if some bytes are left. */
  fill(pids: number[], leftBytes?: number): Promise<void>
  free(pids: number[]): Promise<void>
  remove(): Promise<void>
}

export async function createSmallDisk(megabytes: number): Promise<SmallDisk> {
  const dir = await mkdtemp(join(tmpdir(), 'dailies-disk-'))
  const removeDir = () => rm(dir, { recursive: true, force: true })
  const limitFiles = (pids: number[], bytes: string) => {
    for (const pid of pids) execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
  }
  const ballast = join(dir, 'ballast')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', dir], { stdio: 'ignore' })
  } catch {
    return {
      dir,
      fill: async (pids) => limitFiles(pids, '0'),
      free: async (pids) => limitFiles(pids, 'unlimited'),
      remove: removeDir,
    }
  }
  return {
    dir,
    async fill(_pids, leftBytes = 0) {
      const { bavail, bsize } = await statfs(dir)
      // Others write too: the last bit of room may be taken meanwhile.
      await writeFile(ballast, Buffer.alloc(bavail * bsize - leftBytes)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOSPC') throw error
      })
    },
    free: () => rm(ballast),
    async remove() {
      // A process that was killed a moment ago may still hold it.
      execFileSync('umount', ['--lazy', dir])
      await removeDir()
    },
  }
}
