// The progress of a task: its state, its place in the queue, the percentage and an estimate of the time left.
import { useRef } from 'preact/hooks'
import type { TaskProgress as Progress } from '../api-types.ts'
import { formatDuration, formatRoughly } from '../format.ts'
import { useNow } from '../hooks.ts'
import { StateBadge } from '../ui/state-badge.tsx'

export function TaskProgress({ task }: { task: Progress }) {
  const now = useNow(500)
  const heard = useRef({ task, atMs: now })
  if (heard.current.task !== task) heard.current = { task, atMs: Date.now() }
  const leftMs = task.timeLeftMs === null ? null : Math.max(0, task.timeLeftMs - (now - heard.current.atMs))
  const waits = task.state !== 'generating'
  return (
    <div class="task-progress" aria-live="polite">
      <div class="row spread">
        <StateBadge state={task.state} />
        <span class="muted">{sentenceOf(task, leftMs, now)}</span>
      </div>
      <progress class="bar" max={100} value={waits ? undefined : task.progress} aria-label="Progress of the video" />
    </div>
  )
}

function sentenceOf(task: Progress, leftMs: number | null, now: number): string {
  if (task.state === 'wait') return 'The pictures are fetched and checked'
  const soFar = formatDuration(Math.max(0, now - task.createTime))
  if (task.state === 'queueing') {
    if (task.queuePosition === null) return `Waiting for a slot · ${soFar} so far`
    const place = `Number ${task.queuePosition}${task.queuePosition >= 1000 ? ' or later' : ''} in the queue`
    return `${place} · ${leftMs === null ? `${soFar} so far` : `about ${formatRoughly(leftMs)} to go`}`
  }
  const done = `${task.progress} %`
  if (leftMs === null) return `${done} · ${soFar} so far`
  return `${done} · about ${formatRoughly(leftMs)} left`
}
