// The fields of a request beside its input: the model, and where to call back.
import type { ModelInfo } from '../../api-types.ts'

export function ModelChoice({
  models,
  model,
  onChange,
}: {
  models: ModelInfo[]
  model: ModelInfo
  onChange(model: ModelInfo): void
}) {
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

export function CallBackField({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange(url: string): void
}) {
  return (
    <details class="more" open={value !== '' || error !== undefined}>
      <summary>Callback</summary>
      <div class="field">
        <label for="call-back-url">Callback URL</label>
        <input
          id="call-back-url"
          type="url"
          placeholder="https://…"
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'call-back-url-error' : undefined}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        {error && (
          <p class="error" id="call-back-url-error">
            {error}
          </p>
        )}
      </div>
    </details>
  )
}
