// One callback: its URL and state, and on demand its payload and what each attempt sent and received.
import { useState } from 'preact/hooks'
import type { Delivery, InspectedDelivery } from '../api-types.ts'
import { formatAgo, formatCounted, formatDuration, formatExactTime, formatRoughly, shortId } from '../format.ts'
import { useAction, useLoaded, useNow } from '../hooks.ts'
import { linkTo } from '../router.ts'
import { useSession } from '../session.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { CodeBlock, Loading, Notice } from '../ui/parts.tsx'
import { StateBadge } from '../ui/state-badge.tsx'

export function DeliveryRow(props: {
  delivery: Delivery
  chosen: boolean
  onChoose(chosen: boolean): void
  onResent(): void
}) {
  const { delivery } = props
  const { api } = useSession()
  const now = useNow(1000)
  const action = useAction()
  const [open, setOpen] = useState(false)
  const last = delivery.attempts.at(-1)
  const resend = () =>
    action.run(async () => {
      await api.webhooks.resend(delivery.id)
      props.onResent()
    })
  return (
    <li class="delivery card">
      <div class="row spread wrap">
        <input
          type="checkbox"
          checked={props.chosen}
          aria-label={`Select the callback to ${delivery.url}`}
          onChange={(event) => props.onChoose(event.currentTarget.checked)}
        />
        <div class="delivery-words">
          <span class="mono clip">{delivery.url}</span>
          <span class="muted">
            <Subject delivery={delivery} />
            {' · '}
            {formatAgo(delivery.createTime, now)}
          </span>
        </div>
        <div class="row delivery-state">
          <StateBadge state={delivery.state} />
          <span class="muted figures">
            {delivery.nextTryTime !== null && delivery.state === 'pending'
              ? `next attempt ${delivery.nextTryTime <= now ? 'now' : `in ${formatRoughly(delivery.nextTryTime - now)}`}`
              : last
                ? (last.status ?? last.error ?? '')
                : ''}
          </span>
          <button type="button" class="button small" disabled={action.busy} onClick={resend}>
            Resend
          </button>
        </div>
      </div>
      <Notice problem={action.problem} />
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Payload and {formatCounted(delivery.attempts.length, 'attempt')}</summary>
        {open && <Inspection id={delivery.id} attempts={delivery.attempts.length} />}
      </details>
    </li>
  )
}

function Subject({ delivery }: { delivery: Delivery }) {
  if (delivery.kind === 'test') return <>test event</>
  if (delivery.kind === 'inference') return <>inference {shortId(delivery.taskId)}</>
  return (
    <>
      task <a href={linkTo.task(delivery.taskId)}>{shortId(delivery.taskId)}</a>
    </>
  )
}

function Inspection({ id, attempts }: { id: string; attempts: number }) {
  const { api } = useSession()
  // Read again with each further attempt.
  const { data, problem } = useLoaded(() => api.webhooks.delivery(id), [api, id, attempts])
  if (!data) return problem ? <Notice problem={problem} /> : <Loading until={data} />
  const body = pretty(data.body)
  return (
    <div class="inspection">
      <div class="row spread wrap">
        <h3>Payload</h3>
        <CopyButton text={data.body} label="Copy the payload as it is sent" />
      </div>
      <CodeBlock code={body} label="Payload" />
      {data.attempts.length === 0 && <p class="muted">There has been no attempt yet.</p>}
      {data.attempts.toReversed().map((attempt, index) => (
        <Attempt key={attempt.time} attempt={attempt} number={data.attempts.length - index} />
      ))}
    </div>
  )
}

function Attempt({ attempt, number }: { attempt: InspectedDelivery['attempts'][number]; number: number }) {
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <h3>
        Attempt {number}: {attempt.status === null ? 'no response' : `responded with ${attempt.status}`}
      </h3>
      <p class="muted figures">
        {formatExactTime(attempt.time)}, took {formatDuration(attempt.durationMs)}
      </p>
      {attempt.status === null && attempt.error && <p class="break">{attempt.error}</p>}
      <div class="two">
        <Headers title="Request headers" headers={attempt.requestHeaders} missing="They were not kept." />
        <Headers
          title="Response headers"
          headers={attempt.responseHeaders}
          missing={attempt.status === null ? 'There was no response.' : 'Shown to operators only.'}
        />
      </div>
      {attempt.status !== null && (
        <>
          <h4>Response body</h4>
          {attempt.answer === null ? (
            <p class="muted">Shown to operators only, because callbacks may reach private addresses here.</p>
          ) : attempt.answer === '' ? (
            <p class="muted">It is empty.</p>
          ) : (
            <CodeBlock code={attempt.answer} label={`Response body of attempt ${number}`} />
          )}
        </>
      )}
    </section>
  )
}

function Headers(props: { title: string; headers: Record<string, string> | null; missing: string }) {
  const entries = Object.entries(props.headers ?? {})
  return (
    <div>
      <h4>{props.title}</h4>
      {entries.length === 0 ? (
        <p class="muted">{props.missing}</p>
      ) : (
        <dl class="headers">
          {entries.map(([name, value]) => (
            <div key={name}>
              <dt class="mono">{name}</dt>
              <dd class="mono break">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
