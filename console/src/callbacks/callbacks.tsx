// Callbacks: every delivery with its attempts, sending them again, the secret that signs them, and how a receiver checks
// the signature.
import { useState } from 'preact/hooks'
import type { DeliveryState } from '../api-types.ts'
import { useAction, useSettled } from '../hooks.ts'
import { OlderButton, usePages } from '../pages.tsx'
import { useQuery, useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { Empty, Loading, Notice, Section, Segments, ViewHead } from '../ui/parts.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import { ResendFailed, TestEvent } from './resend-failed.tsx'
import { SigningSecret } from './signing.tsx'

type Filter = DeliveryState | 'all'
const filters: Filter[] = ['all', 'pending', 'delivered', 'failed']

export function CallbacksView() {
  const { api } = useSession()
  const [query, setQuery] = useQuery()
  const filter = filters.find((value) => value === query.get('state')) ?? 'all'
  const urlText = query.get('url') ?? ''
  const url = useSettled(urlText, 250).slice(0, 200) || undefined
  const state = filter === 'all' ? undefined : filter
  const shown = `${filter} ${url ?? ''}`
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<'test' | 'failed' | null>(null)
  const pages = usePages((cursor) => api.webhooks.deliveries({ limit: 50, state, url }).page(cursor), shown, 3000)
  const action = useAction()
  useTitle('Callbacks')
  const ids = pages.items.map(({ id }) => id).filter((id) => chosen.has(id))
  const resendChosen = () =>
    action.run(async () => {
      await api.webhooks.resendMany({ ids })
      setChosen(new Set())
      pages.reload()
    })
  const choose = (id: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const close = () => setAsked(null)
  const done = () => {
    close()
    pages.reload()
  }
  return (
    <>
      <ViewHead title="Callbacks">
        <button type="button" class="button" onClick={() => setAsked('test')}>
          Send a test event
        </button>
        <button type="button" class="button" onClick={() => setAsked('failed')}>
          Resend failed…
        </button>
      </ViewHead>
      <div class="row wrap callback-filters">
        <input
          type="search"
          aria-label="URL contains"
          placeholder="URL contains"
          data-slash
          value={urlText}
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
        {ids.length > 0 && (
          <button type="button" class="button primary" disabled={action.busy} onClick={resendChosen}>
            Resend {ids.length} selected
          </button>
        )}
      </div>
      <Notice problem={pages.problem ?? action.problem} />
      <Loading until={pages.isLoaded || pages.problem} />
      {pages.isLoaded && pages.items.length === 0 && !pages.loadOlder && (
        <Empty title={shown === 'all ' ? 'No callbacks yet' : 'Nothing matches'}>
          Give a request a <code>callBackUrl</code>, and its end is reported there by a signed POST. Every attempt is
          listed here.
        </Empty>
      )}
      <ul class="deliveries">
        {pages.items.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            chosen={chosen.has(delivery.id)}
            onChoose={(on) => choose(delivery.id, on)}
            onResent={pages.reload}
          />
        ))}
      </ul>
      <OlderButton pages={pages} what="callbacks" />
      <Section title="Signing">
        <SigningSecret />
      </Section>
      {asked === 'test' && <TestEvent url={urlText} onClose={close} onDone={done} />}
      {asked === 'failed' && <ResendFailed url={url ?? ''} onClose={close} onDone={pages.reload} />}
    </>
  )
}
