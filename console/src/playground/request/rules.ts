// The service's own rules, run in the page: the same schemas, sentences and prices as behind the API, so that a form
// shows at once what the service would refuse. Loaded separately, after the first paint. A model that this page was
// built without has no rules here, and only the service validates it.

import { createCatalogue, parseCreateTask, videoModels } from '../../../../src/models/catalogue.ts'
import { declareModel } from '../../../../src/models/declared-model.ts'
import { extendRequest } from '../../../../src/models/extend-request.ts'
import type { FrameRequest, VideoRequest } from '../../../../src/models/model.ts'
import { priceOf } from '../../../../src/models/prices.ts'
import { problemsText } from '../../../../src/schema/problem.ts'
import type { CreateTaskBody, ModelInfo } from '../../api-types.ts'
import { problemsByPath } from '../../task-facts.ts'

export interface Rules {
  /** Sentences by field path; empty when the service would accept the body. */
  check(body: CreateTaskBody): Map<string, string>
  /** What the body would cost, wrong fields taken as left out; null when that cannot be said. */
  price(model: ModelInfo, input: Record<string, unknown>): number | null
  extensionPrice(model: ModelInfo, parentInput: Record<string, unknown>, duration: string | undefined): number | null
  /** What a first frame must keep to. */
  frameLimits(modelId: string): FrameRequest | null
}

const anyUrl = 'https://example.com/frame.jpg'

export function createRules(models: ModelInfo[]): Rules {
  const catalogue = createCatalogue([...videoModels, ...declaredModels(models)])

  function requestOf(modelId: string, input: Record<string, unknown>): VideoRequest | null {
    const model = catalogue.get(modelId)
    if (!model) return null
    const usable: Record<string, unknown> = { ...input }
    // Only the lengths of shots count, and subjects do not at all.
    if (Array.isArray(input.multi_prompt))
      usable.multi_prompt = input.multi_prompt.map((shot) => ({ ...shot, prompt: 'any' }))
    const { firstFrame, elements } = model.fields
    for (const name of [...firstFrame, ...(elements ? [elements.list] : [])]) delete usable[name]
    Object.assign(usable, model.toWire({ prompt: 'any', firstFrame: anyUrl }))
    const first = model.parse(usable)
    if (first.ok) return first.value
    for (const path of problemsByPath(problemsText(first.problems)).keys())
      delete usable[/^input\.(\w+)/.exec(path)?.[1] ?? '']
    const second = model.parse(usable)
    return second.ok ? second.value : null
  }

  return {
    check(body) {
      if (!catalogue.get(body.model)) return new Map()
      const parsed = parseCreateTask(catalogue, body)
      return parsed.ok ? new Map() : problemsByPath(problemsText(parsed.problems))
    },
    price(model, input) {
      const request = requestOf(model.id, input)
      return request && priceOf(request, catalogue.get(model.id)!, { [model.id]: model.prices })
    },
    extensionPrice(model, parentInput, duration) {
      const known = catalogue.get(model.id)
      const parent = requestOf(model.id, parentInput)
      if (!known || !parent) return null
      const extended = extendRequest(known, parent, { prompt: 'any', duration: duration ?? null }, { url: anyUrl })
      return extended.ok ? priceOf(extended.value, known, { [model.id]: model.prices }) : null
    },
    frameLimits(modelId) {
      return requestOf(modelId, {})?.firstFrame ?? null
    },
  }
}

/** Models that the operator declared on the schema of a built-in one, recognised by their common example. */
function declaredModels(models: ModelInfo[]) {
  return models.flatMap(({ id, example }) => {
    if (videoModels.some((model) => model.id === id)) return []
    const base = videoModels.find((model) => JSON.stringify(model.example) === JSON.stringify(example))
    return base ? [declareModel(base, { id })] : []
  })
}
