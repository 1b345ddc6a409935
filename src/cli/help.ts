// The help texts, made from the commands themselves.
import { type Command, table } from './command.ts'

export function helpForAll(commands: Command[], group: string | undefined): string {
  const inGroup = commands.filter((command) => command.name.startsWith(`${group} `))
  const shown = inGroup.length > 0 ? inGroup : commands
  return [
    'Dailies turns images into short videos.',
    '',
    'Usage: dailies COMMAND [flags]',
    '',
    table(
      ['COMMAND', ''],
      shown.map((command) => [usage(command), command.summary]),
    ),
    '',
    'Every command takes --json (one JSON document on stdout) and --help.',
    'Settings are environment variables or lines of .env; docs/operating.md lists them.',
  ].join('\n')
}

export function helpFor(command: Command): string {
  const flags = Object.entries(command.flags)
  return [
    command.summary,
    '',
    `Usage: dailies ${usage(command)}${flags.length > 0 ? ' [flags]' : ''}`,
    ...(flags.length > 0
      ? [
          '',
          table(
            ['FLAG', ''],
            flags.map(([name, flag]) => [`--${name}${flag.value ? ` ${flag.value}` : ''}`, flag.help]),
          ),
        ]
      : []),
    ...(command.examples ? ['', 'Examples:', ...command.examples.map((example) => `  ${example}`)] : []),
  ].join('\n')
}

const usage = (command: Command) => [command.name, ...command.args].join(' ')
