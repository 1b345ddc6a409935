// What a command is, and checks of arguments that many commands share.
import type { Dailies, TaskFailed } from '../../client/src/public.ts'
import type { AppOverrides } from '../app.ts'
import type { Config } from '../config.ts'
import { parseDuration } from '../platform/durations.ts'
import { OperatorError } from '../platform/errors.ts'

interface Flag {
  /** What the flag's value is called in the help; none for a switch. */
  value?: string
  help: string
  /** May be given more than once. */
  many?: true
}

export type Flags = Record<string, Flag>

type FlagValue<F extends Flag> = F extends { many: true } ? string[] : F extends { value: string } ? string : true

/** The values of flags, as their declarations say; those that are not given are missing. */
export type FlagValues<F extends Flags> = { [Name in keyof F]?: FlagValue<F[Name]> }

/** `[NAME]` is optional. */
type ArgValues<Args extends readonly string[]> = {
  [Index in keyof Args]: Args[Index] extends `[${string}]` ? string | undefined : string
}

/** For commands that talk to a server. */
export const serverFlags = {
  url: { value: 'URL', help: 'the server; by default DAILIES_URL, the saved login, or the one on this machine' },
  key: { value: 'KEY', help: 'API key; by default DAILIES_KEY, the saved login, or one of the local database' },
} satisfies Flags

/** For operators' commands, which otherwise work on the configured database. */
const remoteFlags: Flags = {
  url: { value: 'URL', help: 'work on this server instead of the configured database' },
  remote: { help: 'work on the server of DAILIES_URL or dailies login' },
  key: { value: 'KEY', help: 'API key for that server; by default DAILIES_KEY or the saved login' },
}

export interface Command<Args extends readonly string[] = readonly string[], F extends Flags = Flags> {
  /** One word, or a group and a verb. */
  name: string
  /** Placeholders of positional arguments, such as `NAME`; `[NAME]` is optional. */
  args?: Args
  flags?: F
  summary: string
  /** Shown below the summary in the command's own help. */
  details?: string
  examples?: string[]
  /** Works on this machine, without the API. */
  run?(input: CommandInput<Args, F>): Promise<CommandResult>
  /** Reads the values of the call, before a server is looked for, and returns the work to do through its client. */
  atServer?(input: CommandInput<Args, F>): (client: Dailies) => Promise<CommandResult>
  /** The same for operators: on the configured database, or at a server where the call says so. */
  operate?(input: CommandInput<Args, F>): (client: Dailies) => Promise<CommandResult>
  /** Of an operator's command: works on the server of DAILIES_URL where that is set, as with `--remote`. */
  prefersServer?: true
}

/** Binds a command's functions to the types of its arguments and flags. */
export function command<const Args extends readonly string[] = readonly [], F extends Flags = Record<never, Flag>>(
  definition: Command<Args, F>,
): Command {
  return definition as unknown as Command
}

export interface CommandInput<
  Args extends readonly string[] = readonly string[],
  F extends Flags = typeof serverFlags,
> {
  args: ArgValues<Args>
  flags: FlagValues<F>
  /** The settings, read on first use: an invalid one stops only the commands that use them. */
  readonly config: Config
  /** Parts of the service to replace in a command that runs one. */
  overrides: AppOverrides
  json: boolean
  /** Of an operator's command: works at a server, not on the configured database. */
  isRemote: boolean
}

export interface CommandResult {
  /** Printed with --json; nothing where it is undefined. */
  data: unknown
  /** Printed otherwise. */
  text: string
  exitCode?: number
}

/** The flags of a command, including those that it shares with others. */
export function flagsOf({ flags, operate, atServer }: Command): Flags {
  const shared = operate ? remoteFlags : atServer ? serverFlags : {}
  return { ...flags, ...shared, json: { help: 'print one JSON document' } }
}

/** A mistake in how the command was called. */
export class UsageError extends Error {}

/** A task that the command waited for has failed: its record is what --json prints. */
export class FailedTask extends OperatorError {
  readonly data: unknown

  constructor(cause: TaskFailed) {
    super(`the task failed: ${cause.message} (${cause.taskId})`, { cause })
    this.data = cause.record
  }
}

export function wholeNumber(what: string, value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`${what} must be a whole number, not "${value}"`)
  return Number(value)
}

/** A whole number that a flag has; null where the flag is not given. */
export function wholeNumberFlag(name: string, value: string | undefined): number | null {
  return value === undefined ? null : wholeNumber(name, value)
}

/** The value of a flag that takes one of a few words. */
export function choiceFlag<T extends string>(
  name: string,
  value: string | undefined,
  choices: readonly T[],
): T | undefined {
  const choice = choices.find((each) => each === value)
  if (value !== undefined && choice === undefined) {
    throw new UsageError(`${name} must be one of ${choices.join(', ')}`)
  }
  return choice
}

/** For commands whose work at a server is about the account of the key in use. */
export function refuseAccount(isRemote: boolean, account: string | undefined): void {
  if (!isRemote || account === undefined) return
  throw new UsageError('at a server, this command is about the account of the key in use, without --account')
}

/** How many items a command shows. */
export function limitFlag(value: string | undefined, otherwise: number): number {
  const limit = wholeNumberFlag('--limit', value) ?? otherwise
  if (limit < 1) throw new UsageError('--limit must be at least 1')
  return limit
}

/** The same for a list that is whole with --json. */
export const listLimit = (value: string | undefined, json: boolean, shownDefault: number) =>
  limitFlag(value, json ? Number.MAX_SAFE_INTEGER : shownDefault)

/** A point in time that a flag names: how long ago, such as `2h`, or a date or time. */
export function timeFlag(name: string, text: string | undefined, nowMs = Date.now()): number | undefined {
  if (text === undefined) return undefined
  const agoMs = parseDuration(text)
  const atMs = agoMs === null ? parseDate(text) : Math.max(0, nowMs - agoMs)
  if (Number.isNaN(atMs)) {
    throw new UsageError(`${name} must be a duration such as 2h or a date such as 2027-01-31, not "${text}"`)
  }
  return atMs
}

/** Epoch milliseconds; NaN where the text is neither a date nor a time. */
export const parseDate = (text: string) => (/^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN)

const nameCharactersMax = 100

/** Names of accounts and keys: short, and safe to print in a terminal. */
export function checkName(what: string, name: string): string {
  if (name.trim() === '') throw new UsageError(`${what} must not be empty`)
  if (name !== name.trim()) throw new UsageError(`${what} must not begin or end with spaces`)
  if ([...name].length > nameCharactersMax)
    throw new UsageError(`${what} must have at most ${nameCharactersMax} characters`)
  if (/\p{Cc}/u.test(name)) throw new UsageError(`${what} must have no control characters`)
  return name
}
