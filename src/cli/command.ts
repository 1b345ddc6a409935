// What a command is, and the checks that many of them make of what they are called with.
import type { Config } from '../config.ts'

export interface Flag {
  /** What the flag's value is called in the help; none for a switch. */
  value?: string
  help: string
}

export interface Command {
  /** One word, or a group and a verb. */
  name: string
  /** Placeholders of positional arguments, such as `NAME`; `[NAME]` may be left out. */
  args: string[]
  flags: Record<string, Flag>
  summary: string
  /** Told below the summary in the command's own help. */
  details?: string
  examples?: string[]
  run(input: CommandInput): Promise<CommandResult>
}

export interface CommandInput {
  args: string[]
  flags: Record<string, string | boolean | undefined>
  /** The settings, read when first asked for: a bad one stops only the commands that use them. */
  readonly config: Config
  json: boolean
}

export interface CommandResult {
  /** Printed with --json; nothing where it is undefined. */
  data: unknown
  /** Printed otherwise. */
  text: string
  exitCode?: number
}

/** A mistake in how the command was called. */
export class UsageError extends Error {}

export function wholeNumber(what: string, value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`${what} must be a whole number, not "${value}"`)
  return Number(value)
}

/** A whole number that a flag has; null where the flag is not given. */
export function wholeNumberFlag(name: string, value: string | boolean | undefined): number | null {
  return typeof value === 'string' ? wholeNumber(name, value) : null
}

/** The value of a flag that takes one. */
export function textFlag(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

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
