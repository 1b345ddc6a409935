// What videos cost in credits, and how an operator's own prices are read. The default lists are in the models' files.

import type { PriceList, VideoModel, VideoRequest } from './model.ts'

/** One credit in US dollars. */
export const creditUsd = 0.005

/** What credits cost, exact to the tenth of a cent. */
export function usdOfCredits(credits: number): number {
  return Math.round(credits * creditUsd * 1000) / 1000
}

/** Price lists by model id. Names and units are those of each model's defaults. */
export type Prices = Readonly<Record<string, PriceList>>

export const defaultPrices = (models: readonly VideoModel[]): Prices =>
  Object.fromEntries(models.map(({ id, tariff }) => [id, tariff.defaults]))

const creditsMax = 1_000_000

/** Whole credits for a request. */
export function priceOf(request: VideoRequest, model: VideoModel, prices: Prices): number {
  return model.tariff.creditsFor(request, prices[model.id] ?? model.tariff.defaults)
}

/** What is wrong with an operator's prices of a model. What they leave out keeps its default. */
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

function quote(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name)
}
