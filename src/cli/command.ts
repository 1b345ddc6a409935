// What a command is, and how commands print: a JSON document with --json, else words and aligned tables.
import type { Config } from '../config.ts'

export interface Flag {
  /** What the flag's value is called in the help; none for a switch. */
  value?: string
  help: string
}

export interface Command {
  name: string
  /** Placeholders of positional arguments, such as `NAME`. */
  args: string[]
  flags: Record<string, Flag>
  summary: string
  examples?: string[]
  run(input: CommandInput): Promise<CommandResult>
}

export interface CommandInput {
  args: string[]
  flags: Record<string, string | boolean | undefined>
  config: Config
  json: boolean
}

export interface CommandResult {
  /** Printed with --json. */
  data: unknown
  /** Printed otherwise. */
  text: string
  exitCode?: number
}

/** Columns as wide as their widest cell. */
export function table(headers: string[], rows: (string | number | null)[][]): string {
  const cells = [headers, ...rows.map((row) => row.map((cell) => String(cell ?? '-')))]
  const widths = headers.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function timeText(ms: number | null): string {
  return ms === null ? '-' : new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

/** A mistake in how the command was called. */
export class UsageError extends Error {}

export function wholeNumberFlag(name: string, value: string | boolean | undefined): number | null {
  if (value === undefined) return null
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) throw new UsageError(`${name} must be a whole number`)
  return Number(value)
}
