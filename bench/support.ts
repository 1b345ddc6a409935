// What benchmarks share: subjects in processes of their own, a load generator in another, medians, processor time and a table.
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

/** The processor time that work takes in this process, in seconds. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const used = process.cpuUsage(before)
  return (used.user + used.system) / 1e6
}

/** The value that `share` of all stay at or below. */
export function percentile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)]!
}

export interface Subject {
  url: string
  stop(): Promise<void>
}

/** Runs a module that sends `{ url }` to its parent once it listens, and ends when it is disconnected. */
export async function startSubject(module: URL, args: string[], env: Record<string, string> = {}): Promise<Subject> {
  const child: ChildProcess = fork(fileURLToPath(module), args, { env: { ...process.env, ...env } })
  const ended = once(child, 'exit')
  const [message] = await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => {
      throw new Error(`${args.join(' ')} ended with ${code}`)
    }),
  ])
  return {
    url: (message as { url: string }).url,
    async stop() {
      child.disconnect()
      await ended
    },
  }
}

export interface Load {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
  connections: number
  seconds: number
}

/** Responses with 2xx per second. Fails on any other response, because refusals are cheaper than what is measured. */
export async function requestsPerSecond(url: string, load: Load): Promise<number> {
  const headers = Object.entries(load.headers ?? {}).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const body = load.body === undefined ? [] : ['-b', load.body]
  const args = ['-j', '-n', '-c', String(load.connections), '-d', String(load.seconds), '-m', load.method]
  const autocannon = fileURLToPath(import.meta.resolve('autocannon'))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [autocannon, ...args, ...headers, ...body, url + load.path],
    { maxBuffer: 2 ** 24 },
  )
  const result = JSON.parse(stdout) as { '2xx': number; non2xx: number; errors: number; duration: number }
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}${load.path}: ${result.non2xx} refusals and ${result.errors} errors`)
  }
  return result['2xx'] / result.duration
}

/**
 * One measurement of every subject a round, so that a busy machine slows all of them alike. Medians by name, without
 * the first round: code that has not run for a while yet is slow, and the more so the more there is of it.
 */
export async function interleaved<Name extends string>(
  rounds: number,
  subjects: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(subjects) as Name[]
  const measured = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const value = await subjects[name]()
      if (round > 0) measured.get(name)!.push(value)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(measured.get(name)!)])) as Record<Name, number>
}
