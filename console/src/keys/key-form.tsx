// The dialog for the name, limits and rights of a sub-key, both new and existing.
import { useState } from 'preact/hooks'
import type { NewSubKey, RequestLimit, SubKey } from '../api-types.ts'
import { useAction } from '../hooks.ts'
import { useSession } from '../session.ts'
import { problemsByPath } from '../task-facts.ts'
import { DialogForm } from '../ui/dialog-form.tsx'

const scopeNames = {
  'tasks:read': 'Read tasks and results',
  'tasks:write': 'Create, cancel and delete tasks',
  'files:write': 'Upload files',
} as const
type Scope = keyof typeof scopeNames
const allScopes = Object.keys(scopeNames) as Scope[]

interface Draft {
  name: string
  credits: string
  requests: string
  per: RequestLimit['per']
  scopes: Scope[]
  addresses: string
  expires: string
}

function draftOf(key: SubKey | null): Draft {
  return {
    name: key?.name ?? '',
    credits: key?.creditLimit?.toString() ?? '',
    requests: key?.requestLimit?.requests.toString() ?? '',
    per: key?.requestLimit?.per ?? 'day',
    scopes: allScopes.filter((scope) => key?.scopes?.includes(scope) ?? true),
    addresses: key?.addresses?.join(', ') ?? '',
    expires: key?.expiresAt ? localTime(key.expiresAt) : '',
  }
}

/** As a field for local time takes it. */
const localTime = (ms: number) => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

function wantedOf(draft: Draft): NewSubKey {
  const addresses = draft.addresses.split(/[\s,]+/).filter((address) => address !== '')
  return {
    name: draft.name,
    creditLimit: draft.credits === '' ? null : Number(draft.credits),
    requestLimit: draft.requests === '' ? null : { requests: Number(draft.requests), per: draft.per },
    scopes: draft.scopes.length === allScopes.length ? null : draft.scopes,
    addresses: addresses.length === 0 ? null : addresses,
    expiresAt: draft.expires === '' ? null : new Date(draft.expires).getTime(),
  }
}

/** `onDone` gets the secret of a key that was made, and null for one that was changed. */
export function KeyFormDialog(props: {
  subKey: SubKey | null
  onClose(): void
  onDone(name: string, secret: string | null): void
}) {
  const { subKey } = props
  const { api } = useSession()
  const [draft, setDraft] = useState(() => draftOf(subKey))
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })
  const action = useAction()
  const problems = problemsByPath(action.problem?.code === 422 ? action.problem.message : '')
  const problemOf = (path: string) => problems.get(path) && <p class="error">{problems.get(path)}</p>
  const save = async () => {
    const wanted = wantedOf(draft)
    if (subKey) await api.updateKey(subKey.id, wanted)
    const secret = subKey ? null : (await api.createKey(wanted)).key
    props.onDone(draft.name, secret)
  }
  return (
    <DialogForm
      title={subKey ? `Change ${subKey.name}` : 'New sub-key'}
      submit={subKey ? 'Save' : 'Make the key'}
      action={action}
      hidesProblem={problems.size > 0}
      onSubmit={save}
      onClose={props.onClose}
    >
      <div class="field">
        <label for="key-name">Name</label>
        <input
          id="key-name"
          value={draft.name}
          placeholder="Such as the customer or program"
          aria-invalid={problems.has('name') || undefined}
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
        {problemOf('name')}
      </div>
      <div class="field">
        <label for="key-credits">Credits it may spend</label>
        <input
          id="key-credits"
          type="number"
          min={0}
          placeholder="No limit"
          value={draft.credits}
          onInput={(event) => change({ credits: event.currentTarget.value })}
        />
        {problemOf('creditLimit')}
      </div>
      <div class="field">
        <label for="key-requests">Requests it may make</label>
        <div class="row">
          <input
            id="key-requests"
            type="number"
            min={0}
            placeholder="No limit"
            value={draft.requests}
            onInput={(event) => change({ requests: event.currentTarget.value })}
          />
          <select
            aria-label="Requests per"
            value={draft.per}
            onChange={(event) => change({ per: event.currentTarget.value as RequestLimit['per'] })}
          >
            <option value="hour">an hour</option>
            <option value="day">a day</option>
            <option value="total">in total</option>
          </select>
        </div>
        {problemOf('requestLimit.requests')}
      </div>
      <fieldset class="field">
        <legend>What it may do</legend>
        {allScopes.map((scope) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              checked={draft.scopes.includes(scope)}
              onChange={(event) => {
                const { checked } = event.currentTarget
                change({
                  scopes: allScopes.filter((each) => (each === scope ? checked : draft.scopes.includes(each))),
                })
              }}
            />
            {scopeNames[scope]}
          </label>
        ))}
        {problemOf('scopes')}
      </fieldset>
      <div class="field">
        <label for="key-addresses">Addresses it may be used from</label>
        <input
          id="key-addresses"
          value={draft.addresses}
          placeholder="Everywhere; or 203.0.113.0/24, 198.51.100.7"
          onInput={(event) => change({ addresses: event.currentTarget.value })}
        />
        {problemOf('addresses') ??
          [...problems].filter(([path]) => path.startsWith('addresses')).map(([path]) => problemOf(path))[0]}
      </div>
      <div class="field">
        <label for="key-expires">Expires</label>
        <input
          id="key-expires"
          type="datetime-local"
          value={draft.expires}
          onInput={(event) => change({ expires: event.currentTarget.value })}
        />
        {problemOf('expiresAt')}
      </div>
    </DialogForm>
  )
}
