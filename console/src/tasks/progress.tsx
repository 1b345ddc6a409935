// How far a task is: its state, its place in the queue, the share that is done and a guess of the time left.
import { useRef } from 'preact/hooks'
import type { TaskRecord } from '../api-types.ts'
import { formatDuration } from '../format.ts'
import { useNow } from '../hooks.ts'
import { StateBadge } from '../ui/state-badge.tsx'

export function TaskProgress({ task }: { task: TaskRecord }) {
  const now = useNow(500)
  const leftMs = useTimeLeft(task, now)
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

function sentenceOf(task: TaskRecord, leftMs: number | null, now: number): string {
  if (task.state === 'wait') return 'The pictures are fetched and checked'
  if (task.state === 'queueing')
    return task.queuePosition === null
      ? 'Waiting for a slot'
      : `Number ${task.queuePosition}${task.queuePosition >= 1000 ? ' or later' : ''} in the queue`
  const done = `${task.progress} %`
  if (leftMs === null) return `${done} · ${formatDuration(Math.max(0, now - task.createTime))} so far`
  return `${done} · about ${formatDuration(Math.max(1000, Math.ceil(leftMs / 1000) * 1000))} left`
}

/** From the pace since rendering began; null until there is a pace to speak of. */
function useTimeLeft(task: TaskRecord, now: number): number | null {
  const start = useRef<{ taskId: string; atMs: number; progress: number } | null>(null)
  const last = useRef({ atMs: 0, progress: -1 })
  if (task.state !== 'generating') {
    start.current = null
    return null
  }
  if (start.current?.taskId !== task.taskId || task.progress < start.current.progress) {
    start.current = { taskId: task.taskId, atMs: Date.now(), progress: task.progress }
  }
  if (task.progress !== last.current.progress) last.current = { atMs: Date.now(), progress: task.progress }
  const gained = task.progress - start.current.progress
  if (gained < 3) return null
  const perPercentMs = (last.current.atMs - start.current.atMs) / gained
  return Math.max(0, perPercentMs * (100 - task.progress) - (now - last.current.atMs))
}
