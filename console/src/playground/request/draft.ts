// The request being put together: a model, its input in wire form, and where to call back. Kept in this tab, so that
// visiting another view or reloading loses nothing.
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { CreateTaskBody, ModelInfo } from '../../api-types.ts'
import { type JsonSchema, plainSchema } from '../../json-schema.ts'
import { isObject } from '../../task-facts.ts'
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
  return { modelId: model.id, input: withFrames(model.inputSchema, input, [sampleUrl]), callBackUrl: '' }
}

function withoutSample(draft: Draft, models: ModelInfo[]): Draft {
  const frames = framesOf(draft.input)
  const model = models.find(({ id }) => id === draft.modelId) ?? models[0]!
  if (!frames.includes(sampleUrl)) return draft
  const others = frames.filter((url) => url !== sampleUrl)
  return { ...draft, input: withFrames(model.inputSchema, draft.input, others) }
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

/** First and, if given, last frame; models take them as a list or as two fields. */
export function framesOf(input: Input): string[] {
  const { image_url: first, tail_image_url: last } = input
  const frames = Array.isArray(first) ? first : [first, last]
  return frames.filter((url): url is string => typeof url === 'string' && url !== '')
}

export function withFrames(schema: JsonSchema, input: Input, frames: string[]): Input {
  const takesList = plainSchema(schema.properties?.image_url ?? {}).type === 'array'
  if (takesList) return withField(input, 'image_url', frames)
  const withFirst = withField(input, 'image_url', frames[0])
  return schema.properties?.tail_image_url ? withField(withFirst, 'tail_image_url', frames[1]) : withFirst
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
  const frames = isKnown ? framesOf(draft.input) : []
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
