// Every task, newest first, as a list or as pictures.
import { useCallback, useMemo, useState } from 'preact/hooks'
import { formatAgo, formatCount, formatDuration } from '../format.ts'
import { useNow } from '../hooks.ts'
import { linkTo, useQuery, useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { failureOf, shownState } from '../task-facts.ts'
import { Empty, Notice, Segments, ViewHead } from '../ui/parts.tsx'
import { StateBadge } from '../ui/state-badge.tsx'
import { WindowedList } from '../ui/windowed-list.tsx'
import { Filters, filterOf } from './filters.tsx'
import { Gallery } from './gallery.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { type TaskItem, useTaskPages } from './task-pages.ts'
import { Thumbnail, type Thumbnails } from './thumbnail.tsx'
import { type Return, useReturn } from './use-return.ts'

const rowPx = 88

export function TasksView() {
  const { api, models } = useSession()
  const [query, setQuery] = useQuery()
  const filterText = ['state', 'model', 'time', 'q', 'key'].map((name) => query.get(name) ?? '').join('\n')
  const filter = useMemo(() => filterOf(query), [filterText])
  const pages = useTaskPages(api, filter)
  const back = useReturn(pages)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const thumbnails = useMemo<Thumbnails>(() => new Map(), [])
  const titles = useMemo(() => new Map(models.map(({ id, title }) => [id, title])), [models])
  const isGallery = query.get('as') === 'gallery'
  useTitle('Tasks')
  const select = useCallback((taskId: string, on: boolean) => {
    setSelected((before) => {
      const after = new Set(before)
      if (on) after.add(taskId)
      else after.delete(taskId)
      return after
    })
  }, [])
  const chosen = pages.items.filter(({ taskId }) => selected.has(taskId))
  return (
    <>
      <ViewHead title="Tasks">
        <span class="muted figures" aria-live="polite">
          {(pages.items.length > 0 || !(pages.loading || pages.problem)) && countWords(pages)}
        </span>
        <Segments
          label="Show as"
          value={isGallery ? 'gallery' : 'list'}
          options={[
            { value: 'list', label: 'List' },
            { value: 'gallery', label: 'Gallery' },
          ]}
          onChange={(as) => setQuery({ as: as === 'list' ? null : as })}
        />
      </ViewHead>
      <Filters />
      <Notice problem={pages.problem} />
      {pages.items.length > 0 && (
        <SelectionBar
          items={pages.items}
          selected={chosen}
          onAll={() => setSelected(new Set(pages.items.map(({ taskId }) => taskId)))}
          onClear={() => setSelected(new Set())}
          onDone={(taskIds) => {
            setSelected((before) => new Set([...before].filter((id) => !taskIds.includes(id))))
            pages.refresh()
          }}
          onDeleted={pages.remove}
        />
      )}
      {pages.items.length === 0 && !pages.loading && !pages.more && <NoTasks isFiltered={filterText.trim() !== ''} />}
      {isGallery ? (
        <Gallery
          items={pages.items}
          thumbnails={thumbnails}
          selected={selected}
          onSelect={select}
          back={back}
          more={pages.more}
          onNearEnd={pages.loadMore}
        />
      ) : (
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
              isSelected={selected.has(item.taskId)}
              onSelect={(on) => select(item.taskId, on)}
              back={back}
            />
          )}
          more={pages.more}
          onNearEnd={pages.loadMore}
        />
      )}
      {pages.loading && !pages.problem && <p class="muted list-foot">Loading…</p>}
    </>
  )
}

function NoTasks({ isFiltered }: { isFiltered: boolean }) {
  const { may } = useSession()
  if (isFiltered) return <Empty title="Nothing matches">No task fits these filters. Loosen one of them.</Empty>
  return (
    <Empty title="No tasks yet">
      Every video that is asked for is listed here, from this page, a program or a sub-key.{' '}
      {may('tasks:write') && (
        <>
          <a href={linkTo.play()}>Make the first one</a>; the playground has a picture ready.
        </>
      )}
    </Empty>
  )
}

interface RowProps {
  item: TaskItem
  title: string
  thumbnail: preact.ComponentChildren
  isSelected: boolean
  onSelect(on: boolean): void
  back: Return
}

function Row({ item, title, thumbnail, isSelected, onSelect, back }: RowProps) {
  const now = useNow(10_000)
  return (
    <div class="task-line" data-selected={isSelected || undefined}>
      <input
        type="checkbox"
        aria-label={`Select: ${item.prompt || item.taskId}`}
        checked={isSelected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
      />
      <a
        ref={back.linkRef(item.taskId)}
        class="task-row"
        data-state={shownState(item)}
        href={linkTo.task(item.taskId)}
        onClick={() => back.leave(item.taskId)}
      >
        {thumbnail}
        <span class="task-words">
          <span class="task-prompt" dir="auto">
            {item.prompt || item.taskId}
          </span>
          <span class="muted task-model">{shownState(item) === 'fail' ? failureOf(item) : title}</span>
        </span>
        <span class="task-state">
          <StateBadge state={shownState(item)} />
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
    </div>
  )
}

function countWords({ items, more }: { items: TaskItem[]; more: boolean }): string {
  return `${formatCount(items.length)}${more ? '+' : ''} ${items.length === 1 ? 'task' : 'tasks'}`
}

function noteOf(item: TaskItem): string {
  if (item.state === 'generating') return `${item.progress} %`
  if (item.state === 'queueing') return item.queuePosition === null ? '' : `no. ${item.queuePosition}`
  return item.costTime === null ? '' : formatDuration(item.costTime)
}
