// The request being put together: a model, its input in wire form, and where to call back. Kept in this tab, so that
// visiting another view or reloading loses nothing.
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import { isObject } from '../../../../client/src/records.ts'
import type { CreateTaskBody, ModelInfo } from '../../api-types.ts'
import { type JsonSchema, plainSchema } from '../../json-schema.ts'
import { samplePrompt, sampleUrl } from '../pictures/sample.ts'

const storageKey = 'dailies-draft'

export type Input = Record<string, unknown>

export interface Draft {
  modelId: string
  input: Input
  callBackUrl: string
}

interface DraftEditor {
  draft: Draft
  setField(name: string, value: unknown): void
  setModel(model: ModelInfo): void
  setCallBackUrl(url: string): void
  replace(draft: Draft): void
}

/** `hasSample`: whether the sample picture can be used, which has to be uploaded. */
export function useDraft(models: ModelInfo[], hasSample: boolean): DraftEditor {
  const [kept, setDraft] = useState<Draft>(() => readDraft(models) ?? sampleDraft(models[0]!))
  const draft = useMemo(() => (hasSample ? kept : withoutSample(kept, models)), [kept, models, hasSample])
  useEffect(() => keepDraft(draft), [draft])
  return {
    draft,
    setField: useCallback(
      (name, value) => setDraft((before) => ({ ...before, input: withField(before.input, name, value) })),
      [],
    ),
    setModel: useCallback((model) => setDraft((before) => carryOver(before, models, model)), [models]),
    setCallBackUrl: useCallback((callBackUrl) => setDraft((before) => ({ ...before, callBackUrl })), []),
    replace: useCallback((next) => {
      // At once: the effect above runs after the next picture, and a reload until then would lose it.
      keepDraft(next)
      setDraft(next)
    }, []),
  }
}

function sampleDraft(model: ModelInfo): Draft {
  const input: Input = { prompt: samplePrompt }
  return { modelId: model.id, input: withFrames(model.inputSchema, input, [sampleUrl, undefined]), callBackUrl: '' }
}

function withoutSample(draft: Draft, models: ModelInfo[]): Draft {
  const frames = framesOf(draft.input)
  const model = models.find(({ id }) => id === draft.modelId) ?? models[0]!
  if (!frames.includes(sampleUrl)) return draft
  const [first, last] = frames.map((url) => (url === sampleUrl ? undefined : url))
  return { ...draft, input: withFrames(model.inputSchema, draft.input, [first, last]) }
}

/** The request as it would be sent. */
export function bodyOfDraft(draft: Draft): CreateTaskBody {
  const callBackUrl = draft.callBackUrl.trim()
  return { model: draft.modelId, input: draft.input, ...(callBackUrl === '' ? {} : { callBackUrl }) }
}

function withField(input: Input, name: string, value: unknown): Input {
  const { [name]: _before, ...others } = input
  const changed: Input = value === undefined ? others : { ...input, [name]: value }
  // Shots that are spelled out carry the length themselves, and rule out planned ones.
  if (name === 'customize_multi_shots' && value === true) {
    delete changed.duration
    delete changed.prefer_multi_shots
    changed.multi_prompt ??= [
      { prompt: '', duration: 3 },
      { prompt: '', duration: 3 },
    ]
  }
  if (name === 'customize_multi_shots' && value !== true) {
    delete changed.multi_prompt
    delete changed.aspect_ratio
  }
  return changed
}

type Frames = [first: string | undefined, last: string | undefined]

/** First and last frame, where they are given; models take them as a list or as two fields. */
export function framesOf(input: Input): Frames {
  const { image_url: given, tail_image_url: tail } = input
  const [first, last] = Array.isArray(given) ? given : [given, tail]
  const urlOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return [urlOf(first), urlOf(last)]
}

export function withFrames(schema: JsonSchema, input: Input, [first, last]: Frames): Input {
  const takesList = plainSchema(schema.properties?.image_url ?? {}).type === 'array'
  if (takesList) {
    // An empty text keeps the place of a first frame that is still to be chosen.
    const frames = last === undefined ? [first] : [first ?? '', last]
    return withField(
      input,
      'image_url',
      frames.filter((url) => url !== undefined),
    )
  }
  const withFirst = withField(input, 'image_url', first)
  return schema.properties?.tail_image_url ? withField(withFirst, 'tail_image_url', last) : withFirst
}

/** Another model keeps the prompt, the frames and every other field that it knows too. */
function carryOver(draft: Draft, models: ModelInfo[], next: ModelInfo): Draft {
  const known = next.inputSchema.properties ?? {}
  const frameFields = ['image_url', 'tail_image_url', 'image_urls']
  const shared = Object.entries(draft.input).filter(([name, value]) => {
    if (frameFields.includes(name) || !known[name]) return false
    const choices = plainSchema(known[name]).enum
    return !choices || choices.includes(value)
  })
  const isKnown = models.some((model) => model.id === draft.modelId)
  const frames: Frames = isKnown ? framesOf(draft.input) : [undefined, undefined]
  return { ...draft, modelId: next.id, input: withFrames(next.inputSchema, Object.fromEntries(shared), frames) }
}

function keepDraft(draft: Draft): void {
  sessionStorage.setItem(storageKey, JSON.stringify(draft))
}

function readDraft(models: ModelInfo[]): Draft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    const fits = isObject(draft) && isObject(draft.input) && models.some((model) => model.id === draft.modelId)
    return fits ? (draft as unknown as Draft) : null
  } catch {
    return null
  }
}
