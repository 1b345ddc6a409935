// The doctor's checks of the environment: Node, settings, folder, disk, and whether a server responds.
import { access, constants, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Config, loadConfig, ownUrl } from '../../config.ts'
import { isServerRunning } from '../../db/sqlite/server-lock.ts'
import { isLoopbackHost } from '../../platform/networks.ts'
import { checkWritable } from '../../storage/check-writable.ts'
import { readServerAddress } from '../connect/server-address.ts'
import { bytesText } from '../terminal/print.ts'

export interface Check {
  name: string
  status: 'ok' | 'warning' | 'problem'
  /** What was found. */
  message: string
  /** What to do about it; null when there is nothing to do. */
  advice: string | null
}

export const fine = (name: string, message: string): Check => ({ name, status: 'ok', message, advice: null })
const withAdvice =
  (status: Check['status']) =>
  (name: string, message: string, advice: string): Check => ({ name, status, message, advice })
export const warning = withAdvice('warning')
export const problem = withAdvice('problem')

const nodeMajorMin = 24

export function checkNode(version: string): Check {
  return Number(version.split('.')[0]) >= nodeMajorMin
    ? fine('node', `Node ${version}`)
    : problem('node', `Node ${version} is too old`, `run it with Node ${nodeMajorMin} or newer; npm ci installs one`)
}

/** Whether every setting can be read, and whether each is one and may be meant. */
export function checkSettings(env: Record<string, string | undefined>): Check[] {
  try {
    const { warnings, set } = loadConfig(env)
    return [
      fine('settings', set === 0 ? 'all defaults' : `${set} set, the others at their defaults`),
      ...warnings.map((message) => warning('settings', message, 'correct it in the environment or in .env')),
    ]
  } catch (error) {
    const advice = 'correct it in the environment, in .env or in dailies.config.json'
    return [problem('settings', (error as Error).message, advice)]
  }
}

/** Writes and deletes a file where the service would; before the first start, looks at where the folder will be. */
export async function checkFolder(dataDir: string): Promise<Check[]> {
  const folder = resolve(dataDir)
  const advice = `make ${folder} a folder that this user may write to, or set DAILIES_DATA to another`
  const existing = await nearestExisting(folder)
  if (!existing.isFolder) return [problem('data folder', `${existing.path} is not a folder`, advice)]
  if (existing.path !== folder) {
    return access(existing.path, constants.W_OK).then(
      () => [fine('data folder', `${folder} does not exist yet; the first start creates it`)],
      () => [problem('data folder', `${folder} does not exist and cannot be created in ${existing.path}`, advice)],
    )
  }
  try {
    await checkWritable(folder)
    return [fine('data folder', `${folder} can be written to`)]
  } catch (error) {
    return [problem('data folder', `${folder} cannot be written to (${(error as NodeJS.ErrnoException).code})`, advice)]
  }
}

async function nearestExisting(path: string): Promise<{ path: string; isFolder: boolean }> {
  try {
    return { path, isFolder: (await stat(path)).isDirectory() }
  } catch {
    return path === dirname(path) ? { path, isFolder: true } : nearestExisting(dirname(path))
  }
}

/** File URLs, also those in callbacks, begin with it. */
export function checkPublicUrl({ publicUrl, host, databaseUrl }: Config): Check {
  if (publicUrl !== null) return fine('public URL', publicUrl)
  // One machine that only serves itself needs none.
  if (isLoopbackHost(host) && databaseUrl === null) return fine('public URL', 'the listening address, on loopback')
  const message = 'DAILIES_PUBLIC_URL is not set: file URLs begin with the listening address'
  return warning('public URL', message, 'set DAILIES_PUBLIC_URL to the address at which clients reach the service')
}

// Rendering a 4k video needs much less than this.
const freeBytesMin = 500 * 2 ** 20
const freeBytesLow = 5 * 2 ** 30

export async function checkDisk(dataDir: string): Promise<Check> {
  const { path } = await nearestExisting(resolve(dataDir))
  const { bavail, bsize } = await statfs(path)
  const free = bavail * bsize
  const message = `${bytesText(free)} free`
  const advice = 'free some space, or set DAILIES_DATA to a folder on another disk'
  if (free < freeBytesMin) return problem('disk', `only ${message}`, advice)
  return free < freeBytesLow ? warning('disk', `only ${message}`, advice) : fine('disk', message)
}

const answerWithinMs = 3000

/** A missing server is no problem: the doctor may run before the first start. */
export async function checkServer(config: Config): Promise<Check[]> {
  const holdsFolder = folderIsServed(config)
  const known = holdsFolder ? readServerAddress(config.dataDir) : null
  if (known === null && config.port === 0) return []
  const url = known ?? ownUrl(config)
  const folder = resolve(config.dataDir)
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(answerWithinMs), redirect: 'manual' })
    const body = (await response.json().catch(() => null)) as { code?: number; msg?: string } | null
    if (body?.code !== 200 && body?.code !== 503) {
      const other = `another program responds on ${url}`
      return [problem('server', other, 'stop it, or set DAILIES_PORT to a free port')]
    }
    if (holdsFolder === false) {
      const other = `the one that responds on ${url} does not use the data folder ${folder}`
      return [problem('server', other, 'set DAILIES_DATA as that server has it, or DAILIES_PORT to another port')]
    }
    if (body.code === 200) return [fine('server', `responds on ${url}`)]
    return [problem('server', `responds on ${url}, but is ${body.msg}`, 'look at its log and at the checks above')]
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') {
      return [problem('server', `something listens on ${url} but does not respond`, 'look at its log, or restart it')]
    }
    if (holdsFolder) {
      const elsewhere = `one uses the data folder ${folder}, but none responds on ${url}`
      return [warning('server', elsewhere, 'set DAILIES_HOST and DAILIES_PORT as that server has them')]
    }
    return [fine('server', `none responds on ${url}; start one with: npm start`)]
  }
}

/** Whether a server runs on the data folder; null where it cannot be known, as with PostgreSQL. */
function folderIsServed({ databaseUrl, dataDir }: Config): boolean | null {
  if (databaseUrl !== null) return null
  try {
    return isServerRunning(join(resolve(dataDir), 'server.lock'))
  } catch {
    // Another user's file, which the check of the folder reports.
    return null
  }
}
