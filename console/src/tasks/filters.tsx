// What the task list is narrowed to; all of it is in the address.
import type { Api } from '../api.ts'
import { listedStates } from '../api-types.ts'
import { useLoaded } from '../hooks.ts'
import { useQuery, useSearchText } from '../router.ts'
import { useSession } from '../session.ts'
import { Select } from '../ui/fields.tsx'
import { SearchIcon } from '../ui/icons.tsx'
import { stateWord } from '../ui/state-badge.tsx'
import type { ListFilter } from './task-pages.ts'

const times = [
  { value: '', label: 'Any time', withinMs: null },
  { value: '1h', label: 'Last hour', withinMs: 3_600_000 },
  { value: '24h', label: 'Last 24 hours', withinMs: 86_400_000 },
  { value: '7d', label: 'Last 7 days', withinMs: 7 * 86_400_000 },
  { value: '30d', label: 'Last 30 days', withinMs: 30 * 86_400_000 },
]

export function filterOf(query: URLSearchParams): ListFilter {
  return {
    state: listedStates.find((state) => state === query.get('state')) ?? null,
    model: query.get('model'),
    withinMs: times.find(({ value }) => value === (query.get('time') ?? ''))?.withinMs ?? null,
    text: query.get('q') ?? '',
    keyId: query.get('key'),
  }
}

export function Filters() {
  const [query, setQuery] = useQuery()
  const { api, models, may, isSubKey } = useSession()
  // Sub-keys have no keys to choose from. More keys than one page has are too many to choose from.
  const keys = useLoaded(async () => (may('keys') && !isSubKey ? readKeys(api) : []), [api])
  const [text, setText] = useSearchText()
  const pick = (name: string, label: string, options: [value: string, label: string][]) => (
    <Select
      label={label}
      value={query.get(name) ?? ''}
      options={options}
      onChange={(value) => setQuery({ [name]: value })}
    />
  )
  return (
    <search class="filters">
      <label class="search">
        <SearchIcon />
        <span class="visually-hidden">Prompt or task id</span>
        <input
          type="search"
          data-slash
          placeholder="Prompt or task id"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {pick('state', 'State', [
        ['', 'Any state'],
        ...listedStates.map((state) => [state, stateWord(state)] as [string, string]),
      ])}
      {pick('model', 'Model', [['', 'Any model'], ...models.map(({ id, title }) => [id, title] as [string, string])])}
      {pick(
        'time',
        'Time',
        times.map(({ value, label }) => [value, label]),
      )}
      {keys.data &&
        keys.data.length > 0 &&
        pick('key', 'Made by key', [
          ['', 'Any key'],
          ...keys.data.map(({ id, name }) => [id, name] as [string, string]),
        ])}
    </search>
  )
}

const readKeys = (api: Api) =>
  api.keys
    .pages()
    .page()
    .then(
      ({ items }) => items,
      () => [],
    )
