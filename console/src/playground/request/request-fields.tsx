// The fields of a request beside its input: the model, and where to call back.
import { useEffect, useState } from 'preact/hooks'
import type { ModelInfo } from '../../api-types.ts'
import { TextField } from '../../ui/fields.tsx'

export function ModelChoice(props: { models: ModelInfo[]; model: ModelInfo; onChange(model: ModelInfo): void }) {
  const { models, model, onChange } = props
  return (
    <fieldset class="models">
      <legend class="label">Model</legend>
      {models.map((candidate) => (
        <label key={candidate.id} class="model">
          <input type="radio" name="model" checked={candidate.id === model.id} onChange={() => onChange(candidate)} />
          <span class="model-face">
            <strong>{candidate.title}</strong>
            <span class="muted">{candidate.description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

export function CallBackField(props: { value: string; error: string | undefined; onChange(url: string): void }) {
  const needsSight = props.value !== '' || props.error !== undefined
  const [isOpen, setOpen] = useState(needsSight)
  // It stays open when it is emptied: closing it would hide the field while the user types in it.
  useEffect(() => {
    if (needsSight) setOpen(true)
  }, [needsSight])
  return (
    <details class="more" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Callback</summary>
      <TextField label="Callback URL" type="url" placeholder="https://…" {...props} />
    </details>
  )
}
