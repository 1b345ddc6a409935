// Sending many callbacks again, and trying a receiver with a test event.
import { useState } from 'preact/hooks'
import { useAction } from '../hooks.ts'
import { useSession } from '../session.ts'
import { DialogForm } from '../ui/dialog-form.tsx'
import { Select, TextField } from '../ui/fields.tsx'

const hourMs = 3_600_000
const spans = [
  ['1', 'the last hour'],
  ['24', 'the last day'],
  ['168', 'the last 7 days'],
  ['all', 'ever'],
] as const

export function ResendFailed({ url, onClose, onDone }: { url: string; onClose(): void; onDone(): void }) {
  const { api } = useSession()
  const [span, setSpan] = useState<(typeof spans)[number][0]>('24')
  const [sent, setSent] = useState<number | null>(null)
  const action = useAction()
  const resend = async () => {
    const failedSince = span === 'all' ? 0 : Date.now() - Number(span) * hourMs
    let total = 0
    let more = true
    while (more) {
      const page = await api.webhooks.resendMany({ failedSince, url })
      total += page.resent
      more = page.more && page.resent > 0
      setSent(total)
    }
    onDone()
  }
  return (
    <DialogForm
      title="Resend failed callbacks"
      submit="Resend them"
      busy="Resending…"
      action={action}
      onSubmit={resend}
      onClose={onClose}
    >
      <p class="muted">
        Every callback that was given up begins a new round of attempts, with the same <code>webhook-id</code>.
        {url && (
          <>
            {' '}
            Only those whose URL contains <span class="mono">{url}</span>.
          </>
        )}
      </p>
      <div class="field">
        <label for="failed-since">Failed in</label>
        <Select id="failed-since" value={span} options={spans} onChange={setSpan} />
      </div>
      <p role="status">{sent === null ? '' : `${sent} ${sent === 1 ? 'callback is' : 'callbacks are'} sent again.`}</p>
    </DialogForm>
  )
}

export function TestEvent({ url, onClose, onDone }: { url: string; onClose(): void; onDone(): void }) {
  const { api } = useSession()
  const [text, setText] = useState(/^https?:/.test(url) ? url : '')
  const action = useAction()
  return (
    <DialogForm
      title="Send a test event"
      submit="Send it"
      disabled={text === ''}
      action={action}
      onSubmit={() => api.webhooks.test(text).then(onDone)}
      onClose={onClose}
    >
      <p class="muted">
        A signed callback with made-up values, delivered and listed like every other. It costs nothing.
      </p>
      <TextField
        label="URL of your receiver"
        type="url"
        placeholder="https://example.com/callbacks"
        value={text}
        onChange={setText}
      />
    </DialogForm>
  )
}
