// dailies audit
import { once } from 'node:events'
import type { AuditEntry } from '../../../client/src/public.ts'
import { auditActions, auditSubjects } from '../../contract/audit.ts'
import { type CommandInput, command, type Flags, limitFlag, timeFlag, UsageError } from '../command.ts'
import { firstOf } from '../connect/client.ts'
import { shownList, timeText } from '../terminal/print.ts'

const shownDefault = 50

const auditFlags = {
  actor: { value: 'ACTOR', help: 'only acts of this key id or "command line:USER"' },
  action: { value: 'ACTION', help: 'only this action, such as key.create, or a subject, such as key' },
  since: { value: 'TIME', help: 'only acts since then: a date, a time, or how long ago (2026-01-31, 24h)' },
  until: { value: 'TIME', help: 'only acts before then' },
  limit: { value: 'N', help: `at most this many (${shownDefault})` },
  export: { help: 'print all of them as NDJSON: one JSON object per line' },
} satisfies Flags

export const audit = command({
  name: 'audit',
  flags: auditFlags,
  summary: 'Show who did what, newest first',
  details:
    'Acts on accounts, keys, credits, switches and secrets, deletions, and logins to the console that failed. ' +
    'Entries are kept for a year, or for audit.retention of dailies.config.json.',
  examples: ['dailies audit', 'dailies audit --action key --since 7d', 'dailies audit --export > audit.ndjson'],
  operate(input) {
    const { filter, limit, isExport } = readFlags(input)
    return async (client) => {
      const entries = client.operator.audit({ ...filter, limit: 100 })
      if (!isExport) return shownEntries(await firstOf(entries, limit))
      for await (const entry of entries) await printLine(JSON.stringify(entry))
      return { data: undefined, text: '' }
    }
  },
})

/** An export can be longer than memory: each line waits until the terminal or pipe has taken the one before. */
async function printLine(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
}

function readFlags({ flags, json }: CommandInput<readonly [], typeof auditFlags>) {
  const isExport = flags.export === true
  const limit = limitFlag(flags.limit, shownDefault)
  if (isExport && json) throw new UsageError('--export prints JSON lines already; leave --json out')
  const { actor, action } = flags
  if (action !== undefined && ![...auditActions, ...auditSubjects].includes(action)) {
    throw new UsageError(`--action must be one of ${[...auditSubjects, ...auditActions].join(', ')}`)
  }
  const [since, until] = [timeFlag('--since', flags.since), timeFlag('--until', flags.until)]
  return { filter: { actor, action, since, until }, limit, isExport }
}

const headers = ['TIME (UTC)', 'ACTOR', 'ADDRESS', 'ACTION', 'TARGET', 'CHANGE']

const shownEntries = (items: AuditEntry[]) =>
  shownList(items, 'There are no such entries.', headers, (entry) => [
    timeText(entry.time),
    entry.actor,
    entry.address,
    entry.action,
    entry.target,
    changeText(entry),
  ])

/** Only what differs: `balance 100 → 150`, or `keys 5` where it was not there before. A limit that was not set is nothing. */
function changeText({ before, after }: AuditEntry): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .filter((name) => JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after?.[name] ?? null))
    .map((name) => {
      const values = [before?.[name], after?.[name]].filter((value) => value !== undefined)
      return `${name} ${values.map((value) => factText(name, value)).join(' → ')}`
    })
    .join(', ')
}

function factText(name: string, value: unknown): string {
  if (value === null) return 'none'
  if (typeof value === 'number' && /(At|Until)$/.test(name)) return timeText(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
