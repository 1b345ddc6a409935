// The box in which a sub-key is named and limited.
import { useState } from 'preact/hooks'
import type { RequestLimit } from '../api-types.ts'
import { useAction } from '../hooks.ts'
import { useSession } from '../session.ts'
import { problemsByPath } from '../task-facts.ts'
import { Dialog, Notice } from '../ui/parts.tsx'

export function NewKeyDialog({ onClose, onMade }: { onClose(): void; onMade(name: string, secret: string): void }) {
  const { api } = useSession()
  const [name, setName] = useState('')
  const [credits, setCredits] = useState('')
  const [requests, setRequests] = useState('')
  const [per, setPer] = useState<RequestLimit['per']>('day')
  const action = useAction()
  const problems = problemsByPath(action.problem?.code === 422 ? action.problem.message : '')
  const make = () =>
    action.run(async () => {
      const { key } = await api.createKey({
        name,
        ...(credits === '' ? {} : { creditLimit: Number(credits) }),
        ...(requests === '' ? {} : { requestLimit: { requests: Number(requests), per } }),
      })
      onMade(name, key)
    })
  return (
    <Dialog title="New sub-key" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          make()
        }}
      >
        <div class="field">
          <label for="key-name">Name</label>
          <input
            id="key-name"
            value={name}
            placeholder="Whose or what for"
            aria-invalid={problems.has('name') || undefined}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          {problems.get('name') && <p class="error">{problems.get('name')}</p>}
        </div>
        <div class="field">
          <label for="key-credits">Credits it may spend</label>
          <input
            id="key-credits"
            type="number"
            min={0}
            placeholder="No limit"
            value={credits}
            onInput={(event) => setCredits(event.currentTarget.value)}
          />
          {problems.get('creditLimit') && <p class="error">{problems.get('creditLimit')}</p>}
        </div>
        <div class="field">
          <label for="key-requests">Requests it may make</label>
          <div class="row">
            <input
              id="key-requests"
              type="number"
              min={0}
              placeholder="No limit"
              value={requests}
              onInput={(event) => setRequests(event.currentTarget.value)}
            />
            <select
              aria-label="Requests per"
              value={per}
              onChange={(event) => setPer(event.currentTarget.value as RequestLimit['per'])}
            >
              <option value="hour">an hour</option>
              <option value="day">a day</option>
              <option value="total">in total</option>
            </select>
          </div>
          {problems.get('requestLimit.requests') && <p class="error">{problems.get('requestLimit.requests')}</p>}
        </div>
        {problems.size === 0 && <Notice problem={action.problem} />}
        <div class="row end">
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" class="button primary" disabled={action.busy}>
            Make the key
          </button>
        </div>
      </form>
    </Dialog>
  )
}
