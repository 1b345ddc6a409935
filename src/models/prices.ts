// What videos cost in credits, and how an operator's own prices are read. The default lists are in the models' files.

import { videoModels } from './catalogue.ts'
import type { PriceList, VideoModel, VideoRequest } from './model.ts'

/** One credit in US dollars. */
export const creditUsd = 0.005

/** What credits cost, exact to the tenth of a cent. */
export function usdOfCredits(credits: number): number {
  return Math.round(credits * creditUsd * 1000) / 1000
}

/** Price lists by model id. Names and units are those of each model's defaults. */
export type Prices = Readonly<Record<string, PriceList>>

export const defaultPrices: Prices = Object.freeze(
  Object.fromEntries(videoModels.map((model) => [model.id, Object.freeze({ ...model.tariff.defaults })])),
)

const creditsMax = 1_000_000

/** Whole credits for a request. */
export function priceOf(request: VideoRequest, model: VideoModel, prices: Prices): number {
  return model.tariff.creditsFor(request, prices[model.id] ?? model.tariff.defaults)
}

/**
 * Reads an operator's prices, a JSON object such as `{"videomodel/v2-5-turbo-image-to-video-pro": {"5": 40}}`. What it
 * leaves out keeps its default. Throws an error that names everything wrong with it.
 */
export function parsePrices(json: string): Prices {
  const given = parseJson(json)
  if (!isObject(given)) throw new Error('prices must be a JSON object of price lists by model')
  const problems: string[] = []
  const prices: Record<string, PriceList> = { ...defaultPrices }
  for (const [modelId, list] of Object.entries(given)) {
    const defaults = Object.hasOwn(defaultPrices, modelId) ? defaultPrices[modelId] : undefined
    if (defaults === undefined) {
      problems.push(`${quote(modelId)} is not a model (there are ${Object.keys(defaultPrices).map(quote).join(', ')})`)
    } else if (!isObject(list)) {
      problems.push(`${quote(modelId)} must be an object of prices`)
    } else {
      problems.push(...listProblems(modelId, list, defaults))
      prices[modelId] = Object.freeze({ ...defaults, ...(list as PriceList) })
    }
  }
  if (problems.length > 0) throw new Error(`prices: ${problems.join('; ')}`)
  return Object.freeze(prices)
}

export function listProblems(modelId: string, list: Record<string, unknown>, defaults: PriceList): string[] {
  return Object.entries(list).flatMap(([name, credits]) => {
    const where = `${quote(name)} of ${quote(modelId)}`
    if (!Object.hasOwn(defaults, name)) {
      return [`${where} is not a price (there are ${Object.keys(defaults).map(quote).join(', ')})`]
    }
    if (!Number.isInteger(credits) || (credits as number) < 1 || (credits as number) > creditsMax) {
      return [`${where} must be a whole number of credits from 1 to ${creditsMax}`]
    }
    return []
  })
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new Error('prices must be JSON', { cause })
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function quote(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name)
}
