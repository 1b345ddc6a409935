// Callbacks: every delivery with its attempts, the secret that signs them, and how a receiver checks the signature.
import { useState } from 'preact/hooks'
import type { Delivery, DeliveryState, Page } from '../api-types.ts'
import { formatAgo, formatDuration, formatExactTime, shortId } from '../format.ts'
import { useAction, useLoaded, useNow } from '../hooks.ts'
import { linkTo, useQuery, useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { Empty, Notice, Section, Segments, ViewHead } from '../ui/parts.tsx'
import { StateBadge } from '../ui/state-badge.tsx'
import { SigningSecret } from './signing.tsx'

type Filter = DeliveryState | 'all'
const filters: Filter[] = ['all', 'pending', 'delivered', 'failed']
const resendMax = 1000

export function CallbacksView() {
  const { api } = useSession()
  const [query, setQuery] = useQuery()
  const filter = filters.find((value) => value === query.get('state')) ?? 'all'
  const urlText = (query.get('url') ?? '').toLowerCase()
  const [older, setOlder] = useState<{ filter: Filter; page: Page<Delivery> } | null>(null)
  const state = filter === 'all' ? undefined : filter
  const first = useLoaded(() => api.deliveries({ limit: 50, state }), [api, filter], 3000)
  const action = useAction()
  useTitle('Callbacks')
  if (first.problem?.code === 404) {
    return (
      <>
        <ViewHead title="Callbacks" />
        <Empty title="Not for this key">
          Callbacks and the secret that signs them belong to the account. Sign in with its main key to see them.
        </Empty>
      </>
    )
  }
  const tail = older?.filter === filter ? older.page : null
  const loaded = [...(first.data?.items ?? []), ...(tail?.items ?? [])]
  const items = loaded.filter(({ url }) => url.toLowerCase().includes(urlText))
  const cursor = tail ? tail.nextCursor : first.data?.nextCursor
  const loadOlder = () =>
    action.run(async () => {
      const page = await api.deliveries({ limit: 50, state, cursor: cursor ?? undefined })
      setOlder({ filter, page: { items: [...(tail?.items ?? []), ...page.items], nextCursor: page.nextCursor } })
    })
  const resendFailed = () =>
    action.run(async () => {
      let from: string | undefined
      let sent = 0
      do {
        const page = await api.deliveries({ limit: 100, state: 'failed', cursor: from })
        for (const { id, url } of page.items) {
          if (!url.toLowerCase().includes(urlText)) continue
          await api.resend(id)
          sent++
        }
        from = page.nextCursor ?? undefined
      } while (from && sent < resendMax)
      first.reload()
    })
  return (
    <>
      <ViewHead title="Callbacks">
        <input
          type="search"
          aria-label="URL contains"
          placeholder="URL contains"
          data-slash
          value={query.get('url') ?? ''}
          onInput={(event) => setQuery({ url: event.currentTarget.value })}
        />
        <Segments
          label="State"
          value={filter}
          options={[
            { value: 'all', label: 'All' },
            { value: 'pending', label: 'Pending' },
            { value: 'delivered', label: 'Delivered' },
            { value: 'failed', label: 'Failed' },
          ]}
          onChange={(value) => setQuery({ state: value === 'all' ? null : value })}
        />
      </ViewHead>
      <Notice problem={first.problem ?? action.problem} />
      {filter === 'failed' && items.length > 0 && (
        <p class="row end">
          <button type="button" class="button small" disabled={action.busy} onClick={resendFailed}>
            {action.busy ? 'Resending…' : 'Resend all failed'}
          </button>
        </p>
      )}
      {first.data && items.length === 0 && (
        <Empty title={filter === 'all' ? 'No callbacks yet' : 'None in this state'}>
          Give a request a <code>callBackUrl</code>, and its end is reported there by a signed POST. Every attempt is
          listed here.
        </Empty>
      )}
      <ul class="deliveries">
        {items.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onResent={first.reload} />
        ))}
      </ul>
      {cursor && (
        <p class="list-foot">
          <button type="button" class="button" disabled={action.busy} onClick={loadOlder}>
            Older callbacks
          </button>
        </p>
      )}
      <Section title="Signing">
        <SigningSecret />
      </Section>
    </>
  )
}

function DeliveryRow({ delivery, onResent }: { delivery: Delivery; onResent(): void }) {
  const { api } = useSession()
  const now = useNow(1000)
  const action = useAction()
  const last = delivery.attempts.at(-1)
  return (
    <li class="delivery card">
      <div class="row spread wrap">
        <div class="delivery-words">
          <span class="mono clip">{delivery.url}</span>
          <span class="muted">
            {delivery.kind === 'task' ? (
              <>
                task <a href={linkTo.task(delivery.taskId)}>{shortId(delivery.taskId)}</a>
              </>
            ) : (
              <>inference {shortId(delivery.taskId)}</>
            )}
            {' · '}
            {formatAgo(delivery.createTime, now)}
          </span>
        </div>
        <div class="row">
          <StateBadge state={delivery.state} />
          <span class="muted figures">
            {delivery.nextTryTime !== null && delivery.state === 'pending'
              ? `next attempt in ${formatDuration(Math.max(0, delivery.nextTryTime - now))}`
              : last
                ? (last.status ?? last.error ?? '')
                : ''}
          </span>
          <button
            type="button"
            class="button small"
            disabled={action.busy}
            onClick={() =>
              action.run(async () => {
                await api.resend(delivery.id)
                onResent()
              })
            }
          >
            Resend
          </button>
        </div>
      </div>
      <Notice problem={action.problem} />
      {delivery.attempts.length > 0 && (
        <details>
          <summary>
            {delivery.attempts.length} {delivery.attempts.length === 1 ? 'attempt' : 'attempts'}
          </summary>
          <ol class="history">
            {delivery.attempts.map((attempt) => (
              <li key={attempt.time}>
                <time class="muted figures">{formatExactTime(attempt.time)}</time>
                <span>{attempt.status === null ? 'no response' : `responded with ${attempt.status}`}</span>
                <span class="break">{attempt.error ?? attempt.answer ?? ''}</span>
                <span class="muted figures">{formatDuration(attempt.durationMs)}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  )
}
