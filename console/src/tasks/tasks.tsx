// Every task, newest first.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type TaskState, taskStates } from '../api-types.ts'
import { formatAgo, formatCount, formatDuration, formatTime } from '../format.ts'
import { useNow } from '../hooks.ts'
import { linkTo } from '../router.ts'
import { useSession } from '../session.ts'
import { SearchIcon } from '../ui/icons.tsx'
import { Empty, Notice, ViewHead } from '../ui/parts.tsx'
import { StateBadge, stateWord } from '../ui/state-badge.tsx'
import { WindowedList } from '../ui/windowed-list.tsx'
import { type ListFilter, type TaskItem, useTaskPages } from './task-pages.ts'
import { Thumbnail, type Thumbnails } from './thumbnail.tsx'

const times = [
  { label: 'Any time', withinMs: null },
  { label: 'Last hour', withinMs: 3_600_000 },
  { label: 'Last 24 hours', withinMs: 86_400_000 },
  { label: 'Last 7 days', withinMs: 7 * 86_400_000 },
  { label: 'Last 30 days', withinMs: 30 * 86_400_000 },
]

const noFilter: ListFilter = { state: null, model: null, withinMs: null, text: '' }
const typingPauseMs = 250
const rowPx = 88

export function TasksView() {
  const { api, models } = useSession()
  const [filter, setFilter] = useState(noFilter)
  const pages = useTaskPages(api, filter)
  const thumbnails = useMemo<Thumbnails>(() => new Map(), [])
  const titles = useMemo(() => new Map(models.map(({ id, title }) => [id, title])), [models])
  const isFiltered = filter !== noFilter
  return (
    <>
      <ViewHead title="Tasks">
        <span class="muted figures" aria-live="polite">
          {formatCount(pages.items.length)}
          {pages.more ? '+' : ''} {pages.items.length === 1 ? 'task' : 'tasks'}
        </span>
      </ViewHead>
      <Filters filter={filter} onChange={setFilter} />
      <Notice>{pages.problem}</Notice>
      {pages.items.length === 0 && !pages.loading && !pages.more && <NoTasks isFiltered={isFiltered} />}
      <WindowedList
        label="Tasks, newest first"
        items={pages.items}
        rowPx={rowPx}
        keyOf={(item) => item.taskId}
        row={(item) => (
          <Row
            item={item}
            title={titles.get(item.model) ?? item.model}
            thumbnail={<Thumbnail api={api} taskId={item.taskId} state={item.state} known={thumbnails} />}
          />
        )}
        more={pages.more && pages.pausedAt === null}
        onNearEnd={pages.loadMore}
      />
      {pages.loading && <p class="muted list-foot">Loading…</p>}
      {pages.pausedAt !== null && !pages.loading && (
        <p class="list-foot">
          <span class="muted">Searched back to {formatTime(pages.pausedAt)}.</span>{' '}
          <button type="button" class="button small" onClick={pages.loadMore}>
            Search further back
          </button>
        </p>
      )}
    </>
  )
}

function NoTasks({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="Nothing matches">No task fits these filters. Loosen one of them.</Empty>
  return (
    <Empty title="No tasks yet">
      Every video you ask for is listed here, whoever asked: this page, a program, a sub-key.{' '}
      <a href={linkTo.play()}>Make the first one</a>; the playground has a picture ready.
    </Empty>
  )
}

function Filters({ filter, onChange }: { filter: ListFilter; onChange(filter: ListFilter): void }) {
  const { models } = useSession()
  const [text, setText] = useState(filter.text)
  const latest = useRef(filter)
  latest.current = filter
  useEffect(() => {
    if (text === latest.current.text) return
    const timer = setTimeout(() => onChange({ ...latest.current, text }), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text, onChange])
  return (
    <search class="filters">
      <label class="search">
        <SearchIcon />
        <span class="visually-hidden">Prompt or task id</span>
        <input
          type="search"
          placeholder="Prompt or task id"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <label>
        <span class="visually-hidden">State</span>
        <select
          value={filter.state ?? ''}
          onChange={(event) => onChange({ ...filter, state: (event.currentTarget.value || null) as TaskState | null })}
        >
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
        <select
          value={filter.model ?? ''}
          onChange={(event) => onChange({ ...filter, model: event.currentTarget.value || null })}
        >
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
        <select
          value={String(filter.withinMs)}
          onChange={(event) =>
            onChange({
              ...filter,
              withinMs: times.find(({ withinMs }) => String(withinMs) === event.currentTarget.value)?.withinMs ?? null,
            })
          }
        >
          {times.map(({ label, withinMs }) => (
            <option key={label} value={String(withinMs)}>
              {label}
            </option>
          ))}
        </select>
      </label>
    </search>
  )
}

function Row({ item, title, thumbnail }: { item: TaskItem; title: string; thumbnail: preact.ComponentChildren }) {
  const now = useNow(10_000)
  return (
    <a class="task-row" href={linkTo.task(item.taskId)}>
      {thumbnail}
      <span class="task-words">
        <span class="task-prompt">{item.prompt || item.taskId}</span>
        <span class="muted task-model">{item.state === 'fail' ? item.failMsg : title}</span>
      </span>
      <span class="task-state">
        <StateBadge state={item.state} />
        <span class="muted figures">{noteOf(item)}</span>
      </span>
      <span class="task-time muted figures">
        <span>{formatAgo(item.createTime, now)}</span>
        <span>{item.state === 'fail' ? 'free' : `${formatCount(item.credits)} cr`}</span>
      </span>
      {item.state === 'generating' && (
        <progress class="row-bar" max={100} value={item.progress} aria-label="Progress" />
      )}
    </a>
  )
}

function noteOf(item: TaskItem): string {
  if (item.state === 'generating') return `${item.progress} %`
  if (item.state === 'queueing') return item.queuePosition === null ? '' : `no. ${item.queuePosition}`
  return item.costTime === null ? '' : formatDuration(item.costTime)
}
