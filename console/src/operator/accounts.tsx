// Accounts and their balances: create one, grant credits, list its keys.
import { useState } from 'preact/hooks'
import type { Account } from '../api-types.ts'
import { formatCount, formatTime } from '../format.ts'
import { useAction, useLoaded } from '../hooks.ts'
import { useSession } from '../session.ts'
import { DialogForm, SecretDialog } from '../ui/dialog-form.tsx'
import { Notice, Section, TableBox } from '../ui/parts.tsx'
import { AccountKeys } from './account-keys.tsx'

export function Accounts() {
  const { api, refreshBalance } = useSession()
  const accounts = useLoaded(() => api.accounts(), [api], 10_000)
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
      <TableBox label="Accounts" name="accounts">
        <table>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col" class="number">
                Balance
              </th>
              <th scope="col" class="number">
                Open tasks
              </th>
              <th scope="col">Since</th>
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {accounts.data?.map((account) => (
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
          </tbody>
        </table>
      </TableBox>
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
      onSubmit={() => api.grant(account.name, Number(credits)).then(onDone)}
      onClose={onClose}
    >
      <div class="field">
        <label for="top-up">Credits</label>
        <input
          id="top-up"
          type="number"
          min={1}
          value={credits}
          onInput={(event) => setCredits(event.currentTarget.value)}
        />
      </div>
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
        setMade(await api.createAccount({ name, credits: Number(credits) }))
        onMade()
      }}
      onClose={onClose}
    >
      <div class="field">
        <label for="account-name">Name</label>
        <input id="account-name" value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </div>
      <div class="field">
        <label for="account-credits">Initial credits</label>
        <input
          id="account-credits"
          type="number"
          min={0}
          value={credits}
          onInput={(event) => setCredits(event.currentTarget.value)}
        />
      </div>
    </DialogForm>
  )
}
