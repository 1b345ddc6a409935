// What goes on across the join of a video and its extension: the last frame is the extension's first, and what was playing
// on it plays on. A camera keeps its speed, near things keep their distance, clouds their pace, waves their place, and
// effects their moment. All of it travels as flat numbers. Pure.

import { framesPerSecond } from '../../../video/av/timing.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import { hashSeed } from '../../../video/random.ts'
import type { Camera } from '../camera/camera.ts'
import { freeZoom } from '../camera/goals.ts'
import { type Momentum, rest, speedAtEnd } from '../camera/momentum.ts'
import { frameStep } from '../camera/path.ts'
import { timeOf } from '../effects/effect.ts'
import { type PlayedEffects, type Playing, playedEffects, playOn } from '../effects/played-on.ts'
import { slackAround } from '../framing.ts'
import { refusedEffects } from '../prompt/read-prompt.ts'
import type { ShotScene } from '../scene-builder.ts'
import type { Shot } from './shot-list.ts'

/** What was playing on a last frame, in two parts: effects play on only where the picture behind them is known, else they are part of it. */
export interface AtEnd {
  camera: Momentum
  effects: PlayedEffects
}

export const shotSeed = (seed: number, index: number) => hashSeed(`${seed}/${index}`)

/** What an extension continues falls from the same places. */
export function effectSeed(before: Playing | null, seed: number, index: number): number {
  return (index === 0 && before?.effectSeed) || shotSeed(seed, index)
}

/** A shot with the effects of the video before: in the first one they play on, in others they come again. */
export function withPlaying(shot: Shot, before: Playing | null, negativePrompt: string, isFirst: boolean): Shot {
  if (!before) return shot
  const all = playOn(shot.reading.effects, refusedEffects(shot.prompt, negativePrompt), before)
  const effects = isFirst ? all : all.filter(({ goes }) => !goes).map(({ before: _, ...wish }) => wish)
  return { ...shot, reading: { ...shot.reading, effects } }
}

export function lastMovingFrame({ frames, reading }: Shot): number {
  return Math.floor((frames - 1) * timeOf(reading.effects).until)
}

/**
 * What plays on the last frame of a shot; null where no camera moves over it. `picture` is what it was drawn from, `seed` that
 * of its effects.
 */
export function playingAtEnd(shot: Shot, scene: ShotScene, picture: Size, frame: Size, seed: number): AtEnd | null {
  const { path, target, near, wind, waves } = scene
  if (!path) return null
  const seconds = shot.frames / framesPerSecond
  const { until, rate } = timeOf(shot.reading.effects)
  const free = freeZoom(slackAround(scene.area, picture))
  const options = { aspect: frame.width / frame.height, step: frameStep(seconds), framesPerSecond, free }
  const moment = { seed, second: lastMovingFrame(shot) / framesPerSecond, seconds, rate }
  const camera = {
    ...(until < 1 ? rest : speedAtEnd(path, options)),
    ...(target && aimSeen(path(1), target)),
    ...(near !== undefined && { near }),
    ...(wind !== undefined && until === 1 && { wind }),
  }
  return { camera, effects: playedEffects(shot.reading.effects, moment, waves) }
}

/** Where in the frame a camera sees what it aims at. */
function aimSeen({ x, y, zoom }: Camera, target: { x: number; y: number }): { aimX: number; aimY: number } {
  const inFrame = (away: number) => Math.min(1, Math.max(-1, away * zoom))
  return { aimX: inFrame(target.x - x), aimY: inFrame(target.y - y) }
}
