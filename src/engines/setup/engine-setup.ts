// The checked content of `dailies.config.json`: the engines, the models that they serve and in which order, and the
// models that the operator declares. A pure function of the file's content; without a file, the built-in engine serves
// everything.
import { dirname } from 'node:path'
import { z } from 'zod'
import { videoModels } from '../../models/catalogue.ts'
import { declareModel } from '../../models/declared-model.ts'
import type { PriceList, VideoModel } from '../../models/model.ts'
import { listProblems } from '../../models/prices.ts'
import { OperatorError } from '../../platform/errors.ts'
import { problemsText } from '../../schema/problem.ts'
import { parseWith } from '../../schema/validation.ts'
import { workflowIn } from '../comfyui/load-workflow.ts'
import { comfyuiSettings } from '../comfyui/settings.ts'
import type { ModelRoute } from '../fleet/routing.ts'
import { lightx2vSettings } from '../lightx2v/settings.ts'
import { openaiVideosSettings } from '../openai-videos/settings.ts'
import { sdcppSettings } from '../sdcpp/settings.ts'
import { upstreamSettings } from '../upstream/settings.ts'

const engineSettings = z.discriminatedUnion(
  'type',
  [upstreamSettings, openaiVideosSettings, sdcppSettings, comfyuiSettings, lightx2vSettings],
  'must be "upstream", "openai-videos", "sdcpp", "comfyui" or "lightx2v"',
)
export type EngineSettings = z.output<typeof engineSettings>

const nameWords = 'must be letters, digits, hyphens and underscores'
const engineName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, nameWords)

const choice = z.union([
  engineName.transform((name) => ({ name, weight: 1 })),
  z.strictObject({ name: engineName, weight: z.number().min(0).max(1000).default(1) }),
])

const modelSettings = z.strictObject({
  engines: z.array(choice).min(1).optional(),
  fallback: z.array(engineName).default([]),
  unsupported: z.enum(['refuse', 'studio']).default('refuse'),
  like: z.string().optional(),
  title: z.string().min(1).max(200).optional(),
  description: z.string().min(1).max(2000).optional(),
  prices: z.record(z.string(), z.unknown()).default({}),
})

const fileSchema = z.strictObject({
  engines: z.record(engineName, engineSettings).default({}),
  models: z
    .record(z.string().regex(/^[^/\s]+\/[^/\s]+$/, 'must be a model such as owner/name'), modelSettings)
    .default({}),
})

export interface EngineSetup {
  engines: Map<string, EngineSettings>
  routes: Map<string, ModelRoute>
  /** Models that the file declares. */
  models: VideoModel[]
  /** Prices that it sets, by model. */
  prices: Record<string, PriceList>
}

/** The engine that needs no entry in the file. */
const builtInEngine = 'studio'

const emptySetup: EngineSetup = { engines: new Map(), routes: new Map(), models: [], prices: {} }

/** Throws an OperatorError of one line that names every wrong place. */
export function parseEngineSetup(
  file: { path: string; content: unknown } | null,
  builtIn: readonly VideoModel[] = videoModels,
): EngineSetup {
  if (file === null) return emptySetup
  const parsed = parseWith(fileSchema, file.content, '')
  if (!parsed.ok) throw new OperatorError(`${file.path}: ${problemsText(parsed.problems)}`)
  const { engines, models } = parsed.value
  const problems: string[] = []
  const known = new Set([...Object.keys(engines), builtInEngine])
  if (Object.hasOwn(engines, builtInEngine)) {
    problems.push(`engines.${builtInEngine}: the name is taken by the built-in engine`)
  }
  const declared: VideoModel[] = []
  const prices: Record<string, PriceList> = {}
  const routes = new Map<string, ModelRoute>()
  for (const [id, settings] of Object.entries(models)) {
    const place = `models.${id}`
    const model = modelOf(id, settings, builtIn, (words) => problems.push(`${place}.${words}`))
    if (!model) continue
    if (model.like !== undefined) declared.push(model)
    problems.push(
      ...listProblems(id, settings.prices, model.tariff.defaults).map((words) => `${place}.prices: ${words}`),
    )
    if (model.like !== undefined || Object.keys(settings.prices).length > 0) {
      prices[id] = { ...model.tariff.defaults, ...(settings.prices as PriceList) }
    }
    const { engines: choices, fallback, unsupported } = settings
    for (const name of [...(choices ?? []).map((each) => each.name), ...fallback]) {
      if (!known.has(name)) problems.push(`${place}: there is no engine "${name}" (there are ${[...known].join(', ')})`)
    }
    if (choices?.every(({ weight }) => weight === 0)) problems.push(`${place}.engines: one weight must be above 0`)
    if (choices) routes.set(id, { engines: choices, fallback, unsupported })
  }
  if (problems.length > 0) throw new OperatorError(`${file.path}: ${problems.join('; ')}`)
  const folder = dirname(file.path)
  const located = Object.entries(engines).map(([name, settings]): [string, EngineSettings] => [
    name,
    settings.type === 'comfyui' ? { ...settings, workflow: workflowIn(folder, settings.workflow) } : settings,
  ])
  return { engines: new Map(located), routes, models: declared, prices }
}

function modelOf(
  id: string,
  settings: z.output<typeof modelSettings>,
  models: readonly VideoModel[],
  report: (words: string) => void,
): VideoModel | null {
  const builtIn = models.find((model) => model.id === id)
  const ids = models.map((model) => model.id).join(' or ')
  if (settings.like === undefined) {
    if (!builtIn) report(`like: is required for a model of your own: ${ids}`)
    return builtIn ?? null
  }
  if (builtIn) {
    report('like: must be left out, the model is built in')
    return null
  }
  const base = models.find((model) => model.id === settings.like)
  if (!base) report(`like: must be ${ids}`)
  return base ? declareModel(base, { id, title: settings.title, description: settings.description }) : null
}
