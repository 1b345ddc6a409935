// Fields of forms: a line of text, one of many, one of a few.
import { useId } from 'preact/hooks'
import { rangeOf } from '../json-schema.ts'
import { Segments } from './parts.tsx'

interface TextFieldProps {
  label: string
  value: string
  onChange(text: string): void
  type?: 'text' | 'url' | 'number' | 'datetime-local'
  min?: number
  placeholder?: string
  error?: string | undefined
}

export function TextField({ label, value, onChange, error, ...input }: TextFieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        id={id}
        dir={input.type === undefined || input.type === 'text' ? 'auto' : undefined}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <FieldError id={`${id}-error`} text={error} />
    </div>
  )
}

export function FieldError({ id, text }: { id?: string | undefined; text: string | undefined }) {
  return text ? (
    <p class="error" id={id}>
      {text}
    </p>
  ) : null
}

interface SelectProps<Value extends string> {
  /** What screen readers say, where no label is visible. */
  label?: string
  id?: string
  value: Value
  /** Values with what each says. */
  options: readonly (readonly [value: Value, label: string])[]
  onChange(value: NoInfer<Value>): void
}

export function Select<Value extends string>({ label, id, value, options, onChange }: SelectProps<Value>) {
  return (
    <select id={id} aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  )
}

interface ChoiceProps {
  label: string
  unit: string
  choices: string[]
  value: string
  error?: string | undefined
  onChange(text: string): void
}

/** A slider for whole numbers without a gap, else one of a few. */
export function Choice({ label, unit, choices, value, error, onChange }: ChoiceProps) {
  const id = useId()
  const errorId = error ? `${id}-error` : undefined
  const range = rangeOf(choices)
  return (
    <div class="field">
      <div class="field-head">
        {range ? <label for={id}>{label}</label> : <span class="label">{label}</span>}
        {range && (
          <output for={id}>
            {value}
            {unit}
          </output>
        )}
      </div>
      {range ? (
        <input
          id={id}
          type="range"
          min={range.min}
          max={range.max}
          step={1}
          value={value}
          aria-describedby={errorId}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <Segments
          label={label}
          value={value}
          options={choices.map((choice) => ({ value: choice, label: choice + unit }))}
          onChange={onChange}
          describedBy={errorId}
        />
      )}
      <FieldError id={errorId} text={error} />
    </div>
  )
}
