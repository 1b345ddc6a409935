// The recent runs below the stage: click one to see it, tick two to compare them.
import { useMemo } from 'preact/hooks'
import { promptOf } from '../../../../client/src/records.ts'
import { formatAgo } from '../../format.ts'
import { useNow } from '../../hooks.ts'
import { useSession } from '../../session.ts'
import { shownState } from '../../task-facts.ts'
import { Thumbnail, type Thumbnails } from '../../tasks/thumbnail.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import type { Recent } from './recent.ts'

interface HistoryStripProps {
  recent: Recent
  shownId: string | null
  compared: string[]
  onShow(taskId: string): void
  onCompare(taskIds: string[]): void
}

export function HistoryStrip({ recent, shownId, compared, onShow, onCompare }: HistoryStripProps) {
  const { api } = useSession()
  const now = useNow(10_000)
  const thumbnails = useMemo<Thumbnails>(() => new Map(), [])
  const shown = recent.ids.filter((id) => recent.tasks.has(id))
  if (shown.length < 2 && shownId !== null) return null
  if (shown.length === 0) return null
  const toggle = (id: string, on: boolean) =>
    onCompare(on ? [...compared, id].slice(-2) : compared.filter((other) => other !== id))
  return (
    <section class="strip" aria-label="Recent runs">
      <div class="row spread">
        <h2>Recent runs</h2>
        <span class="muted">
          {compared.length === 1 ? 'Tick one more to compare' : 'Tick two finished videos to compare them'}
        </span>
      </div>
      <ul>
        {shown.map((id) => {
          const task = recent.tasks.get(id)!
          const prompt = promptOf(task) || id
          return (
            <li key={id} data-current={id === shownId || undefined}>
              <button
                type="button"
                class="strip-face"
                onClick={() => onShow(id)}
                aria-pressed={id === shownId}
                title={prompt}
              >
                <Thumbnail api={api} taskId={id} state={task.state} known={thumbnails} />
                <StateBadge state={shownState(task)} />
                <span class="visually-hidden">{prompt}</span>
                <span class="muted">{formatAgo(task.createTime, now)}</span>
              </button>
              {task.state === 'success' && (
                <input
                  type="checkbox"
                  class="strip-check"
                  aria-label={`Compare: ${prompt}`}
                  checked={compared.includes(id)}
                  onChange={(event) => toggle(id, event.currentTarget.checked)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
