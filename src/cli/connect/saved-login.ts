// The server and key that `dailies login` saved for this user: one file that only its owner may read.
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../platform/errors.ts'

interface SavedLogin {
  url: string
  key: string
}

export function loginPath(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'dailies', 'login.json')
}

export function readLogin(): SavedLogin | null {
  const path = loginPath()
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return null
  }
  try {
    const { url, key } = JSON.parse(text)
    if (typeof url === 'string' && typeof key === 'string') return { url, key }
  } catch {}
  throw new OperatorError(`${path} is not a saved login; dailies logout removes it`)
}

export function saveLogin(login: SavedLogin): void {
  const path = loginPath()
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
    // The mode above applies only to new files.
    chmodSync(path, 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const advice = 'set DAILIES_URL and DAILIES_KEY instead, or XDG_CONFIG_HOME to a writable folder'
    throw new OperatorError(`${path} cannot be written (${code}); ${advice}`, { cause: error })
  }
}

export function forgetLogin(): void {
  rmSync(loginPath(), { force: true })
}
