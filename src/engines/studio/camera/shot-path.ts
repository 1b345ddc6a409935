// The camera's path of one shot, from what its prompt asks for and what the shot frames. Pure.

import { framesPerSecond } from '../../../video/av/timing.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import type { Shot } from '../shots/shot-list.ts'
import type { CameraPath } from './camera.ts'
import type { Speed } from './momentum.ts'
import { cameraPath, type PathOptions } from './path.ts'

interface PathRequest {
  shot: Shot
  seed: number
  /** The seed that the request gives, if it gives one. */
  take: number | undefined
  guidance: number
  before: Speed | null
}

export function shotPath(
  { shot, seed, take, guidance, before }: PathRequest,
  frame: Size,
  options: Partial<PathOptions>,
): CameraPath {
  const seconds = shot.frames / framesPerSecond
  const aspect = frame.width / frame.height
  return cameraPath(shot.reading.phases, { guidance, seed, take, seconds, aspect, speedBefore: before, ...options })
}
