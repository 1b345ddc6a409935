// A text with `@name` completion: typing an @ offers the subjects of this request.
import { useId, useRef, useState } from 'preact/hooks'
import { FieldError } from '../../ui/fields.tsx'

interface PromptFieldProps {
  label: string
  value: string
  onChange(text: string): void
  names: string[]
  charactersMax: number | undefined
  rows: number
  error?: string | undefined
  placeholder?: string
  hideLabel?: boolean
  /** Help below the field. */
  hint?: string | undefined
  /** Whether `/` leads here. */
  slash?: boolean
}

export function PromptField(props: PromptFieldProps) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [offer, setOffer] = useState<{ names: string[]; start: number; chosen: number } | null>(null)
  const count = [...props.value].length
  const tooLong = props.charactersMax !== undefined && count > props.charactersMax

  const look = () => {
    const element = area.current!
    const before = element.value.slice(0, element.selectionStart)
    const typed = /@([^\s@]*)$/.exec(before)
    const names = typed
      ? props.names.filter((name) => name.toLowerCase().startsWith(typed[1]!.toLowerCase()) && name !== typed[1])
      : []
    setOffer(typed && names.length > 0 ? { names, start: typed.index, chosen: 0 } : null)
  }
  const complete = (name: string) => {
    const element = area.current!
    const caret = offer!.start + name.length + 2
    props.onChange(
      `${props.value.slice(0, offer!.start)}@${name} ${props.value.slice(element.selectionStart).replace(/^ /, '')}`,
    )
    setOffer(null)
    requestAnimationFrame(() => {
      element.focus()
      element.setSelectionRange(caret, caret)
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!offer) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setOffer({ ...offer, chosen: (offer.chosen + step + offer.names.length) % offer.names.length })
    else if (event.key === 'Enter' || event.key === 'Tab') complete(offer.names[offer.chosen]!)
    else if (event.key === 'Escape') setOffer(null)
    else return
    event.preventDefault()
  }
  return (
    <div class="field prompt-field">
      <div class="field-head">
        <label for={id} class={props.hideLabel ? 'visually-hidden' : undefined}>
          {props.label}
        </label>
        {props.charactersMax !== undefined && (!props.hideLabel || count > props.charactersMax * 0.8) && (
          <span class="count" data-over={tooLong || undefined}>
            {count} / {props.charactersMax}
          </span>
        )}
      </div>
      <textarea
        ref={area}
        id={id}
        dir="auto"
        rows={props.rows}
        value={props.value}
        data-slash={props.slash || undefined}
        placeholder={props.placeholder}
        aria-invalid={props.error ? true : undefined}
        aria-describedby={props.error ? `${id}-error` : props.hint ? `${id}-hint` : undefined}
        aria-autocomplete="list"
        aria-controls={offer ? `${id}-names` : undefined}
        aria-activedescendant={offer ? `${id}-name-${offer.chosen}` : undefined}
        onInput={(event) => {
          props.onChange(event.currentTarget.value)
          look()
        }}
        onClick={look}
        onKeyDown={onKeyDown}
        onBlur={() => setOffer(null)}
      />
      {offer && (
        <div class="offer" id={`${id}-names`} role="listbox" aria-label="Subjects">
          {offer.names.map((name, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text field above drives the list by keyboard
            <div
              key={name}
              id={`${id}-name-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === offer.chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => complete(name)}
            >
              @{name}
            </div>
          ))}
        </div>
      )}
      {props.hint && !props.error && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      <FieldError id={`${id}-error`} text={props.error} />
    </div>
  )
}
