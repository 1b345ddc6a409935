// The help texts, made from the commands themselves.
import { type Command, flagsOf } from './command.ts'
import { bold, proseTable, terminalWidth, wrapped } from './terminal/print.ts'

const footer = [
  'Every command takes --json (one JSON document on stdout) and --help.',
  'Settings are environment variables or lines of .env; docs/operating.md lists them.',
]

export function helpForAll(groups: { title: string; commands: Command[] }[]): string {
  // The same width for all, so that the summaries line up.
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map((command) => usage(command).length)))
  const linesOf = (commands: Command[]) => commandTable(commands, width).split('\n').slice(1)
  return [
    'Dailies turns images into short videos.',
    '',
    'Usage: dailies COMMAND [flags]',
    ...groups.flatMap((group) => ['', bold(group.title), ...linesOf(group.commands)]),
    '',
    'Examples:',
    ...groups.flatMap((group) => examplesOf(group.commands, 1).slice(0, 2)),
    '',
    ...footer,
  ].join('\n')
}

export function helpForGroup(group: string, commands: Command[]): string {
  return [
    `Usage: dailies ${group} COMMAND [flags]`,
    '',
    commandTable(commands),
    '',
    'Examples:',
    ...examplesOf(commands, 2),
    '',
    ...footer,
  ].join('\n')
}

export function helpFor(command: Command): string {
  const flags = Object.entries(flagsOf(command))
  return [
    command.summary,
    ...(command.details ? ['', ...wrapped(command.details, Math.min(lineCharactersMax, terminalWidth()))] : []),
    '',
    `Usage: dailies ${usage(command)} [flags]`,
    '',
    proseTable(
      ['FLAG', ''],
      flags.map(([name, flag]) => [`--${name}${'value' in flag ? ` ${flag.value}` : ''}`, flag.help]),
    ),
    ...(command.examples ? ['', 'Examples:', ...examplesOf([command], command.examples.length)] : []),
  ].join('\n')
}

const lineCharactersMax = 100

function commandTable(commands: Command[], usageCharacters = 0): string {
  return proseTable(
    ['COMMAND', ''],
    commands.map((command) => [usage(command).padEnd(usageCharacters), command.summary]),
  )
}

function examplesOf(commands: Command[], each: number): string[] {
  return commands.flatMap((command) => (command.examples ?? []).slice(0, each)).map((example) => `  ${example}`)
}

export const usage = (command: Command) => [command.name, ...(command.args ?? [])].join(' ')
