// The help texts, made from the commands themselves.
import { type Command, flagsOf } from './command.ts'
import { bold, table } from './terminal/print.ts'

const footer = [
  'Every command takes --json (one JSON document on stdout) and --help.',
  'Settings are environment variables or lines of .env; docs/operating.md lists them.',
]

export function helpForAll(groups: { title: string; commands: Command[] }[]): string {
  const commands = groups.flatMap((group) => group.commands)
  // One table for all, so that the summaries line up.
  const [, ...lines] = commandTable(commands).split('\n')
  return [
    'Dailies turns images into short videos.',
    '',
    'Usage: dailies COMMAND [flags]',
    ...groups.flatMap((group) => ['', bold(group.title), ...lines.splice(0, group.commands.length)]),
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
    ...(command.details ? ['', wrapped(command.details)] : []),
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

const lineCharactersMax = 100

/** At most this many characters per line, cut between words. */
const wrapped = (text: string) =>
  text.replace(new RegExp(`(?=.{${lineCharactersMax + 1}})(.{1,${lineCharactersMax}}) `, 'g'), '$1\n')

function commandTable(commands: Command[]): string {
  return table(
    ['COMMAND', ''],
    commands.map((command) => [usage(command), command.summary]),
  )
}

function examplesOf(commands: Command[], each: number): string[] {
  return commands.flatMap((command) => (command.examples ?? []).slice(0, each)).map((example) => `  ${example}`)
}

export const usage = (command: Command) => [command.name, ...(command.args ?? [])].join(' ')
