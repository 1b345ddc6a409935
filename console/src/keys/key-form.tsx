// The dialog for the name, limits and rights of a sub-key, both new and existing.
import { useState } from 'preact/hooks'
import type { NewSubKey, RequestLimit, SubKey } from '../api-types.ts'
import { useAction } from '../hooks.ts'
import { useSession } from '../session.ts'
import { problemsByPath } from '../task-facts.ts'
import { DialogForm } from '../ui/dialog-form.tsx'
import { FieldError, Select, TextField } from '../ui/fields.tsx'

const scopeNames = {
  'tasks:read': 'Read tasks and results',
  'tasks:write': 'Create, cancel and delete tasks',
  'files:write': 'Upload files',
} as const
type Scope = keyof typeof scopeNames
const allScopes = Object.keys(scopeNames) as Scope[]

const periods = [
  ['hour', 'per hour'],
  ['day', 'per day'],
  ['total', 'in total'],
] as const

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
  const save = async () => {
    const wanted = wantedOf(draft)
    if (subKey) await api.keys.update(subKey.id, wanted)
    const secret = subKey ? null : (await api.keys.create(wanted)).key
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
      <TextField
        label="Name"
        placeholder="Such as the customer or program"
        value={draft.name}
        error={problems.get('name')}
        onChange={(name) => change({ name })}
      />
      <TextField
        label="Credits it may spend"
        type="number"
        min={0}
        placeholder="No limit"
        value={draft.credits}
        error={problems.get('creditLimit')}
        onChange={(credits) => change({ credits })}
      />
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
          <Select label="Requests per" value={draft.per} options={periods} onChange={(per) => change({ per })} />
        </div>
        <FieldError text={problems.get('requestLimit.requests')} />
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
        <FieldError text={problems.get('scopes')} />
      </fieldset>
      <TextField
        label="Addresses it may be used from"
        placeholder="Everywhere; or 203.0.113.0/24, 198.51.100.7"
        value={draft.addresses}
        error={[...problems].find(([path]) => path.startsWith('addresses'))?.[1]}
        onChange={(addresses) => change({ addresses })}
      />
      <TextField
        label="Expires"
        type="datetime-local"
        value={draft.expires}
        error={problems.get('expiresAt')}
        onChange={(expires) => change({ expires })}
      />
    </DialogForm>
  )
}
