// The audit log: who did what, from where, and what it changed. Filters are in the address.
import { auditActions } from '../../../client/src/contract.ts'
import type { AuditEntry } from '../api-types.ts'
import { formatCount, formatExactTime, shortId } from '../format.ts'
import { useAction } from '../hooks.ts'
import { OlderButton, usePages } from '../pages.tsx'
import { useQuery, useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { Select } from '../ui/fields.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import { Empty, Loading, Notice, ViewHead } from '../ui/parts.tsx'
import { Table } from '../ui/table.tsx'
import { saveFile } from '../usage/save-file.ts'

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
  const pages = usePages(
    (cursor) => api.operator.audit({ ...filter(), limit: pageRows }).page(cursor),
    query.toString(),
    5000,
  )
  const action = useAction()
  useTitle('Audit')
  const download = () =>
    action.run(async () => {
      const text = await api.exportAudit(filter())
      saveFile(new Blob([text], { type: 'application/x-ndjson' }), 'audit.ndjson')
    })
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
            placeholder="Who: a key’s id, or command line:USER"
            value={query.get('actor') ?? ''}
            onChange={(event) => setQuery({ actor: event.currentTarget.value })}
          />
        </label>
        <Select
          label="Action"
          value={query.get('action') ?? ''}
          options={[['', 'Any action'], ...auditActions.map((name) => [name, name] as const)]}
          onChange={(action) => setQuery({ action })}
        />
        <Select
          label="Time"
          value={query.get('time') ?? ''}
          options={times.map(({ value, label }) => [value, label])}
          onChange={(time) => setQuery({ time })}
        />
      </search>
      <Notice problem={pages.problem ?? action.problem} />
      <Loading until={pages.isLoaded || pages.problem} />
      {pages.isLoaded && pages.items.length === 0 && !pages.loadOlder && (
        <Empty title="No such entries">Acts on accounts, keys, credits, switches and secrets are listed here.</Empty>
      )}
      {pages.items.length > 0 && <Entries items={pages.items} onActor={(actor) => setQuery({ actor })} />}
      <OlderButton pages={pages} what="entries" />
    </>
  )
}

function Entries({ items, onActor }: { items: AuditEntry[]; onActor(actor: string): void }) {
  return (
    <Table label="Audit" name="audit" columns={['Time', 'Who', 'From', 'Action', 'Target', 'Change']}>
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
    </Table>
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
