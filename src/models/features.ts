// The features that operators switch on and off, and which of them a request uses.

import { commonFeatures } from '../contract/operator.ts'
import type { VideoRequest } from './model.ts'
import { universalSentenceEncoder } from './universal-sentence-encoder.ts'

/** Every feature where these video models are served. */
export function featureNames(modelIds: readonly string[]): string[] {
  return [...modelIds, universalSentenceEncoder.id, ...commonFeatures]
}

/** What must be switched on for a request to be accepted; its model comes first. */
export function featuresOf(request: VideoRequest, modelId: string): string[] {
  const features = [modelId]
  if (request.size.shortSide === 1080) features.push('1080p')
  if (request.size.shortSide === 2160) features.push('4k')
  if (request.audio) features.push('audio')
  if (request.elements.length > 0) features.push('elements')
  if (request.shots.length > 0 || request.planShots) features.push('multi_shots')
  if (request.lastFrame !== null) features.push('last_frame')
  return features
}
