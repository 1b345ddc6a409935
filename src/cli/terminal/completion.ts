// dailies completion: scripts that complete commands and flags in a shell, made from the commands themselves.
import { type Command, command, flagsOf, UsageError } from '../command.ts'

const shells = ['bash', 'zsh', 'fish']

export function completionCommand(commands: () => Command[]): Command {
  return command({
    name: 'completion',
    args: ['SHELL'],
    summary: `Print a script that completes commands in ${shells.join(', ')}`,
    examples: [
      'source <(dailies completion bash)',
      'dailies completion fish > ~/.config/fish/completions/dailies.fish',
    ],
    async run({ args: [shell] }) {
      if (!shells.includes(shell)) throw new UsageError(`SHELL is ${shells.join(', ')}, not "${shell}"`)
      const text = shell === 'fish' ? fishScript(commands()) : bashScript(commands(), shell === 'zsh')
      return { data: { shell, script: text }, text }
    },
  })
}

/** The words that may follow: `''` for the first, `keys` for its verbs, `keys list` for its flags. */
function wordsAfter(commands: Command[]): Map<string, string[]> {
  const after = new Map<string, string[]>([['', []]])
  const add = (place: string, word: string) => {
    const words = after.get(place) ?? []
    if (!words.includes(word)) words.push(word)
    after.set(place, words)
  }
  for (const each of commands) {
    const [first, second] = each.name.split(' ') as [string, string?]
    add('', first)
    if (second) add(first, second)
    for (const flag of [...Object.keys(flagsOf(each)), 'help']) add(each.name, `--${flag}`)
  }
  return after
}

function bashScript(commands: Command[], isZsh: boolean): string {
  const cases = [...wordsAfter(commands)].map(([place, words]) => `    '${place}') words='${words.join(' ')}' ;;`)
  const pairs = commands.filter(({ name }) => name.includes(' ')).map(({ name }) => name.replace(' ', ':'))
  return `${isZsh ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_dailies_pairs='${pairs.join(' ')}'
_dailies() {
  local word=\${COMP_WORDS[COMP_CWORD]} first=\${COMP_WORDS[1]} second=\${COMP_WORDS[2]} place= words=
  [ "$COMP_CWORD" -gt 1 ] && place=$first
  [ "$COMP_CWORD" -gt 2 ] && case " $_dailies_pairs " in *" $first:$second "*) place="$first $second" ;; esac
  case "$place" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _dailies dailies`
}

function fishScript(commands: Command[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = commands.flatMap((each) => {
    const { name, summary } = each
    const [first, second] = name.split(' ') as [string, string?]
    const place = second
      ? `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
      : `__fish_seen_subcommand_from ${first}`
    const own = second
      ? [
          `complete -c dailies -f -n '__fish_use_subcommand' -a ${first}`,
          `complete -c dailies -f -n '__fish_seen_subcommand_from ${first}' -a ${second} -d ${quote(summary)}`,
        ]
      : [`complete -c dailies -f -n '__fish_use_subcommand' -a ${first} -d ${quote(summary)}`]
    const flagLines = Object.entries(flagsOf(each)).map(
      ([flag, { value, help }]) =>
        `complete -c dailies -n '${place}' -l ${flag}${value ? ' -r' : ''} -d ${quote(help)}`,
    )
    return [...own, ...flagLines]
  })
  return [...new Set(lines)].join('\n')
}
