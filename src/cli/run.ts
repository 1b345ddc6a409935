// Reads the command line, runs one command, prints its result. Exit codes: 0 done, 1 failed, 2 called wrongly.
import { parseArgs } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import type { AppOverrides } from '../app.ts'
import { type Config, loadConfig, readEnvironment } from '../config.ts'
import { DatabaseBusy, Unreachable } from '../db/db.ts'
import { asError, OperatorError } from '../platform/errors.ts'
import { nearest } from '../schema/nearest.ts'
import { type Command, type CommandInput, type CommandResult, FailedTask, flagsOf, UsageError } from './command.ts'
import { commandGroups, commands } from './commands.ts'
import { withClient, withDatabaseClient } from './connect/client.ts'
import { helpFor, helpForAll, helpForGroup, usage } from './help.ts'
import { harmless } from './terminal/print.ts'

export async function runCli(argv: string[], overrides: AppOverrides = {}): Promise<number> {
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv
  try {
    const found = findCommand(words)
    if (typeof found === 'string') {
      console.log(found)
      return 0
    }
    return print(await runCommand(found.command, found.rest, overrides), found.rest.includes('--json'))
  } catch (error) {
    return explain(error, words)
  }
}

/** SQLSTATE of PostgreSQL. */
const insufficientPrivilege = '42501'

function explain(error: unknown, words: string[]): number {
  if (error instanceof UsageError) {
    const known = commands.find((command) => `${words.join(' ')} `.startsWith(`${command.name} `))
    console.error(`dailies: ${error.message}\nTry: dailies ${known ? `${known.name} ` : ''}--help`)
    return 2
  }
  if (error instanceof FailedTask && words.includes('--json')) console.log(JSON.stringify(error.data))
  if (error instanceof OperatorError) {
    console.error(`dailies: ${harmless(error.message)}`)
    return 1
  }
  if (error instanceof DatabaseBusy) {
    console.error('dailies: another process keeps the database locked; nothing was changed, try again shortly')
    return 1
  }
  if (error instanceof Unreachable) {
    console.error(`dailies: the database cannot be reached: ${asError(error.cause).message}\nTry: dailies doctor`)
    return 1
  }
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (code === insufficientPrivilege) {
    console.error(`dailies: the role of DAILIES_DATABASE_URL lacks a right: ${message}\nTry: dailies doctor`)
    return 1
  }
  if (code === 'ERR_SQLITE_ERROR' || syscall !== undefined) {
    console.error(`dailies: ${message}\nTry: dailies doctor`)
    return 1
  }
  console.error('dailies: something unexpected went wrong')
  console.error(error)
  return 1
}

const wantsHelp = (argv: string[]) => argv.includes('--help') || argv.includes('-h')

/** The command and what follows it, or a text to print instead of running one. Commands have one or two words. */
function findCommand(argv: string[]): { command: Command; rest: string[] } | string {
  const [first, second] = argv
  if (first === '--version' || first === '-v') return packageJson.version
  if (first === undefined || first.startsWith('-')) {
    if (first === undefined || wantsHelp(argv)) return helpForAll(commandGroups)
    throw new UsageError(`the command must come first, not ${first}`)
  }
  const command =
    commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first)
  if (command) {
    const rest = argv.slice(command.name.split(' ').length)
    return wantsHelp(rest) ? helpFor(command) : { command, rest }
  }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length === 0) {
    const known = new Set(commands.map(({ name }) => name.split(' ')[0]!))
    throw new UsageError(`there is no command "${first}"${didYouMean(first, [...known])}`)
  }
  if (second === undefined || wantsHelp([second])) return helpForGroup(first, group)
  const verbs = group.map(({ name }) => name.slice(first.length + 1))
  throw new UsageError(
    `there is no command "${first} ${second}"${didYouMean(second, verbs, `${first} `) || `; ${first} has ${verbs.join(', ')}`}`,
  )
}

function didYouMean(word: string, known: string[], before = ''): string {
  const meant = nearest(word, known)
  return meant === null ? '' : `; did you mean "${before}${meant}"?`
}

async function runCommand(command: Command, argv: string[], overrides: AppOverrides): Promise<CommandResult> {
  const { values, positionals } = readFlags(command, argv)
  const { args = [], run, atServer, operate, prefersServer } = command
  const needed = args.filter((arg) => !arg.startsWith('['))
  if (positionals.length < needed.length) {
    throw new UsageError(`${needed[positionals.length]} is missing: dailies ${usage(command)}`)
  }
  if (positionals.length > args.length) {
    throw new UsageError(`"${positionals[args.length]}" is one argument too many: dailies ${usage(command)}`)
  }
  const isNamed = prefersServer === true && (readEnvironment().DAILIES_URL ?? '').trim() !== ''
  let config: Config | undefined
  const input: CommandInput = {
    args: positionals,
    flags: values,
    get config() {
      config ??= loadConfig(readEnvironment())
      return config
    },
    overrides,
    json: values.json === true,
    isRemote: values.url !== undefined || values.remote === true || isNamed,
  }
  if (run) return run(input)
  const work = (operate ?? atServer!)(input)
  return operate && !input.isRemote
    ? withDatabaseClient(input.config, work)
    : withClient(input, work, { needsOperator: operate !== undefined })
}

/** Marks a negative number, which would otherwise be read as a flag. */
const negative = '\0'

function readFlags(command: Command, argv: string[]) {
  const options = Object.fromEntries(
    Object.entries(flagsOf(command)).map(([name, flag]) => [
      name,
      { type: 'value' in flag ? ('string' as const) : ('boolean' as const), multiple: flag.many === true },
    ]),
  )
  const args = argv.map((word) => (/^-\d/.test(word) ? negative + word : word))
  const plain = (word: string) => word.replace(negative, '')
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true })
    const values = Object.entries(parsed.values)
    return {
      values: Object.fromEntries(
        values.map(([name, value]) => [
          name,
          typeof value === 'string' ? plain(value) : Array.isArray(value) ? value.map(String).map(plain) : value,
        ]),
      ),
      positionals: parsed.positionals.map(plain),
    }
  } catch (error) {
    throw new UsageError(flagProblem(error as Error & { code?: string }, command))
  }
}

function flagProblem(error: Error & { code?: string }, command: Command): string {
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const flag = /'(-[^']*)'/.exec(error.message)?.[1] ?? 'this flag'
    const known = [...Object.keys(flagsOf(command)), 'help']
    // Dashes are ignored when looking for a similar flag.
    const meant = didYouMean(flag.replace(/^-+/, ''), known, '--')
    return `${command.name} does not know ${flag}${meant}; it takes ${known.map((name) => `--${name}`).join(', ')}`
  }
  const flag = /'--([\w-]+)/.exec(error.message)?.[1]
  const value = flag === undefined ? undefined : flagsOf(command)[flag]?.value
  return value === undefined ? error.message.split('\n')[0]! : `--${flag} needs a value: --${flag} ${value}`
}

function print(result: CommandResult, json: boolean): number {
  const text = json ? (result.data === undefined ? '' : JSON.stringify(result.data)) : result.text
  if (text !== '') console.log(text)
  return result.exitCode ?? 0
}
