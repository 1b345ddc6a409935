// Links that play a video to people without a key: making one, and revoking those that still work.
import { useState } from 'preact/hooks'
import type { MadeShare, TaskRecord } from '../api-types.ts'
import { formatTime } from '../format.ts'
import { useAction, useLoaded } from '../hooks.ts'
import { useSession } from '../session.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Select } from '../ui/fields.tsx'
import { Dialog, Notice } from '../ui/parts.tsx'

const dayMs = 86_400_000
const spans = [
  ['1', '1 day'],
  ['7', '7 days'],
  ['video', 'As long as the video'],
] as const

export function ShareDialog(props: { task: TaskRecord; videoUntilMs: number | null; onClose(): void }) {
  const { task, videoUntilMs, onClose } = props
  const { api } = useSession()
  const links = useLoaded(() => api.shares.list(task.taskId), [api, task.taskId])
  const [span, setSpan] = useState<(typeof spans)[number][0]>('7')
  const [made, setMade] = useState<MadeShare | null>(null)
  const action = useAction()
  const make = () =>
    action.run(async () => {
      const expiresAt = span === 'video' ? videoUntilMs : Date.now() + Number(span) * dayMs
      setMade(await api.shares.create(task.taskId, { expiresAt }))
      links.reload()
    })
  const revoke = (id: string) =>
    action.run(async () => {
      await api.shares.revoke(task.taskId, id)
      if (made?.id === id) setMade(null)
      links.reload()
    })
  return (
    <Dialog title="Share the video" onClose={onClose}>
      <p class="muted">
        Anyone with the link can watch the video without a key. The page shows the video only: no prompt and no account.
      </p>
      <form
        class="row wrap share-form"
        onSubmit={(event) => {
          event.preventDefault()
          make()
        }}
      >
        <label for="share-span">Works for</label>
        <Select id="share-span" value={span} options={spans} onChange={setSpan} />
        <button type="submit" class="button primary" disabled={action.busy}>
          Make a link
        </button>
      </form>
      <Notice problem={action.problem ?? links.problem} />
      {made && (
        <div class="share-made" role="status">
          <p class="row">
            <a class="mono clip" href={made.url} target="_blank" rel="noreferrer">
              {made.url}
            </a>
            <CopyButton text={made.url} label="Copy the link" />
          </p>
          <p class="muted">Copy it now: it cannot be shown again.</p>
        </div>
      )}
      {links.data && links.data.length > 0 && (
        <ul class="share-links" aria-label="Links that work">
          {links.data.map(({ id, createdAt, expiresAt }) => (
            <li key={id} class="row spread">
              <span>
                Made {formatTime(createdAt)} <span class="muted">· works until {formatTime(expiresAt)}</span>
              </span>
              <button
                type="button"
                class="button small"
                disabled={action.busy}
                aria-label={`Revoke the link made ${formatTime(createdAt)}`}
                onClick={() => revoke(id)}
              >
                Revoke
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="row end">
        <button type="button" class="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}
