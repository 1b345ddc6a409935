// Every move of a task, its attempts and those of its callback, with how long each took; and its ledger entries.
import type { Api } from '../api.ts'
import type { Delivery, LedgerEntry, TaskRecord, TimelineMove } from '../api-types.ts'
import { formatClock, formatCount, formatDuration } from '../format.ts'
import { isFinal, useLoaded, useNow } from '../hooks.ts'
import { useSession } from '../session.ts'
import { Section } from '../ui/parts.tsx'
import { StateBadge, stateWord } from '../ui/state-badge.tsx'

interface Entry {
  at: number
  durationMs: number | null
  what: preact.ComponentChildren
  note: string
}

export function TaskHistory({ task }: { task: TaskRecord }) {
  const { api } = useSession()
  const timeline = useLoaded(() => api.timeline(task.taskId), [task.taskId, task.state])
  const deliveries = useLoaded(
    () => deliveriesOf(api, task),
    [task.taskId, task.state],
    isFinal(task) ? 5000 : undefined,
  )
  // Sub-keys see no ledger; then there is none to show.
  const ledger = useLoaded(
    () =>
      api
        .ledger({ limit: 20, taskId: task.taskId })
        .page()
        .catch(() => null),
    [task.taskId, task.state],
  )
  const moves = timeline.data?.items ?? []
  const entries = [...movesAsEntries(moves), ...(deliveries.data ?? []).flatMap(attemptsAsEntries)].sort(
    (a, b) => a.at - b.at,
  )
  return (
    <Section title="Timeline">
      <Bar moves={moves} isOver={isFinal(task)} />
      <ol class="history">
        {entries.map((entry, index) => (
          <li key={index}>
            <time class="muted figures">{formatClock(entry.at)}</time>
            <span>{entry.what}</span>
            <span class="break">{entry.note}</span>
            <span class="muted figures">{entry.durationMs === null ? '' : formatDuration(entry.durationMs)}</span>
          </li>
        ))}
      </ol>
      {ledger.data && ledger.data.items.length > 0 && (
        <p class="muted">Credits: {ledger.data.items.toReversed().map(entryWords).join(', then ')}.</p>
      )}
    </Section>
  )
}

function entryWords({ kind, amount }: LedgerEntry): string {
  if (kind === 'hold') return `${formatCount(-amount)} held`
  if (kind === 'settle') return 'settled'
  if (kind === 'release') return `${formatCount(amount)} released`
  return `${kind} ${formatCount(amount)}`
}

async function deliveriesOf(api: Api, task: TaskRecord): Promise<Delivery[]> {
  if (!isFinal(task) || !task.param.includes('callBackUrl')) return []
  const page = await api.webhooks
    .deliveries({ taskId: task.taskId })
    .page()
    .catch(() => null)
  return page?.items ?? []
}

function movesAsEntries(moves: TimelineMove[]): Entry[] {
  return moves.map((move, index) => ({
    at: move.at,
    durationMs: moves[index + 1] ? moves[index + 1]!.at - move.at : null,
    what: <StateBadge state={move.state} />,
    note: [move.attempt > 1 ? `attempt ${move.attempt}` : '', move.note ?? ''].filter(Boolean).join(': '),
  }))
}

function attemptsAsEntries(delivery: Delivery): Entry[] {
  return delivery.attempts.map((attempt, index) => ({
    at: attempt.time,
    durationMs: attempt.durationMs,
    what: `Callback, attempt ${index + 1}`,
    note: attempt.status === null ? (attempt.error ?? 'no response') : `responded with ${attempt.status}`,
  }))
}

/** The states to scale, so that where the time went is seen at a glance. */
function Bar({ moves, isOver }: { moves: TimelineMove[]; isOver: boolean }) {
  const now = useNow(isOver ? 60_000 : 500)
  const first = moves[0]
  if (!first) return <div class="span-bar" />
  const spans = moves.map((move, index) => ({
    state: move.state,
    ms: (moves[index + 1]?.at ?? (isOver ? move.at : now)) - move.at,
  }))
  const shown = spans.filter(({ ms }) => ms > 0)
  return (
    <div
      class="span-bar"
      role="img"
      aria-label={shown.map(({ state, ms }) => `${stateWord(state)} ${formatDuration(ms)}`).join(', ')}
    >
      {shown.map(({ state, ms }, index) => (
        <span
          key={index}
          data-state={state}
          style={{ flexGrow: ms }}
          title={`${stateWord(state)} ${formatDuration(ms)}`}
        />
      ))}
    </div>
  )
}
