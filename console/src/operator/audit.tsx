// The audit log: who did what, from where, and what it changed. Filters are in the address.
import { useState } from 'preact/hooks'
import { auditActions } from '../../../client/src/contract.ts'
import type { AuditEntry, Page } from '../api-types.ts'
import { formatCount, formatExactTime, shortId } from '../format.ts'
import { useAction, useLoaded } from '../hooks.ts'
import { useQuery, useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { SearchIcon } from '../ui/icons.tsx'
import { Empty, Notice, TableBox, ViewHead } from '../ui/parts.tsx'
import { saveText } from '../usage/save-text.ts'

const times = [
  { value: '', label: 'Any time', withinMs: null },
  { value: '24h', label: 'Last 24 hours', withinMs: 86_400_000 },
  { value: '7d', label: 'Last 7 days', withinMs: 7 * 86_400_000 },
  { value: '30d', label: 'Last 30 days', withinMs: 30 * 86_400_000 },
]
const pageRows = 50

export function AuditView() {
  const { api } = useSession()
  const [query, setQuery] = useQuery()
  const filter = () => {
    const within = times.find(({ value }) => value === query.get('time'))?.withinMs
    return {
      actor: query.get('actor')?.trim() || undefined,
      action: query.get('action') || undefined,
      since: within ? Date.now() - within : undefined,
    }
  }
  const shown = query.toString()
  const first = useLoaded(() => api.audit({ ...filter(), limit: pageRows }), [api, shown], 5000)
  const [older, setOlder] = useState<{ of: string; page: Page<AuditEntry> } | null>(null)
  const action = useAction()
  useTitle('Audit')
  const tail = older?.of === shown ? older.page : null
  const known = new Set(first.data?.items.map(({ id }) => id))
  const items = [...(first.data?.items ?? []), ...(tail?.items ?? []).filter(({ id }) => !known.has(id))]
  const cursor = tail ? tail.nextCursor : first.data?.nextCursor
  const loadOlder = () =>
    action.run(async () => {
      const page = await api.audit({ ...filter(), limit: pageRows, cursor: cursor ?? undefined })
      setOlder({ of: shown, page: { ...page, items: [...(tail?.items ?? []), ...page.items] } })
    })
  const download = () =>
    action.run(async () => saveText(await api.exportAudit(filter()), 'audit.ndjson', 'application/x-ndjson'))
  return (
    <>
      <ViewHead title="Audit">
        <button type="button" class="button" disabled={action.busy} onClick={download}>
          Download NDJSON
        </button>
      </ViewHead>
      <search class="filters">
        <label class="search">
          <SearchIcon />
          <span class="visually-hidden">Actor</span>
          <input
            type="search"
            data-slash
            placeholder="Key id or command line:USER"
            value={query.get('actor') ?? ''}
            onChange={(event) => setQuery({ actor: event.currentTarget.value })}
          />
        </label>
        <label>
          <span class="visually-hidden">Action</span>
          <select
            value={query.get('action') ?? ''}
            onChange={(event) => setQuery({ action: event.currentTarget.value })}
          >
            <option value="">Any action</option>
            {auditActions.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span class="visually-hidden">Time</span>
          <select value={query.get('time') ?? ''} onChange={(event) => setQuery({ time: event.currentTarget.value })}>
            {times.map(({ value, label }) => (
              <option key={label} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </search>
      <Notice problem={first.problem ?? action.problem} />
      {first.data && items.length === 0 && (
        <Empty title="No such entries">Acts on accounts, keys, credits, switches and secrets are listed here.</Empty>
      )}
      {items.length > 0 && <Entries items={items} onActor={(actor) => setQuery({ actor })} />}
      {cursor && (
        <p class="list-foot">
          <button type="button" class="button" disabled={action.busy} onClick={loadOlder}>
            Older entries
          </button>
        </p>
      )}
    </>
  )
}

function Entries({ items, onActor }: { items: AuditEntry[]; onActor(actor: string): void }) {
  return (
    <TableBox label="Audit" name="audit">
      <table>
        <thead>
          <tr>
            {['Time', 'Who', 'From', 'Action', 'Target', 'Change'].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((entry) => (
            <tr key={entry.id}>
              <td class="figures">{formatExactTime(entry.time)}</td>
              <td>
                <button
                  type="button"
                  class="link mono"
                  title={`Only acts of ${entry.actor}`}
                  onClick={() => onActor(entry.actor)}
                >
                  {isId(entry.actor) ? `key …${shortId(entry.actor)}` : entry.actor}
                </button>
              </td>
              <td class="mono">{entry.address ?? '–'}</td>
              <td class="mono">{entry.action}</td>
              <td class="mono" title={entry.target ?? undefined}>
                {entry.target === null ? '–' : isId(entry.target) ? `…${shortId(entry.target)}` : entry.target}
              </td>
              <td>
                <Changes entry={entry} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}

/** Only the fields that differ between before and after. */
function Changes({ entry: { before, after } }: { entry: AuditEntry }) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after?.[name] ?? null),
  )
  if (names.length === 0) return <>–</>
  return (
    <dl class="changes">
      {names.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {before && <del>{factText(name, before[name])}</del>}
            {before && after && ' → '}
            {after && <ins>{factText(name, after[name])}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text)

function factText(name: string, value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'number') return /(At|Until)$/.test(name) ? formatExactTime(value) : formatCount(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
