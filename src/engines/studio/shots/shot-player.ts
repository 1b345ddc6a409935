// Plays one shot: it opens the scene with everything that lies over it, and draws frame after frame. It runs anywhere:
// decoding, elements and encoding are the host's.

import { framesPerSecond } from '../../../video/av/timing.ts'
import type { Kernel } from '../../../video/kernel/kernel.ts'
import type { Area, Size } from '../../../video/picture/output-size.ts'
import type { Picture } from '../../../video/picture/picture-planes.ts'
import { meanLight } from '../air/picture-light.ts'
import { easeInOut } from '../camera/view.ts'
import { effectLayer } from '../effects/effect-layer.ts'
import { type Playing, playingOn } from '../effects/played-on.ts'
import type { Cast, Stage } from '../elements/cast.ts'
import { filmLayer } from '../film/film-layer.ts'
import { cutMap } from '../relief/cut-window.ts'
import type { RequestPicture } from '../request-picture.ts'
import { cameraShot, type ShotScene } from '../scene-builder.ts'
import { transition } from '../scenes/transition.ts'
import { type AtEnd, effectSeed, lastMovingFrame, playingAtEnd, shotSeed } from './playing.ts'
import type { Shot } from './shot-list.ts'

/** What all shots of a video are drawn from, and onto. */
export interface Takes {
  kernel: Kernel
  frame: Picture
  first: RequestPicture
  seed: number
  /** The same, where the request gives one: each is another take. */
  take: number | undefined
  guidance: number
  /** Null where no elements can be drawn: shots are played without them. */
  cast: Cast | null
  /** What was playing where the first shot begins. */
  before: Playing | null
}

export interface OpenShot {
  scene: ShotScene
  /** What the prompt asked for and the picture has no place for. */
  missed: string[]
  /** Elements that cannot be drawn well, each with the reason. */
  leftOut: string[]
  /** Draws its frames, each once and in order. */
  draw(index: number): Promise<void>
  close(): Promise<void>
  /** What plays on its last frame. */
  atEnd: AtEnd | null
  /** Whether elements are in it: what they hide is in no picture. */
  hasElements: boolean
}

/** Opens the shot at an index. `arrivesAt` is the picture in which it ends, if that is another one. */
export async function openShot(
  takes: Takes,
  shot: Shot,
  index: number,
  arrivesAt: RequestPicture | null,
): Promise<OpenShot> {
  const { kernel, frame, first, seed, guidance, cast } = takes
  const before = index === 0 ? takes.before : null
  const request = { shot, seed: shotSeed(seed, index), take: takes.take, guidance, before }
  const scene = arrivesAt
    ? await transition(kernel, frame, first, arrivesAt, request)
    : await cameraShot(kernel, frame, first, request)
  const isCast = cast !== null && shot.cast.length > 0
  const stage = stageOf(first, scene, frame)
  const { layers: elements, leftOut } = isCast
    ? await cast.layers(shot.cast, index, frame, stage)
    : { layers: [], leftOut: [] }
  const options = { seed: effectSeed(before, seed, index), seconds: shot.frames / framesPerSecond, guidance }
  const effects = effectLayer(kernel, frame, first, scene, shot, options)
  const looks = shot.reading.effects.filter(({ name }) => !scene.missed.includes(name))
  const film = filmLayer(kernel, frame, looks, options)
  const lastMoving = lastMovingFrame(shot)
  // Effects that play on are in what it mixes in, too; others begin over it.
  const recoversLast = playingOn(shot.reading.effects) !== 'none'
  return {
    scene,
    missed: [...scene.missed, ...(effects?.missed ?? [])],
    leftOut,
    async draw(index) {
      const now = Math.min(index, lastMoving)
      const t = lastMoving > 0 ? now / lastMoving : 0
      await scene.draw(t, frame)
      if (!recoversLast) await scene.recover?.(t, frame)
      for (const layer of elements) await layer.draw(t, now / framesPerSecond, frame)
      // The last frame is the picture that it arrives at, whatever came before.
      const share = arrivesAt ? 1 - easeInOut((t - leavesFrom) / (1 - leavesFrom)) : 1
      effects?.draw(now / framesPerSecond, frame, share)
      film?.draw(index / framesPerSecond, frame, share)
      if (recoversLast) await scene.recover?.(t, frame)
    },
    async close() {
      for (const layer of elements) await layer.close()
    },
    atEnd: playingAtEnd(shot, scene, first.pixels, frame, options.seed),
    hasElements: elements.length > 0,
  }
}

/** From when on effects leave a shot that ends in another picture. */
const leavesFrom = 0.4

/** What elements come into: where the picture's subject and heads are in the frame, and the light there. */
function stageOf({ analysis, pixels }: RequestPicture, { area, grid }: ShotScene, frame: Size): Stage {
  const scaleX = frame.width / area.width
  const scaleY = frame.height / area.height
  const inFrame = (bounds: Area): Area => ({
    x: (bounds.x * pixels.width - area.x) * scaleX,
    y: (bounds.y * pixels.height - area.y) * scaleY,
    width: bounds.width * pixels.width * scaleX,
    height: bounds.height * pixels.height * scaleY,
  })
  const subject = analysis?.subject ? [analysis.subject.bounds] : []
  return {
    taken: [...subject, ...(analysis?.heads ?? [])].map(inFrame),
    light: analysis && meanLight(analysis),
    near: analysis?.depth ? cutMap(analysis.depth, pixels, area) : null,
    grid,
  }
}
