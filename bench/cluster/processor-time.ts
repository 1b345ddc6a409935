// The processor time of processes, from Linux's /proc.
import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second. */
const tickMs = 10

/** Milliseconds used so far; `with children` adds living and ended child processes. */
export function processorMs(pids: readonly number[], which: 'alone' | 'with children' = 'alone'): number {
  const stats = pids.map(statOf)
  const own = stats.reduce((sum, stat) => sum + stat.user + stat.system, 0)
  if (which === 'alone') return own * tickMs
  const ended = stats.reduce((sum, stat) => sum + stat.endedChildren, 0)
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter(({ parent }) => pids.includes(parent))
  return (own + ended + children.reduce((sum, stat) => sum + stat.user + stat.system, 0)) * tickMs
}

function statOf(pid: number) {
  let text = ''
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // The process has ended meanwhile.
  }
  // The name in brackets may contain spaces; the fields after it do not.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const field = (position: number) => Number(fields[position] ?? 0)
  return { parent: field(1), user: field(11), system: field(12), endedChildren: field(13) + field(14) }
}
