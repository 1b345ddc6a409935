// Builds the scene of each shot from the request's pictures: it plays the prompt's moves over the shot's part of the
// picture, and chooses between one picture (flat or in relief), a morph and a dissolve.

import { framesPerSecond } from '../../video/av/timing.ts'
import type { Kernel } from '../../video/kernel/kernel.ts'
import type { Warp } from '../../video/picture/grid.ts'
import { type Luma, lumaOf, sampleAt } from '../../video/picture/luma.ts'
import { type Area, detailSize, type Size } from '../../video/picture/output-size.ts'
import type { Picture } from '../../video/picture/picture-planes.ts'
import { cutPixels, toPicture } from '../../video/picture/source-picture.ts'
import type { Camera } from './camera/camera.ts'
import type { Slack } from './camera/goals.ts'
import type { Momentum } from './camera/momentum.ts'
import { cameraPath, maxZoom, type PathOptions, sourcePoint } from './camera/path.ts'
import type { Window } from './camera/view.ts'
import { effects } from './effects/all.ts'
import { type EffectWish, strengthOf } from './effects/effect.ts'
import { livingRegions } from './effects/living-regions.ts'
import { type PlayedEffects, playingOn, wavesFrom } from './effects/played-on.ts'
import { firstWaves, type WavePlace, wavesOf } from './effects/waves.ts'
import { windPace } from './effects/wind.ts'
import { type Lens, throughLens } from './film/focus.ts'
import { lensDepth, subjectFocus } from './film/lens-depth.ts'
import { aimAt, focusAt, focusOf, shotArea, slackAround } from './framing.ts'
import { cutMap, planCut } from './relief/cut-window.ts'
import { prepareRelief, type Relief, withinSteady } from './relief/relief.ts'
import type { RenderPlan } from './render-plan.ts'
import {
  type CameraPath,
  cameraScene,
  givingWay,
  moved,
  type Recovery,
  type Scene,
  seenThrough,
} from './scenes/camera-scene.ts'
import { measureFlow } from './scenes/flow.ts'
import { windowOf } from './scenes/frame-window.ts'
import { keptInside } from './scenes/kept-inside.ts'
import { agreementMin, dissolveScene, morphScene } from './scenes/morph-scene.ts'
import type { Shot } from './shots/shot-list.ts'
import type { Still } from './still.ts'

const flowLongSide = 320

interface ShotRequest {
  plan: RenderPlan
  shot: Shot
  seed: number
  frame: Size
  /** Of the video whose last frame is the first picture. */
  momentum: (Momentum & PlayedEffects) | null
}

/** A scene, and the part of the first picture that its first frame shows. */
export interface ShotScene extends Scene {
  area: Area
  /** Effects that the picture has no region for. */
  missed: string[]
  /** The camera's way, where the last frame is what one camera sees. */
  path?: CameraPath
  /** The last frame's `near`, as an extension needs it. */
  near?: number
  /** The pace of drifting clouds in the last frame, in its widths per second. */
  wind?: number
  /**
   * Of a shot of one picture: what is drawn from, the part of the picture that it holds, and whether
   * frames are drawn from it alone.
   */
  source?: { picture: Picture; part: Area; alone: boolean }
  /** Where the waves of leaves and water lie for the last frame. */
  waves?: WavePlace
  /** Mixes what the encoder made of the video before into a finished frame, as long as its detail takes to return. */
  recover?: Recovery
  /** The place in the first picture that each place of the last frame shows, where it shows nothing else. */
  lastView?: Warp
}

/** A shot of one picture. */
export async function cameraShot(
  kernel: Kernel,
  frame: Picture,
  still: Still,
  request: ShotRequest,
): Promise<ShotScene> {
  const { sight, pixels } = still
  const { reading, framing } = request.shot
  const { place } = reading
  const focus = place ? focusAt(place, sight, still.area, pixels) : sight && focusOf(sight, still.area, pixels)
  const area = shotArea(still.area, framing, focus, pixels)
  const aim = aimAt(focus, area, pixels)
  // A shot that begins on the whole picture goes close; later shots are cut close already.
  const goesClose = (reading.close || place) && framing.zoom <= 1 && !reading.phases.some(({ still }) => still)
  const closeZoom = goesClose ? aim.closeZoom : null
  // A closer shot has picture around it for its moves, but is not there to travel over all of it.
  const slack = framing.zoom > 1 ? atMost(aim.slack, closeSlackMax) : aim.slack
  const path = pathOf(request, { ...aim, slack, closeZoom, speedBefore: request.momentum })
  const source = await sourceOf(kernel, still, area, frame, path)
  const { picture, window } = source
  const relief = reliefOf(still, area, window, path, aim.target, request)
  const seconds = request.shot.frames / framesPerSecond
  const part = areaOf(window, area)
  const { guidance } = request.plan
  const shown = (t: number) => area.width / part.width / path(t).zoom
  const wind = { usual: windPace * shown(0), before: (request.momentum?.wind ?? 0) * shown(0) }
  const wavesBefore = request.momentum && wavesFrom(request.momentum)
  const waves = wavesBefore ? wavesOf(part, area, wavesBefore) : firstWaves
  const living = livingRegions(still, part, reading.effects, { seconds, guidance, wind, waves })
  const { drift } = living
  const missed: string[] = [...living.missed]
  const encodedScene = async (encoded: Still) => {
    const { picture, window } = await sourceOf(kernel, encoded, encoded.area, frame, path)
    const relief = reliefOf(encoded, encoded.area, window, path, aim.target, request)
    return cameraScene(kernel, frame, picture, { path, window, relief, drift })
  }
  const bare = cameraScene(kernel, frame, picture, { path, window, relief, drift })
  const fromEncoded = still.encoded && (await encodedScene(still.encoded))
  const recovers = (playingOn(reading.effects) === 'rough' ? crossSeconds : recoverySeconds) / seconds
  const recover = fromEncoded && givingWay(kernel, frame, fromEncoded, recovers)
  const asked = (...names: string[]) => reading.effects.find(({ name }) => names.includes(name))
  // Lights out of focus belong to a background that is out of focus too.
  const wanted = asked('shallowFocus', 'rackFocus') ?? asked('bokeh')
  const lens = wanted && lensFor(wanted, still, part, relief, guidance)
  if (wanted && !lens && wanted.name !== 'bokeh') missed.push(wanted.name)
  const span = (window.right - window.left) / 2
  const scene = lens ? await throughLens(kernel, frame, bare, { ...source, span }, lens) : bare
  const near = relief && { near: nearnessSeen(relief.depth, window, path(1), frame) - relief.steady }
  const last = keptInside(seenThrough({ path, window, relief }, 1, frame, picture).warp, frame, picture)
  const lastMoved = drift ? moved(last, drift.move(seconds), picture) : last
  const lastView = !lens && { lastView: inside(part, picture, edged(lastMoved, frame, picture)) }
  const wavesAtEnd = wavesOf(areaSeen(path(1), area, frame), part, waves)
  const blows = living.wind > 0 && { wind: living.wind / shown(1) }
  const drawn = { source: { picture, part, alone: !lens }, ...(recover && { recover }) }
  return { ...scene, area, missed, path, waves: wavesAtEnd, ...near, ...blows, ...lastView, ...drawn }
}

/** How long detail that the encoder took takes to return: all of it at once would be seen as a pulse. */
const recoverySeconds = 1
/** The same where drops and flakes of the last frame stand still in it. */
const crossSeconds = 0.125

/** A view in which the frame's places beyond the source show its edges, as they are drawn: leaves may sway out of it. */
function edged(warp: Warp, frame: Size, source: Size): Warp {
  return (x, y, to) => {
    warp(x, y, to)
    if (x < 0 || y < 0 || x > frame.width || y > frame.height) return
    to[0] = Math.min(source.width, Math.max(0, to[0]!))
    to[1] = Math.min(source.height, Math.max(0, to[1]!))
  }
}

/** Places in a source as places in the picture that it is a part of. */
function inside(part: Area, source: Size, warp: Warp): Warp {
  return (x, y, to) => {
    warp(x, y, to)
    to[0] = part.x + (to[0]! / source.width) * part.width
    to[1] = part.y + (to[1]! / source.height) * part.height
  }
}

/** Null where the picture's depth is not known well enough to blur by it. */
function lensFor(
  wish: EffectWish,
  { sight, pixels }: Still,
  part: Area,
  relief: Relief | null,
  guidance: number,
): Lens | null {
  if (!sight?.depth || !relief) return null
  const depth = cutMap(lensDepth(sight, sight.depth), pixels, part, lensMapWidth)
  const grown = cutMap(sight.depth, pixels, part, lensMapWidth)
  // Without a subject the near ground is sharp.
  const near = sight.subject ? subjectFocus : 0.8
  const to = wish.name === 'rackFocus' ? 0.12 : near
  return { depth, grown, from: near, to, start: wish.from ?? 0, strength: strengthOf(wish, guidance) }
}

const lensMapWidth = 640

const closeSlackMax = 0.25

function atMost({ left, right, top, bottom }: Slack, most: number): Slack {
  const [a, b, c, d] = [left, right, top, bottom].map((side) => Math.min(side, most))
  return { left: a!, right: b!, top: c!, bottom: d! }
}

/** The part of a picture that a path sees, ready for the kernel. */
async function sourceOf(kernel: Kernel, still: Still, area: Area, frame: Picture, path: CameraPath) {
  const wanted = windowOf(path, frame.width / frame.height, slackAround(area, still.pixels))
  const whole = detailSize(area, frame, maxZoom(path))
  const cut = planCut(wanted, area, still.pixels, { x: whole.width / area.width, y: whole.height / area.height })
  const { window } = cut
  const least = {
    width: (frame.width * (window.right - window.left)) / 2,
    height: (frame.height * (window.bottom - window.top)) / 2,
  }
  const pixels = cutPixels(kernel, still.pixels, cut.inside, cut.size)
  return { picture: toPicture(kernel, pixels, least), pixels, window }
}

function reliefOf(
  { sight, pixels }: Still,
  area: Area,
  window: Window,
  path: CameraPath,
  target: { x: number; y: number },
  { frame, momentum }: ShotRequest,
): Relief | null {
  if (!sight?.depth) return null
  const part = areaOf(window, area)
  const depth = cutMap(sight.depth, pixels, part)
  const across = window.right - window.left
  const down = window.bottom - window.top
  const centre = { x: (target.x - window.left) / across, y: (target.y - window.top) / down }
  const poses = Array.from({ length: 33 }, (_, i) => path(i / 32))
  const relief = prepareRelief(depth, steadyDepth(depth, centre), poses, { centre, window })
  const near = momentum?.near
  if (near === undefined) return relief
  return { ...relief, steady: withinSteady(nearnessSeen(relief.depth, window, path(0), frame) - near) }
}

/** The mean nearness of what a camera sees of a window. */
function nearnessSeen(depth: Luma, window: Window, camera: Camera, { width, height }: Size): number {
  const toMapX = depth.width / (window.right - window.left)
  const toMapY = depth.height / (window.bottom - window.top)
  let sum = 0
  for (let row = 0; row < nearnessPlaces; row++) {
    for (let column = 0; column < nearnessPlaces; column++) {
      const [u, v] = [column, row].map((place) => (2 * place + 1) / nearnessPlaces - 1)
      const { x, y } = sourcePoint(camera, u!, v!, width / height)
      sum += sampleAt(depth, (x - window.left) * toMapX - 0.5, (y - window.top) * toMapY - 0.5)
    }
  }
  return sum / nearnessPlaces ** 2
}

/** Along each side of the frame. */
const nearnessPlaces = 24

/**
 * The nearness of what the camera aims at, over a part of the picture around it: at an edge, a single place of an extension
 * could be in front of it where its parent's was behind, and everything would change its pace.
 */
function steadyDepth({ data, width, height }: Luma, centre: { x: number; y: number }): number {
  const reach = Math.round(width * steadyReach)
  const around = (at: number, size: number) => [Math.max(0, at - reach), Math.min(size - 1, at + reach)] as const
  const [left, right] = around(Math.round(Math.min(1, Math.max(0, centre.x)) * (width - 1)), width)
  const [top, bottom] = around(Math.round(Math.min(1, Math.max(0, centre.y)) * (height - 1)), height)
  let sum = 0
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) sum += data[row * width + column]!
  }
  return sum / ((right - left + 1) * (bottom - top + 1))
}

const steadyReach = 0.06

/** What a camera sees of an area without relief, upright. */
function areaSeen(camera: Camera, area: Area, { width, height }: Size): Area {
  const at = (u: number, v: number) => sourcePoint({ ...camera, roll: 0, yaw: 0 }, u, v, width / height)
  const [from, to] = [at(-1, -1), at(1, 1)]
  return areaOf({ left: from.x, top: from.y, right: to.x, bottom: to.y }, area)
}

/** A window around an area, in the picture's pixels. */
function areaOf(window: Window, area: Area): Area {
  return {
    x: area.x + ((window.left + 1) / 2) * area.width,
    y: area.y + ((window.top + 1) / 2) * area.height,
    width: ((window.right - window.left) / 2) * area.width,
    height: ((window.bottom - window.top) / 2) * area.height,
  }
}

function pathOf({ plan, shot, seed, frame }: ShotRequest, options: Partial<PathOptions>): CameraPath {
  const seconds = shot.frames / framesPerSecond
  const aspect = frame.width / frame.height
  return cameraPath(shot.reading.phases, { guidance: plan.guidance, seed, seconds, aspect, ...options })
}

/** A shot from one picture to another. */
export async function passage(
  kernel: Kernel,
  frame: Picture,
  first: Still,
  last: Still,
  request: ShotRequest,
): Promise<ShotScene> {
  // Between two pictures no region of its own can move.
  const names = request.shot.reading.effects.map(({ name }) => name)
  const missed: string[] = names.filter((name) => ['region', 'focus'].includes(effects[name].kind))
  const flow = measureFlow(smallLuma(kernel, first, frame), smallLuma(kernel, last, frame))
  const draw = async (still: Still, zoom: number) => {
    return toPicture(kernel, cutPixels(kernel, still.pixels, still.area, detailSize(still.area, frame, zoom)), frame)
  }
  if (flow.agreement >= agreementMin) {
    return { ...morphScene(kernel, frame, await draw(first, 1), await draw(last, 1), flow), area: first.area, missed }
  }
  const look = async (still: Still, anchor: 'start' | 'end') => {
    const focus = still.sight && focusOf(still.sight, still.area, still.pixels)
    const { target, zoomMax } = aimAt(focus, still.area, still.pixels)
    const path = pathOf(request, { anchor, target, zoomMax })
    const { picture, window } = await sourceOf(kernel, still, still.area, frame, path)
    return { picture, path, window, relief: reliefOf(still, still.area, window, path, target, request) }
  }
  const [from, to] = [await look(first, 'start'), await look(last, 'end')]
  return { ...dissolveScene(kernel, frame, from, to), area: first.area, missed, path: to.path }
}

function smallLuma(kernel: Kernel, still: Still, frame: Size): Luma {
  const scale = flowLongSide / Math.max(frame.width, frame.height)
  const width = Math.max(16, Math.round(frame.width * scale))
  const height = Math.max(16, Math.round(frame.height * scale))
  const { rgb } = cutPixels(kernel, still.pixels, still.area, { width, height })
  return { data: lumaOf(rgb), width, height }
}
