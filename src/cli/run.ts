// Reads the command line, runs one command, prints what it answers. Exit codes: 0 done, 1 failed, 2 called wrongly.
import { parseArgs } from 'node:util'
import { loadConfig, readEnvironment } from '../config.ts'
import { OperatorError } from '../platform/errors.ts'
import { type Command, type CommandResult, UsageError } from './command.ts'
import { commands } from './commands.ts'
import { helpFor, helpForAll } from './help.ts'

export async function runCli(argv: string[]): Promise<number> {
  try {
    const { command, rest } = findCommand(argv)
    if (!command) {
      console.log(helpForAll(commands, argv[0]))
      return argv.length === 0 || wantsHelp(argv) ? 0 : 2
    }
    if (wantsHelp(rest)) {
      console.log(helpFor(command))
      return 0
    }
    return print(await runCommand(command, rest), rest.includes('--json'))
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`dailies: ${error.message}\nTry: dailies --help`)
      return 2
    }
    if (error instanceof OperatorError) {
      console.error(`dailies: ${error.message}`)
      return 1
    }
    throw error
  }
}

const wantsHelp = (argv: string[]) => argv.includes('--help') || argv.includes('-h')

/** Commands have one or two words. */
function findCommand(argv: string[]): { command: Command | undefined; rest: string[] } {
  const two = commands.find((command) => command.name === `${argv[0]} ${argv[1]}`)
  if (two) return { command: two, rest: argv.slice(2) }
  const one = commands.find((command) => command.name === argv[0])
  if (
    !one &&
    argv[0] !== undefined &&
    !argv[0].startsWith('-') &&
    !commands.some((c) => c.name.startsWith(`${argv[0]} `))
  ) {
    throw new UsageError(`there is no command "${argv[0]}"`)
  }
  return { command: one, rest: argv.slice(1) }
}

async function runCommand(command: Command, argv: string[]): Promise<CommandResult> {
  const { values, positionals } = readFlags(command, argv)
  const needed = command.args.filter((arg) => !arg.startsWith('['))
  if (positionals.length < needed.length || positionals.length > command.args.length) {
    throw new UsageError(`${command.name} takes ${command.args.join(' ') || 'no arguments'}`)
  }
  const config = loadConfig(readEnvironment())
  return command.run({ args: positionals, flags: values, config, json: values.json === true })
}

function readFlags(command: Command, argv: string[]) {
  const options = Object.fromEntries(
    Object.entries({ ...command.flags, json: { help: '' } }).map(([name, flag]) => [
      name,
      { type: 'value' in flag ? ('string' as const) : ('boolean' as const) },
    ]),
  )
  try {
    const parsed = parseArgs({ args: argv, options, allowPositionals: true })
    return { values: parsed.values as Record<string, string | boolean | undefined>, positionals: parsed.positionals }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function print(result: CommandResult, json: boolean): number {
  const text = json ? JSON.stringify(result.data) : result.text
  if (text !== '') console.log(text)
  return result.exitCode ?? 0
}
