// Builds the scene of a shot of one picture, step by step: what the shot frames, the camera's way over that, the part of the
// picture that the camera sees, what lives in it, and the lens. A shot between two pictures is in scenes/transition.ts.

import { framesPerSecond } from '../../video/av/timing.ts'
import type { Kernel } from '../../video/kernel/kernel.ts'
import type { Warp } from '../../video/picture/grid.ts'
import type { Area } from '../../video/picture/output-size.ts'
import type { Picture } from '../../video/picture/picture-planes.ts'
import type { CameraPath } from './camera/camera.ts'
import { shotPath } from './camera/shot-path.ts'
import { livingRegions } from './effects/living-regions.ts'
import { type Playing, playingOn, wavesFrom } from './effects/played-on.ts'
import { firstWaves, type WavePlace, wavesOf } from './effects/waves.ts'
import { windPace } from './effects/wind.ts'
import { throughLens } from './film/focus.ts'
import { lensFor } from './film/lens-depth.ts'
import type { RequestPicture } from './request-picture.ts'
import { cameraScene, crossFade, type Recovery, type Scene, type View } from './scenes/camera-scene.ts'
import { lastViewOf } from './scenes/last-view.ts'
import { areaSeen, seenPart } from './scenes/seen-part.ts'
import { framedBy } from './shots/shot-framing.ts'
import type { Shot } from './shots/shot-list.ts'

export interface ShotRequest {
  shot: Shot
  seed: number
  /** The seed that the request gives, if it gives one. */
  take: number | undefined
  guidance: number
  /** Of the video whose last frame is the first picture. */
  before: Playing | null
}

/** A scene, and the part of the first picture that its first frame shows. */
export interface ShotScene extends Scene {
  area: Area
  /** Effects that the picture has no region for. */
  missed: string[]
  /**
   * Of a shot of one picture: what is drawn from, the part of the picture that it holds, and whether
   * frames are drawn from it alone.
   */
  source?: { picture: Picture; part: Area; alone: boolean }
  /** Mixes the last frame as it was delivered into the first frames, so that the detail that the encoder lost returns slowly. */
  recover?: Recovery
  /** The camera's way, where the last frame is what one camera sees. */
  path?: CameraPath
  /** What it aims at, in halves of the first frame's sides. */
  target?: { x: number; y: number }
  /** The last frame's `near`, `wind` (in its widths per second) and place of the waves, as an extension needs them. */
  near?: number
  wind?: number
  waves?: WavePlace
  /** The place in the first picture that each place of the last frame shows, where it shows nothing else. */
  lastView?: Warp
}

/** A shot of one picture. */
export async function cameraShot(
  kernel: Kernel,
  frame: Picture,
  still: RequestPicture,
  request: ShotRequest,
): Promise<ShotScene> {
  const { shot, guidance, before } = request
  const { effects } = shot.reading
  const seconds = shot.frames / framesPerSecond

  const { area, aim } = framedBy(shot, still, before)
  const path = shotPath(request, frame, aim)
  const look = (of: RequestPicture, own: Area) => seenPart(kernel, frame, of, own, path, aim.target, before?.near)
  const seen = look(still, area)

  const shown = (t: number) => area.width / seen.part.width / path(t).zoom
  const wind = { usual: windPace * shown(0), before: (before?.wind ?? 0) * shown(0) }
  const wavesBefore = before && wavesFrom(before)
  const waves = wavesBefore ? wavesOf(seen.part, area, wavesBefore) : firstWaves
  const living = livingRegions(still, seen.part, effects, { seconds, guidance, wind, waves })
  const view: View = { path, ...seen, drift: living.drift }
  const bare = cameraScene(kernel, frame, seen.picture, view)

  // Lights out of focus belong to a background that is out of focus too.
  const wanted = asked('shallowFocus', 'rackFocus') ?? asked('bokeh')
  const lens = wanted && lensFor(wanted, request.shot.reading.focus, still, seen.part, seen.relief, guidance)
  const span = seen.part.width / area.width
  const scene = lens ? await throughLens(kernel, frame, bare, { ...seen, span }, lens) : bare
  const missed: string[] = [...living.missed, ...(wanted && !lens && wanted.name !== 'bokeh' ? [wanted.name] : [])]

  return {
    ...scene,
    area,
    missed,
    source: { picture: seen.picture, part: seen.part, alone: !lens },
    ...(still.encoded && { recover: recoveryFrom(still.encoded) }),
    path,
    target: aim.target,
    ...(seen.nearAt && { near: seen.nearAt(path(1)) }),
    ...(living.wind > 0 && { wind: living.wind / shown(1) }),
    waves: wavesOf(areaSeen(path(1), area, frame), seen.part, waves),
    ...(!lens && { lastView: lastViewOf(view, seen, frame, seconds) }),
  }

  function asked(...names: string[]) {
    return effects.find(({ name }) => names.includes(name))
  }

  /** Cross-fades from the last frame as it was delivered to the same frame without the encoder's losses. */
  function recoveryFrom(encoded: RequestPicture): Recovery {
    const { picture, ...seen } = look(encoded, encoded.area)
    const delivered = cameraScene(kernel, frame, picture, { path, ...seen, drift: living.drift })
    return crossFade(kernel, frame, delivered, recoverySeconds[playingOn(effects)] / seconds)
  }
}

/**
 * How long detail that the encoder took takes to return: all of it at once would be seen as a pulse. Drops and flakes stand
 * still in the last frame, and go at once.
 */
const recoverySeconds = { none: 1, smooth: 1, rough: 0.125 }
