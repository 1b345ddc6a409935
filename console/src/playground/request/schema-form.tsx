// The form of a model, made from its input schema: each property becomes the control that fits its shape.
import { useId } from 'preact/hooks'
import type { ModelInfo } from '../../api-types.ts'
import { fieldHint, fieldLabel } from '../../format.ts'
import { choicesOf, hasType, type JsonSchema, plainSchema } from '../../json-schema.ts'
import { Choice } from '../../ui/fields.tsx'
import { Switch } from '../../ui/parts.tsx'
import { Picker } from '../pictures/picker.tsx'
import type { FileLimits } from '../pictures/uploads.ts'
import { LiveUnderstood } from '../runs/understood.tsx'
import { framesOf, type Input, withFrames } from './draft.ts'
import { type Element, ElementEditor } from './element-editor.tsx'
import { PromptField } from './prompt-field.tsx'
import { ShotEditor } from './shot-editor.tsx'
import type { Shot } from './shots.ts'

interface SchemaFormProps {
  model: ModelInfo
  input: Input
  frameLimits: FileLimits | null
  /** The sentence for a field of the input, by path: `prompt`, `multi_prompt[0].prompt`. */
  errorOf(path: string): string | undefined
  setField(name: string, value: unknown): void
  setInput(input: Input): void
}

/** Frames have a control of their own; the rest of these are other spellings. */
const frameFields = ['image_url', 'tail_image_url', 'image_urls']

export function SchemaForm(props: SchemaFormProps) {
  const { model, input } = props
  const properties = Object.entries(model.inputSchema.properties ?? {})
  const names = elementsOf(input).map((element) => element.name)
  const ordered = properties.filter(([name]) => !frameFields.includes(name) && isShown(name, input))
  return (
    <>
      {ordered
        .filter(([name]) => name === 'prompt')
        .map(([name, schema]) => (
          <Field key={name} {...props} name={name} schema={plainSchema(schema)} names={names} />
        ))}
      {input.customize_multi_shots !== true && (
        <LiveUnderstood
          prompt={typeof input.prompt === 'string' ? input.prompt : ''}
          negative={typeof input.negative_prompt === 'string' ? input.negative_prompt : ''}
          model={model.id}
        />
      )}
      <Frames {...props} />
      {ordered
        .filter(([name]) => name !== 'prompt')
        .map(([name, schema]) => (
          <Field key={`${model.id} ${name}`} {...props} name={name} schema={plainSchema(schema)} names={names} />
        ))}
    </>
  )
}

/** Custom shots have their own lengths and allow other shapes; without them there is only the duration. */
function isShown(name: string, input: Input): boolean {
  const ownShots = input.customize_multi_shots === true
  if (name === 'multi_prompt' || name === 'aspect_ratio') return ownShots
  if (name === 'prefer_multi_shots') return !ownShots
  return !(name === 'duration' && ownShots)
}

function Frames({ model, input, setInput, errorOf, frameLimits }: SchemaFormProps) {
  const [first, last] = framesOf(input)
  const hasLast =
    model.inputSchema.properties?.tail_image_url !== undefined ||
    (plainSchema(model.inputSchema.properties?.image_url ?? {}).maxItems ?? 1) > 1
  return (
    <div class="frames">
      <Picker
        limits={frameLimits}
        label="First frame"
        value={first}
        onChange={(url) => setInput(withFrames(model.inputSchema, input, [url, last]))}
        error={errorOf('image_url') ?? errorOf('image_url[0]')}
      />
      {hasLast && (
        <Picker
          limits={frameLimits}
          label="Last frame (optional)"
          value={last}
          onChange={(url) => setInput(withFrames(model.inputSchema, input, [first, url]))}
          error={errorOf('tail_image_url') ?? errorOf('image_url[1]')}
        />
      )}
    </div>
  )
}

type FieldProps = SchemaFormProps & { name: string; schema: JsonSchema; names: string[] }

function Field(props: FieldProps) {
  const { name, schema, input, errorOf, setField } = props
  const id = useId()
  const value = input[name]
  const error = errorOf(name)
  const hint = fieldHint(name, schema.description)
  const messageId = error || hint ? `${id}-message` : undefined
  const label = fieldLabel(name)
  const message = messageId && (
    <p class={error ? 'error' : 'hint'} id={messageId}>
      {error ?? hint}
    </p>
  )
  if (name === 'multi_prompt') {
    return (
      <ShotEditor
        shots={(value as Shot[] | undefined) ?? []}
        onChange={(shots) => setField(name, shots)}
        shotsMax={schema.maxItems ?? 6}
        charactersMax={schema.items?.properties?.prompt?.maxLength}
        names={props.names}
        errorOf={(path) => errorOf(`${name}${path}`)}
      />
    )
  }
  if (name === 'elements') {
    return (
      <ElementEditor
        elements={elementsOf(input)}
        schema={schema}
        onChange={(elements) => setField(name, elements)}
        errorOf={(path) => errorOf(`${name}${path}`)}
      />
    )
  }
  if (hasType(schema, 'boolean')) {
    return (
      <div class="field">
        <Switch
          label={label}
          checked={value === true}
          describedBy={messageId}
          onChange={(on) => setField(name, on ? true : undefined)}
        />
        {message}
      </div>
    )
  }
  const choices = choicesOf(schema)
  if (choices) {
    return (
      <Choice
        label={label}
        unit={name === 'duration' ? ' s' : ''}
        choices={choices}
        value={String(value ?? schema.default ?? (name === 'aspect_ratio' ? '16:9' : ''))}
        error={error}
        onChange={(text) => setField(name, text)}
      />
    )
  }
  if (hasType(schema, 'number') && schema.minimum !== undefined && schema.maximum !== undefined) {
    const shown = Number(value ?? schema.default ?? schema.minimum)
    return (
      <div class="field">
        <div class="field-head">
          <label for={id}>{label}</label>
          <output for={id}>{shown}</output>
        </div>
        <input
          id={id}
          type="range"
          min={schema.minimum}
          max={schema.maximum}
          step={schema.multipleOf ?? 'any'}
          value={shown}
          aria-describedby={messageId}
          onInput={(event) => setField(name, event.currentTarget.valueAsNumber)}
        />
        {message}
      </div>
    )
  }
  if (hasType(schema, 'string')) {
    return (
      <PromptField
        label={label}
        rows={name === 'prompt' ? 4 : 2}
        value={typeof value === 'string' ? value : ''}
        names={props.names}
        charactersMax={schema.maxLength}
        error={error}
        hint={name === 'prompt' ? hintOfPrompt(input) : hint}
        slash={name === 'prompt'}
        onChange={(text) => setField(name, text === '' && name !== 'prompt' ? undefined : text)}
      />
    )
  }
  return null
}

function hintOfPrompt(input: Input): string | undefined {
  return input.customize_multi_shots === true
    ? 'With your own shots, the picture follows their prompts instead.'
    : undefined
}

function elementsOf(input: Input): Element[] {
  return Array.isArray(input.elements) ? (input.elements as Element[]) : []
}
