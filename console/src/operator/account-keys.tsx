// The keys of one account for operators: their kind, use and last use, and a button that revokes one.
import { useState } from 'preact/hooks'
import type { AccountKey } from '../api-types.ts'
import { formatCount, formatTime } from '../format.ts'
import { useAction } from '../hooks.ts'
import { MoreButton, useFirstPages } from '../pages.tsx'
import { useSession } from '../session.ts'
import { Confirm, Dialog, Notice } from '../ui/parts.tsx'
import { Table } from '../ui/table.tsx'

export function AccountKeys({ account, onClose }: { account: string; onClose(): void }) {
  const { api } = useSession()
  const keys = useFirstPages(() => api.operator.accountKeyPages(account), [api, account])
  const [asked, setAsked] = useState<AccountKey | null>(null)
  const action = useAction()
  const live = keys.items.filter(({ revokedAt }) => revokedAt === null)
  const revoked = keys.items.length - live.length
  if (asked) {
    return (
      <Confirm
        title={`Revoke ${asked.name}?`}
        text={`Requests with this key of ${account}, and with its sub-keys, are refused from now on. Its tasks stay.`}
        verb="Revoke"
        action={action}
        onClose={() => setAsked(null)}
        onConfirm={async () => {
          await api.operator.revokeAccountKey(account, asked.id)
          setAsked(null)
          keys.reload()
        }}
      />
    )
  }
  return (
    <Dialog title={`Keys of ${account}`} onClose={onClose} wide>
      <Notice problem={keys.problem} />
      <Table
        label={`Keys of ${account}`}
        name="account-keys"
        columns={['Key', 'Kind', { number: 'Credits used' }, 'Last used', { hidden: 'Actions' }]}
      >
        {live.map((key) => (
          <tr key={key.id}>
            <td>
              {key.name} <span class="muted mono">{key.hint}</span>
            </td>
            <td>{kindOf(key)}</td>
            <td class="number">
              {formatCount(key.creditUsed)}
              {key.creditLimit !== null && <span class="muted"> of {formatCount(key.creditLimit)}</span>}
            </td>
            <td class="muted">{key.lastUsedAt === null ? 'never used' : formatTime(key.lastUsedAt)}</td>
            <td class="number">
              <button
                type="button"
                class="button small"
                aria-label={`Revoke ${key.name}`}
                onClick={() => setAsked(key)}
              >
                Revoke
              </button>
            </td>
          </tr>
        ))}
      </Table>
      {keys.isLoaded && (
        <p class="muted">
          {live.length === 0 && keys.loadMore === null && 'No key works. '}
          {revoked > 0 && `${formatCount(revoked)} more ${revoked === 1 ? 'was' : 'were'} revoked.`}
        </p>
      )}
      <MoreButton pages={keys} what="keys" />
      <div class="row end">
        <button type="button" class="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}

function kindOf({ parentId, operator, expiresAt }: AccountKey): string {
  const kind = parentId !== null ? 'sub-key' : operator ? 'main, operator' : 'main'
  return expiresAt !== null && expiresAt <= Date.now() ? `${kind}, expired` : kind
}
