// What the task list is narrowed to; all of it is in the address.
import { useEffect, useRef, useState } from 'preact/hooks'
import { type TaskState, taskStates } from '../api-types.ts'
import { useLoaded } from '../hooks.ts'
import { useSession } from '../session.ts'
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

const typingPauseMs = 250

export function filterOf(query: URLSearchParams): ListFilter {
  const state = query.get('state') as TaskState | null
  return {
    state: state && taskStates.includes(state) ? state : null,
    model: query.get('model'),
    withinMs: times.find(({ value }) => value === (query.get('time') ?? ''))?.withinMs ?? null,
    text: query.get('q') ?? '',
    keyId: query.get('key'),
  }
}

export function Filters(props: { query: URLSearchParams; onChange(changes: Record<string, string | null>): void }) {
  const { query, onChange } = props
  const { api, models } = useSession()
  // Sub-keys have no keys to choose from.
  const keys = useLoaded(() => api.keys().catch(() => []), [api])
  const shown = query.get('q') ?? ''
  const [text, setText] = useState(shown)
  const latest = useRef(shown)
  latest.current = shown
  useEffect(() => {
    if (text === latest.current) return
    const timer = setTimeout(() => onChange({ q: text }), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text, onChange])
  const pick = (name: string) => (event: { currentTarget: HTMLSelectElement }) =>
    onChange({ [name]: event.currentTarget.value })
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
      <label>
        <span class="visually-hidden">State</span>
        <select value={query.get('state') ?? ''} onChange={pick('state')}>
          <option value="">Any state</option>
          {taskStates.map((state) => (
            <option key={state} value={state}>
              {stateWord(state)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="visually-hidden">Model</span>
        <select value={query.get('model') ?? ''} onChange={pick('model')}>
          <option value="">Any model</option>
          {models.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="visually-hidden">Time</span>
        <select value={query.get('time') ?? ''} onChange={pick('time')}>
          {times.map(({ value, label }) => (
            <option key={label} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {keys.data && keys.data.length > 0 && (
        <label>
          <span class="visually-hidden">Made by key</span>
          <select value={query.get('key') ?? ''} onChange={pick('key')}>
            <option value="">Any key</option>
            {keys.data.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </search>
  )
}
