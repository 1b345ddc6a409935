// The features that operators switch on and off, and which of them an order uses.

import { featureNames as switchNames } from '../contract/operator.ts'
import { videoModels } from './catalogue.ts'
import type { VideoOrder } from './model.ts'
import { universalSentenceEncoder } from './universal-sentence-encoder.ts'

/** Every name a switch may have where these models are served. */
export function featureNames(modelIds: readonly string[]): string[] {
  return [...modelIds, ...allFeatures.filter((name) => !videoModels.some((model) => model.id === name))]
}

/** Every name a switch may have where no further model is declared. */
export const allFeatures: readonly string[] = Object.freeze([
  ...videoModels.map((model) => model.id),
  universalSentenceEncoder.id,
  ...switchNames,
])

/** What must be switched on for an order to be accepted; its model comes first. */
export function featuresOf(order: VideoOrder, modelId: string): string[] {
  const features = [modelId]
  if (order.size.shortSide === 1080) features.push('1080p')
  if (order.size.shortSide === 2160) features.push('4k')
  if (order.audio) features.push('audio')
  if (order.elements.length > 0) features.push('elements')
  if (order.shots.length > 0 || order.planShots) features.push('multi_shots')
  if (order.lastFrame !== null) features.push('last_frame')
  return features
}
