// A state as a colour, a word and a shape of its own, so that none of the three is needed to tell states apart.
import type { DeliveryState, TaskState } from '../api-types.ts'

type ShownState = TaskState | DeliveryState | 'canceled'

const words: Record<ShownState, string> = {
  wait: 'Checking',
  queueing: 'In queue',
  generating: 'Rendering',
  success: 'Done',
  fail: 'Failed',
  canceled: 'Canceled',
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
}

const openCircle = (
  <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" stroke-width="1.6" stroke-dasharray="2.4 1.9" />
)
const disc = <circle cx="5" cy="5" r="4.2" fill="currentColor" />
const cross = <path d="M1.8 1.8l6.4 6.4M8.2 1.8L1.8 8.2" stroke="currentColor" stroke-width="2" />

/** The same shape for the same meaning. */
const shapes: Record<ShownState, preact.JSX.Element> = {
  wait: openCircle,
  queueing: <path d="M1.5 2.5h7M1.5 5h7M1.5 7.5h7" stroke="currentColor" stroke-width="1.6" />,
  generating: (
    <>
      <circle cx="5" cy="5" r="3.7" fill="none" stroke="currentColor" stroke-width="1.4" />
      <path d="M5 1.3a3.7 3.7 0 0 1 0 7.4z" fill="currentColor" />
    </>
  ),
  success: disc,
  fail: cross,
  canceled: <path d="M1.5 5h7" stroke="currentColor" stroke-width="2" />,
  pending: openCircle,
  delivered: disc,
  failed: cross,
}

export const stateWord = (state: string) => words[state as TaskState] ?? state

export function StateBadge({ state }: { state: ShownState }) {
  return (
    <span class="state" data-state={state}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        {shapes[state]}
      </svg>
      {stateWord(state)}
    </span>
  )
}
