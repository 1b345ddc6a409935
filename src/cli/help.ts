// The help texts, made from the commands themselves.
import type { Command } from './command.ts'
import { table } from './terminal/print.ts'

const footer = [
  'Every command takes --json (one JSON document on stdout) and --help.',
  'Settings are environment variables or lines of .env; docs/operating.md lists them.',
]

export function helpForAll(commands: Command[]): string {
  return [
    'Dailies turns images into short videos.',
    '',
    'Usage: dailies COMMAND [flags]',
    '',
    table(
      ['COMMAND', ''],
      commands.map((command) => [usage(command), command.summary]),
    ),
    '',
    'Examples:',
    ...examplesOf(commands, 1).slice(0, 8),
    '',
    ...footer,
  ].join('\n')
}

export function helpForGroup(group: string, commands: Command[]): string {
  return [
    `Usage: dailies ${group} COMMAND [flags]`,
    '',
    table(
      ['COMMAND', ''],
      commands.map((command) => [usage(command), command.summary]),
    ),
    '',
    'Examples:',
    ...examplesOf(commands, 2),
    '',
    ...footer,
  ].join('\n')
}

export function helpFor(command: Command): string {
  const flags = Object.entries({ ...command.flags, json: { help: 'print one JSON document' } })
  return [
    command.summary,
    ...(command.details ? ['', command.details] : []),
    '',
    `Usage: dailies ${usage(command)} [flags]`,
    '',
    table(
      ['FLAG', ''],
      flags.map(([name, flag]) => [`--${name}${'value' in flag ? ` ${flag.value}` : ''}`, flag.help]),
    ),
    ...(command.examples ? ['', 'Examples:', ...examplesOf([command], command.examples.length)] : []),
  ].join('\n')
}

function examplesOf(commands: Command[], each: number): string[] {
  return commands.flatMap((command) => (command.examples ?? []).slice(0, each)).map((example) => `  ${example}`)
}

export const usage = (command: Command) => [command.name, ...command.args].join(' ')
