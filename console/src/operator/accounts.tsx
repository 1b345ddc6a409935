// Accounts and their balances: create one, grant credits, list its keys.
import { useState } from 'preact/hooks'
import type { Account } from '../api-types.ts'
import { formatCount, formatTime } from '../format.ts'
import { useAction } from '../hooks.ts'
import { MoreButton, useFirstPages } from '../pages.tsx'
import { useSession } from '../session.ts'
import { DialogForm, SecretDialog } from '../ui/dialog-form.tsx'
import { TextField } from '../ui/fields.tsx'
import { Loading, Notice, Section } from '../ui/parts.tsx'
import { Table } from '../ui/table.tsx'
import { AccountKeys } from './account-keys.tsx'

export function Accounts() {
  const { api, refreshBalance } = useSession()
  const accounts = useFirstPages(() => api.operator.accountPages(), [api], 10_000)
  const [topUp, setTopUp] = useState<Account | null>(null)
  const [making, setMaking] = useState(false)
  const [keysOf, setKeysOf] = useState<Account | null>(null)
  return (
    <Section
      title="Accounts"
      aside={
        <button type="button" class="button small" onClick={() => setMaking(true)}>
          New account
        </button>
      }
    >
      <Notice problem={accounts.problem} />
      <Loading until={accounts.isLoaded || accounts.problem} />
      {accounts.isLoaded && (
        <Table
          label="Accounts"
          name="accounts"
          columns={['Account', { number: 'Balance' }, { number: 'Open tasks' }, 'Since', { hidden: 'Actions' }]}
        >
          {accounts.items.map((account) => (
            <tr key={account.id}>
              <td>{account.name}</td>
              <td class="number">{formatCount(account.balance)}</td>
              <td class="number">{formatCount(account.openTasks)}</td>
              <td class="muted">{formatTime(account.createdAt)}</td>
              <td class="number">
                <span class="actions">
                  <a
                    class="button small"
                    href={`#/operator/tasks?account=${encodeURIComponent(account.name)}`}
                    aria-label={`Tasks of ${account.name}`}
                  >
                    Tasks
                  </a>
                  <button
                    type="button"
                    class="button small"
                    onClick={() => setKeysOf(account)}
                    aria-label={`Keys of ${account.name}`}
                  >
                    Keys
                  </button>
                  <button
                    type="button"
                    class="button small"
                    onClick={() => setTopUp(account)}
                    aria-label={`Top up ${account.name}`}
                  >
                    Top up
                  </button>
                </span>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <MoreButton pages={accounts} what="accounts" />
      {making && <NewAccount onClose={() => setMaking(false)} onMade={accounts.reload} />}
      {keysOf && <AccountKeys account={keysOf.name} onClose={() => setKeysOf(null)} />}
      {topUp && (
        <TopUp
          account={topUp}
          onClose={() => setTopUp(null)}
          onDone={() => {
            setTopUp(null)
            accounts.reload()
            refreshBalance()
          }}
        />
      )}
    </Section>
  )
}

function TopUp({ account, onClose, onDone }: { account: Account; onClose(): void; onDone(): void }) {
  const { api } = useSession()
  const [credits, setCredits] = useState('1000')
  const action = useAction()
  return (
    <DialogForm
      title={`Top up ${account.name}`}
      submit="Top up"
      action={action}
      onSubmit={() => api.operator.grant(account.name, Number(credits)).then(onDone)}
      onClose={onClose}
    >
      <TextField label="Credits" type="number" min={1} value={credits} onChange={setCredits} />
    </DialogForm>
  )
}

function NewAccount({ onClose, onMade }: { onClose(): void; onMade(): void }) {
  const { api } = useSession()
  const [name, setName] = useState('')
  const [credits, setCredits] = useState('1000')
  const [made, setMade] = useState<{ name: string; key: string } | null>(null)
  const action = useAction()
  if (made) return <SecretDialog title={`The first key of ${made.name}`} secret={made.key} onClose={onClose} />
  return (
    <DialogForm
      title="New account"
      submit="Create it"
      disabled={name.trim() === ''}
      action={action}
      onSubmit={async () => {
        setMade(await api.operator.createAccount({ name, credits: Number(credits) }))
        onMade()
      }}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} />
      <TextField label="Initial credits" type="number" min={0} value={credits} onChange={setCredits} />
    </DialogForm>
  )
}
