// Programs that tests and benchmarks take from Debian: found, or installed where that is possible.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Where the program is; `who` says in the error who needs it. */
export function findProgram(path: string, debianPackage: string, who: string): string {
  if (existsSync(path)) return path
  if (process.getuid?.() === 0) {
    try {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
      execFileSync('apt-get', ['update'], { env, stdio: 'ignore', timeout: 120_000 })
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', debianPackage], {
        env,
        stdio: 'ignore',
        timeout: 280_000,
      })
    } catch {
      // Told below, in one line.
    }
    if (existsSync(path)) return path
  }
  throw new Error(`${who} need ${path}: apt-get install ${debianPackage}`)
}
