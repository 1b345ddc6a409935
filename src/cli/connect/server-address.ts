// Where the server of a data folder listens: written by `dailies serve`, so that commands find a server whose port was set
// only for it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const addressPath = (dataDir: string) => join(dataDir, 'server-address')

/** Returns a function that removes it again. A crashed server leaves it behind: it counts only while the lock is held. */
export function writeServerAddress(dataDir: string, url: string): () => void {
  writeFileSync(addressPath(dataDir), `${url}\n`, { mode: 0o600 })
  return () => removeServerAddress(dataDir)
}

export function removeServerAddress(dataDir: string): void {
  rmSync(addressPath(dataDir), { force: true })
}

export function readServerAddress(dataDir: string): string | null {
  try {
    return readFileSync(addressPath(dataDir), 'utf8').trim() || null
  } catch {
    return null
  }
}
