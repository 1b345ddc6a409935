// Subjects of a request: a name that prompts call with @, a description, and two to four pictures or videos.
import { useId } from 'preact/hooks'
import type { JsonSchema } from '../../json-schema.ts'
import { FieldError, TextField } from '../../ui/fields.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { acceptedPictures } from '../pictures/as-frame.ts'
import { Picker } from '../pictures/picker.tsx'

export interface Element {
  name: string
  description: string
  element_input_urls: string[]
  element_input_audio_urls?: string[]
  start_time?: number
  end_time?: number
}

interface ElementEditorProps {
  elements: Element[]
  schema: JsonSchema
  onChange(elements: Element[] | undefined): void
  errorOf(path: string): string | undefined
}

const acceptedFiles = `${acceptedPictures},video/*`

export function ElementEditor({ elements, schema, onChange, errorOf }: ElementEditorProps) {
  const max = schema.maxItems ?? 3
  const update = (index: number, change: Partial<Element>) =>
    onChange(elements.map((element, position) => (position === index ? { ...element, ...change } : element)))
  const remove = (index: number) => {
    const left = elements.filter((_, position) => position !== index)
    onChange(left.length > 0 ? left : undefined)
  }
  return (
    <div class="field">
      <div class="field-head">
        <span class="label">Subjects</span>
        {elements.length < max && (
          <button
            type="button"
            class="button bare small"
            onClick={() =>
              onChange([
                ...elements,
                { name: `subject_${elements.length + 1}`, description: '', element_input_urls: [] },
              ])
            }
          >
            <PlusIcon /> Add a subject
          </button>
        )}
      </div>
      {elements.length === 0 && (
        <p class="hint">A person, animal or thing that the prompt calls by @name, from two to four pictures of it.</p>
      )}
      <FieldError text={errorOf('')} />
      {elements.map((element, index) => (
        <ElementCard
          key={index}
          element={element}
          onChange={(change) => update(index, change)}
          onRemove={() => remove(index)}
          errorOf={(path) => errorOf(`[${index}]${path}`)}
        />
      ))}
    </div>
  )
}

function ElementCard(props: {
  element: Element
  onChange(change: Partial<Element>): void
  onRemove(): void
  errorOf(path: string): string | undefined
}) {
  const { element, onChange, errorOf } = props
  const id = useId()
  const urls = element.element_input_urls
  /** By its URL before: files that are uploaded at the same time may arrive in another order than their places. */
  const replaceUrl = (before: string | undefined, url: string | undefined) => {
    const place = before === undefined ? -1 : urls.indexOf(before)
    const added = url === undefined ? [] : [url]
    onChange({ element_input_urls: urls.toSpliced(place === -1 ? urls.length : place, 1, ...added) })
  }
  const audio = element.element_input_audio_urls?.[0]
  return (
    <fieldset class="card element">
      <legend class="visually-hidden">Subject {element.name}</legend>
      <div class="row">
        <label class="at-name" for={`${id}-name`}>
          <span aria-hidden="true">@</span>
          <span class="visually-hidden">Name</span>
          <input
            id={`${id}-name`}
            value={element.name}
            aria-invalid={errorOf('.name') ? true : undefined}
            onInput={(event) => onChange({ name: event.currentTarget.value.replace(/\s/g, '_') })}
          />
        </label>
        <button type="button" class="button bare small" onClick={props.onRemove}>
          Remove
        </button>
      </div>
      <FieldError text={errorOf('.name')} />
      <label class="visually-hidden" for={`${id}-description`}>
        Description of {element.name}
      </label>
      <input
        id={`${id}-description`}
        placeholder="What it is: a brown dog with a red collar"
        value={element.description}
        aria-invalid={errorOf('.description') ? true : undefined}
        onInput={(event) => onChange({ description: event.currentTarget.value })}
      />
      <FieldError text={errorOf('.description')} />
      <div class="element-files">
        {[0, 1, 2, 3].slice(0, Math.max(2, Math.min(4, urls.length + 1))).map((slot) => (
          <Picker
            key={slot}
            small
            label={`Picture or video ${slot + 1}`}
            value={urls[slot]}
            limits={null}
            accept={acceptedFiles}
            error={errorOf(`.element_input_urls[${slot}]`)}
            onChange={(url, before) => replaceUrl(before, url)}
          />
        ))}
      </div>
      <FieldError text={errorOf('.element_input_urls')} />
      <details>
        <summary>Voice and capture window</summary>
        <div class="details-body">
          <Picker
            small
            label="Voice, 5 to 30 s"
            value={audio}
            limits={null}
            accept="audio/*"
            error={errorOf('.element_input_audio_urls') ?? errorOf('.element_input_audio_urls[0]')}
            onChange={(url) => onChange({ element_input_audio_urls: url ? [url] : [] })}
          />
          {(['start_time', 'end_time'] as const).map((field) => (
            <TextField
              key={field}
              label={field === 'start_time' ? 'Capture from, ms' : 'Capture to, ms'}
              type="number"
              value={String(element[field] ?? '')}
              error={errorOf(`.${field}`)}
              onChange={(text) => onChange({ [field]: text === '' ? undefined : Number(text) })}
            />
          ))}
        </div>
      </details>
    </fieldset>
  )
}
