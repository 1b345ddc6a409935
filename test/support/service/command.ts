// Commands of the command line in the test's own process: starting one takes half a second of processor time. Tests of
// what a process does (signals, servers, pipes) start one with process.ts.
import { runCli } from '../../../src/cli/run.ts'
import type { CliResult } from './process.ts'

let last: Promise<unknown> = Promise.resolve()

/** Runs one command to its end; one after the other, because settings and output belong to the whole process. */
export function runCommand(args: string[], env: Record<string, string> = {}): Promise<CliResult> {
  const result = last.then(() => runHere(args, env))
  last = result.catch(() => {})
  return result
}

/** The JSON document that a command prints with --json. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function commandJson(args: string[], env: Record<string, string> = {}): Promise<any> {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], env)
  if (code !== 0) throw new Error(`dailies ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`)
  return JSON.parse(stdout)
}

async function runHere(args: string[], env: Record<string, string>): Promise<CliResult> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const)
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  Object.assign(process.env, env)
  try {
    const code = await runCli(args)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    stdout.restore()
    stderr.restore()
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/** What is written as text. The reports of the test runner are bytes, and pass. */
function capture(stream: NodeJS.WriteStream) {
  let text = ''
  const write = stream.write
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    if (typeof chunk !== 'string') return Reflect.apply(write, stream, [chunk, ...rest])
    text += chunk
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  }) as typeof stream.write
  return {
    text: () => text,
    restore: () => {
      stream.write = write
    },
  }
}
