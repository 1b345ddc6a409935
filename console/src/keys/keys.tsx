// Sub-keys of the key that is signed in: what each may use and has used, and making, changing, rotating and revoking them.
import { useState } from 'preact/hooks'
import type { SubKey } from '../api-types.ts'
import { formatCount, formatDate, formatTime } from '../format.ts'
import { useAction } from '../hooks.ts'
import { MoreButton, useFirstPages } from '../pages.tsx'
import { useTitle } from '../router.ts'
import { useSession } from '../session.ts'
import { SecretDialog } from '../ui/dialog-form.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { Confirm, Empty, Loading, Notice, ViewHead } from '../ui/parts.tsx'
import { KeyFormDialog } from './key-form.tsx'

type Asked =
  | { what: 'make' }
  | { what: 'change' | 'rotate' | 'revoke'; key: SubKey }
  | { what: 'show'; name: string; secret: string }
  | null

export function KeysView() {
  const { api } = useSession()
  const keys = useFirstPages(() => api.keys.pages(), [api], 10_000)
  const [asked, setAsked] = useState<Asked>(null)
  const action = useAction()
  useTitle('Keys')
  const close = () => {
    setAsked(null)
    action.clear()
  }
  const live = keys.items.filter(({ revokedAt }) => revokedAt === null)
  const revoked = keys.items.filter(({ revokedAt }) => revokedAt !== null)
  return (
    <>
      <ViewHead title="Keys">
        <button type="button" class="button primary" onClick={() => setAsked({ what: 'make' })}>
          <PlusIcon /> New sub-key
        </button>
      </ViewHead>
      <Notice problem={keys.problem} />
      <Loading until={keys.isLoaded || keys.problem} />
      {keys.isLoaded && live.length === 0 && keys.loadMore === null && (
        <Empty title="No sub-keys">
          Give each program or colleague a key of their own. A sub-key spends your credits within limits you set, sees
          only its own tasks, and can be taken back at any time.
        </Empty>
      )}
      <ul class="keys">
        {live.map((key) => (
          <KeyCard
            key={key.id}
            subKey={key}
            onChange={() => setAsked({ what: 'change', key })}
            onRotate={() => setAsked({ what: 'rotate', key })}
            onRevoke={() => setAsked({ what: 'revoke', key })}
          />
        ))}
      </ul>
      {revoked.length > 0 && (
        <details class="revoked">
          <summary>{revoked.length} revoked</summary>
          <ul>
            {revoked.map((key) => (
              <li key={key.id} class="muted">
                {key.name} <span class="mono">{key.hint}</span>, revoked {formatTime(key.revokedAt!)}
              </li>
            ))}
          </ul>
        </details>
      )}
      <MoreButton pages={keys} what="keys" />
      {(asked?.what === 'make' || asked?.what === 'change') && (
        <KeyFormDialog
          subKey={asked.what === 'change' ? asked.key : null}
          onClose={close}
          onDone={(name, secret) => {
            setAsked(secret === null ? null : { what: 'show', name, secret })
            keys.reload()
          }}
        />
      )}
      {asked?.what === 'show' && (
        <SecretDialog title={`The key of ${asked.name}`} secret={asked.secret} onClose={close} />
      )}
      {asked?.what === 'rotate' && (
        <Confirm
          title={`Rotate ${asked.key.name}?`}
          text="It gets a new secret; the old one stops working at once. Limits, use and tasks stay."
          verb="Rotate"
          action={action}
          onClose={close}
          onConfirm={async () => {
            const { key: secret } = await api.keys.rotate(asked.key.id)
            setAsked({ what: 'show', name: asked.key.name, secret })
            keys.reload()
          }}
        />
      )}
      {asked?.what === 'revoke' && (
        <Confirm
          title={`Revoke ${asked.key.name}?`}
          text="Requests with it are refused from now on. Its tasks stay."
          verb="Revoke"
          action={action}
          onClose={close}
          onConfirm={async () => {
            await api.keys.revoke(asked.key.id)
            setAsked(null)
            keys.reload()
          }}
        />
      )}
    </>
  )
}

function KeyCard(props: { subKey: SubKey; onChange(): void; onRotate(): void; onRevoke(): void }) {
  const { subKey, onChange, onRotate, onRevoke } = props
  const { requestLimit, scopes, addresses, expiresAt, lastUsedAt } = subKey
  return (
    <li class="card key">
      <div class="key-words">
        <strong>{subKey.name}</strong>
        <span class="muted">
          <span class="mono">{subKey.hint}</span> · made {formatTime(subKey.createdAt)} ·{' '}
          {lastUsedAt === null ? 'never used' : `last used ${formatTime(lastUsedAt)}`}
        </span>
        {(scopes || addresses || expiresAt !== null) && (
          <span class="muted">
            {[
              scopes && `may ${scopes.join(', ')}`,
              addresses && `from ${addresses.join(', ')}`,
              expiresAt !== null && `${expiresAt <= Date.now() ? 'expired' : 'expires'} ${formatDate(expiresAt)}`,
            ]
              .filter((part) => part)
              .join(' · ')}
          </span>
        )}
      </div>
      <Use name="Credits" used={subKey.creditUsed} limit={subKey.creditLimit} unit="" />
      <Use
        name="Requests"
        // Without a limit, requests are not counted.
        used={requestLimit === null ? null : subKey.requestsUsed}
        limit={requestLimit?.requests ?? null}
        unit={requestLimit && requestLimit.per !== 'total' ? ` per ${requestLimit.per}` : ''}
      />
      <div class="row">
        <button type="button" class="button small" onClick={onChange} aria-label={`Change ${subKey.name}`}>
          Change
        </button>
        <button type="button" class="button small" onClick={onRotate} aria-label={`Rotate ${subKey.name}`}>
          Rotate
        </button>
        <button type="button" class="button small" onClick={onRevoke} aria-label={`Revoke ${subKey.name}`}>
          Revoke
        </button>
      </div>
    </li>
  )
}

interface UseProps {
  name: string
  /** Null where it is not counted. */
  used: number | null
  limit: number | null
  unit: string
}

function Use({ name, used, limit, unit }: UseProps) {
  const limited = limit === null ? 'no limit' : `of ${formatCount(limit)}${unit}`
  return (
    <div class="use">
      <span class="muted">{name}</span>
      <span class="figures">
        {used !== null && `${formatCount(used)}${limit === null ? ',' : ''} `}
        <span class="muted">{limited}</span>
      </span>
      {limit !== null && <meter min={0} max={Math.max(limit, 1)} value={used ?? 0} aria-label={`${name} used`} />}
    </div>
  )
}
