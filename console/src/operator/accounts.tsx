// Accounts and their balances: making one, and giving credits.
import { useState } from 'preact/hooks'
import type { Account } from '../api-types.ts'
import { formatCount, formatTime } from '../format.ts'
import { useAction, useLoaded } from '../hooks.ts'
import { useSession } from '../session.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog, Notice, Section, TableBox } from '../ui/parts.tsx'

export function Accounts() {
  const { api, refreshBalance } = useSession()
  const accounts = useLoaded(() => api.accounts(), [api], 10_000)
  const [topUp, setTopUp] = useState<Account | null>(null)
  const [making, setMaking] = useState(false)
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
                  <button
                    type="button"
                    class="button small"
                    onClick={() => setTopUp(account)}
                    aria-label={`Top up ${account.name}`}
                  >
                    Top up
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {making && <NewAccount onClose={() => setMaking(false)} onMade={accounts.reload} />}
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
    <Dialog title={`Top up ${account.name}`} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          action.run(() => api.grant(account.name, Number(credits)).then(onDone))
        }}
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
        <Notice problem={action.problem} />
        <div class="row end">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" class="button primary" disabled={action.busy}>
            Top up
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function NewAccount({ onClose, onMade }: { onClose(): void; onMade(): void }) {
  const { api } = useSession()
  const [name, setName] = useState('')
  const [credits, setCredits] = useState('1000')
  const [made, setMade] = useState<{ name: string; key: string } | null>(null)
  const action = useAction()
  if (made) {
    return (
      <Dialog title={`The first key of ${made.name}`} onClose={onClose}>
        <p class="muted">Copy it now: it cannot be shown again.</p>
        <p class="row">
          <code class="secret-text mono break">{made.key}</code> <CopyButton text={made.key} />
        </p>
        <div class="row end">
          <button type="button" class="button primary" onClick={onClose}>
            Done
          </button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title="New account" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          action.run(async () => {
            setMade(await api.createAccount({ name, credits: Number(credits) }))
            onMade()
          })
        }}
      >
        <div class="field">
          <label for="account-name">Name</label>
          <input id="account-name" value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </div>
        <div class="field">
          <label for="account-credits">Credits to begin with</label>
          <input
            id="account-credits"
            type="number"
            min={0}
            value={credits}
            onInput={(event) => setCredits(event.currentTarget.value)}
          />
        </div>
        <Notice problem={action.problem} />
        <div class="row end">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" class="button primary" disabled={action.busy || name.trim() === ''}>
            Create it
          </button>
        </div>
      </form>
    </Dialog>
  )
}
