// The service as a process of its own, for tests that kill it, and the command line beside it.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Api, createApi } from './api.ts'
import { createKeptLog, hide } from './kept-log.ts'
import { testKey } from './service.ts'

const program = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const testProgram = fileURLToPath(new URL('main.ts', import.meta.url))

/** The program itself, but where a service of the test generates with the scripted engine, or has a lease of its own. */
export const mainFor = (env: Record<string, string>) =>
  env.TEST_ENGINE === 'scripted' || env.TEST_LEASE !== undefined ? testProgram : program

export interface ServiceProcess {
  url: string
  api: Api
  child: ChildProcess
  /** Everything it printed. */
  output(): string
  /** Resolves with the exit code; null when a signal ended it. */
  exited: Promise<number | null>
  /** Sends a signal and waits for the end; returns the exit code. */
  kill(signal: NodeJS.Signals): Promise<number | null>
}

export function startProcess(
  env: Record<string, string>,
  args = ['serve', '--work'],
  options: ProcessOptions = {},
): Promise<ServiceProcess> {
  return start(args, env, /listens on (\S+)/, options)
}

export interface ProcessOptions {
  /** The limit on open files. */
  descriptors?: number
  /** The program to start instead of this release's. */
  main?: string
}

/** A worker of a service on PostgreSQL. */
export function startWorker(
  env: Record<string, string>,
  args: string[] = [],
  options: ProcessOptions = {},
): Promise<Omit<ServiceProcess, 'api'>> {
  return start(['work', ...args], env, /works on (\S+)/, options)
}

async function start(
  args: string[],
  env: Record<string, string>,
  greeting: RegExp,
  { descriptors, main }: ProcessOptions,
): Promise<ServiceProcess> {
  const settings = {
    DAILIES_PORT: '0',
    DAILIES_API_KEY: testKey,
    TEST_ENGINE: 'scripted',
    DAILIES_RATE_LIMIT: 'off',
    DAILIES_LOG_LEVEL: 'debug',
    DAILIES_FETCH_PATIENCE: '0s',
    ...env,
  }
  const command = [process.execPath, main ?? mainFor(settings), ...args]
  const limited =
    descriptors === undefined ? command : ['sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh', ...command]
  const child = spawn(limited[0]!, limited.slice(1), {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let logged = ''
  hide(settings.DAILIES_API_KEY)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  child.stderr.on('data', (chunk) => {
    printed += chunk
    logged += chunk
  })
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      printed += `${line}\n`
      const address = greeting.exec(line)?.[1]
      if (address) resolve(address)
    })
    exited.then((code) => reject(new Error(`the service ended with ${code}: ${printed}`)))
  })
  return {
    url,
    child,
    api: createApi(env.DAILIES_PORT ? `http://127.0.0.1:${env.DAILIES_PORT}` : url, env.DAILIES_API_KEY ?? testKey),
    output: () => printed,
    exited,
    async kill(signal) {
      child.kill(signal)
      const code = await exited
      // Another release's log is its own matter.
      if (main === undefined) {
        const kept = createKeptLog()
        kept.add(logged)
        kept.check()
      }
      return code
    },
  }
}

export interface CliResult {
  code: number
  stdout: string
  stderr: string
}

/** Runs one command of the command line to its end. */
export function runCli(args: string[], env: Record<string, string> = {}): Promise<CliResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [mainFor(env), ...args],
      { env: { ...process.env, ...env } },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
      },
    )
  })
}

/** The JSON document that a command prints with --json. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function cliJson(args: string[], env: Record<string, string> = {}): Promise<any> {
  const { code, stdout, stderr } = await runCli([...args, '--json'], env)
  if (code !== 0) throw new Error(`dailies ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`)
  return JSON.parse(stdout)
}
