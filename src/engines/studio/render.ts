// Renders one plan into a video file and a thumbnail: shot after shot, frame after frame. It owns the sequence of steps;
// pictures, scenes, elements, sound and encoding each have their own file. Runs in a child process.

import { join } from 'node:path'
import { sha256Hex } from '../../platform/ids.ts'
import { createVideoFile } from '../../video/av/encoder.ts'
import { framesOf, framesPerSecond } from '../../video/av/timing.ts'
import { readingInput } from '../../video/input-error.ts'
import type { Kernel } from '../../video/kernel/kernel.ts'
import { loadKernel } from '../../video/kernel/load-kernel.ts'
import { pictureSize } from '../../video/picture/decode-picture.ts'
import type { Warp } from '../../video/picture/grid.ts'
import { type Area, croppedRatio, outputSize, type Size } from '../../video/picture/output-size.ts'
import { allocatePicture, type Picture } from '../../video/picture/picture-planes.ts'
import type { Pixels } from '../../video/picture/source-picture.ts'
import { thumbnailLongSide, writeStill } from '../../video/picture/write-still.ts'
import { hashSeed } from '../../video/random.ts'
import type { Rendered, WorkHooks } from '../../video/rendered.ts'
import { soundTrack } from '../../video/sound/sound-track.ts'
import { meanLight } from './air/picture-light.ts'
import { freeZoom, type Slack } from './camera/goals.ts'
import { type Momentum, rest, speedAtEnd } from './camera/momentum.ts'
import { frameStep } from './camera/path.ts'
import { effects } from './effects/all.ts'
import { timeOf } from './effects/effect.ts'
import { type EffectLayer, effectLayer } from './effects/effect-layer.ts'
import { type PlayedEffects, playedEffects, playingOn, playOn } from './effects/played-on.ts'
import { createCast, type Stage } from './elements/cast.ts'
import type { ElementLayer } from './elements/element-layer.ts'
import { type FilmLayer, filmLayer } from './film/film-layer.ts'
import { slackAround } from './framing.ts'
import { refusedEffects } from './prompt/read-prompt.ts'
import { cutMap } from './relief/cut-window.ts'
import type { RenderPlan } from './render-plan.ts'
import { cameraShot, passage, type ShotScene } from './scene-builder.ts'
import { type Shot, shotList } from './shots/shot-list.ts'
import { look, type Sight } from './sight.ts'
import { openStill, openWideStill, type Still, stillBytes } from './still.ts'
import { writeWideFrame } from './wide-frame.ts'

interface RenderHooks extends WorkHooks {
  /** Called when a shot is ready to be drawn, and the memory that went into preparing it is no longer needed. */
  prepared?(): void
  /** Whether depth, subjects and faces are looked for (1 s of processor time per picture); without, moves are flat. */
  depth: boolean
  /** Sees every finished frame before it is encoded. */
  onFrame?(kernel: Kernel, frame: Picture, index: number): void | Promise<void>
}

const preparedPercent = 4
const framesPercent = 95

export async function render(plan: RenderPlan, hooks: RenderHooks): Promise<Rendered> {
  const started = process.cpuUsage()
  const firstBytes = await readingInput('the first frame', () => stillBytes(plan.firstFrame))
  const seed = plan.seed ?? hashSeed(plan.prompt, sha256Hex(firstBytes))
  const given = await readingInput('the first frame', () => pictureSize(firstBytes))
  const size = outputSize(plan.size, given)
  const cropped = croppedRatio(plan.size, given)
  const kernel = await loadKernel()
  const see = hooks.depth ? (small: Pixels) => look(kernel, small, plan.depthModel ?? null) : null
  const first = await readingInput('the first frame', () => openFirst(plan, firstBytes, size, see))
  const last = await openLast(plan, size, see)
  hooks.progress(1)

  const frame = allocatePicture(kernel, size.width, size.height)
  const shots = shotList(plan, seed).map((shot, i) => withEffectsBefore(shot, plan, i === 0))
  const cast = createCast(kernel, plan.elements, size, seed, hooks.depth)
  const videoPath = join(plan.workDir, 'video.mp4')
  const thumbnailPath = join(plan.workDir, 'thumbnail.jpg')
  const lastFramePath = join(plan.workDir, 'last-frame.jpg')
  const sound = plan.audio ? await soundOf(plan, shots) : null
  const total = framesOf(plan.seconds)
  const givenFrame = last ? total - 1 : undefined
  const file = await createVideoFile({ path: videoPath, ...size, threads: hooks.threads, givenFrame, sound })
  const posterFrame = Math.floor(shots[0]!.frames / 2)
  let drawn = 0
  const missed = new Set<string>()
  let atEnd: Momentum | null = null
  let playing: PlayedEffects = {}
  let lastView: Warp | null = null

  async function finishFrame(): Promise<void> {
    await hooks.onFrame?.(kernel, frame, drawn)
    await file.write(kernel, frame)
    if (drawn === posterFrame)
      await writeStill(kernel, frame, thumbnailPath, { longSideMax: thumbnailLongSide, quality: 86 })
    drawn++
    hooks.progress(preparedPercent + ((framesPercent - preparedPercent) * drawn) / total)
  }

  try {
    for (const [i, shot] of shots.entries()) {
      const mark = kernel.mark()
      const arrivesAt = i === shots.length - 1 ? last : null
      const { scene, layers } = await openShot({ plan, kernel, frame, size, seed, first, cast }, shot, i, arrivesAt)
      for (const name of [...scene.missed, ...(layers.effects?.missed ?? [])]) missed.add(name)
      hooks.prepared?.()
      hooks.progress(preparedPercent + ((framesPercent - preparedPercent) * drawn) / total)
      await playShot(shot, scene, layers, frame, finishFrame)
      kernel.release(mark)
      atEnd = momentumOf(shot, scene, slackAround(scene.area, first.pixels), size)
      const moment = { ...momentsOf(shot), seed: effectSeed(plan, seed, i) }
      playing = playedEffects(shot.reading.effects, moment, scene.waves)
      // What elements hide is in no picture, and they do not play on.
      lastView = (layers.elements.length === 0 && scene.lastView) || null
    }
    await file.finish()
  } finally {
    await file.close()
  }
  // Where an extension plays on from: whole, and so close to what viewers saw that the join does not stand out.
  file.showLast(kernel, frame)
  await writeStill(kernel, frame, lastFramePath, { longSideMax: Number.POSITIVE_INFINITY, quality: 98 })
  const wideFramePath = join(plan.workDir, 'wide-frame.jpg')
  const wideArea = lastView && (await writeWideFrame(kernel, first.pixels, lastView, size, wideFramePath))
  const used = process.cpuUsage(started)
  return {
    videoPath,
    thumbnailPath,
    lastFramePath,
    ...(atEnd && { momentum: { ...atEnd, ...(wideArea && playing) } }),
    ...(wideArea && { wideFrame: { path: wideFramePath, area: wideArea } }),
    ...size,
    seconds: total / framesPerSecond,
    frames: total,
    missed: [...missed],
    adjusted: cropped === null ? [] : [`cropped to ${cropped}`],
    cpuSeconds: (used.user + used.system) / 1e6,
  }
}

async function openFirst(
  { wideFrame }: RenderPlan,
  bytes: Uint8Array,
  size: Size,
  see: ((small: Pixels) => Promise<Sight>) | null,
): Promise<Still> {
  return wideFrame
    ? openWideStill(await stillBytes(wideFrame), wideFrame.area, bytes, see)
    : openStill(bytes, size, see)
}

async function openLast(
  { lastFrame }: RenderPlan,
  size: Size,
  see: ((small: Pixels) => Promise<Sight>) | null,
): Promise<Still | null> {
  if (!lastFrame) return null
  return readingInput('the last frame', async () => openStill(await stillBytes(lastFrame), size, see))
}

/** What all shots of a video are drawn from, and onto. */
interface ShotSource {
  plan: RenderPlan
  kernel: Kernel
  frame: Picture
  size: Size
  seed: number
  first: Still
  cast: ReturnType<typeof createCast>
}

/** `arrivesAt`: the picture in which the shot ends, if it ends in another one. */
async function openShot(
  { plan, kernel, frame, size, seed, first, cast }: ShotSource,
  shot: Shot,
  index: number,
  arrivesAt: Still | null,
): Promise<{ scene: ShotScene; layers: ShotLayers }> {
  const momentum = (index === 0 && plan.momentum) || null
  const request = { plan, shot, seed: shotSeed(seed, index), frame: size, momentum }
  const scene = arrivesAt
    ? await passage(kernel, frame, first, arrivesAt, request)
    : await cameraShot(kernel, frame, first, request)
  const isEmpty = shot.cast.length === 0
  const elements = isEmpty ? [] : await cast.layers(shot.cast, index, size, stageOf(first, scene, size))
  const seconds = shot.frames / framesPerSecond
  const options = { seed: effectSeed(plan, seed, index), seconds, guidance: plan.guidance }
  const effects = effectLayer(kernel, frame, first, scene, shot, options)
  const film = filmLayer(kernel, size, shot.reading.effects, options)
  return { scene, layers: { elements, effects, film } }
}

interface ShotLayers {
  elements: ElementLayer[]
  effects: EffectLayer | null
  film: FilmLayer | null
}

async function playShot(
  shot: Shot,
  scene: ShotScene,
  { elements, effects, film }: ShotLayers,
  frame: Picture,
  finishFrame: () => Promise<void>,
): Promise<void> {
  const lastMoving = lastMovingFrame(shot)
  const { recover } = scene
  // Effects that play on are in what it mixes in, too; others begin over it.
  const playsOn = playingOn(shot.reading.effects) !== 'none'
  try {
    for (let i = 0; i < shot.frames; i++) {
      const now = Math.min(i, lastMoving)
      const t = lastMoving > 0 ? now / lastMoving : 0
      await scene.draw(t, frame)
      if (!playsOn) await recover?.(t, frame)
      for (const layer of elements) await layer.draw(t, now / framesPerSecond, frame)
      effects?.draw(now / framesPerSecond, frame)
      film?.draw(i / framesPerSecond, frame)
      if (playsOn) await recover?.(t, frame)
      await finishFrame()
    }
  } finally {
    for (const layer of elements) await layer.close()
  }
}

function lastMovingFrame(shot: Shot): number {
  return Math.floor((shot.frames - 1) * timeOf(shot.reading.effects).until)
}

const freezes = (shot: Shot) => timeOf(shot.reading.effects).until < 1

/** The times of a shot's effects on its last frame. */
function momentsOf(shot: Shot): { second: number; seconds: number; rate: number } {
  const seconds = shot.frames / framesPerSecond
  return { second: lastMovingFrame(shot) / framesPerSecond, seconds, rate: timeOf(shot.reading.effects).rate }
}

/** A shot with the effects of the video before: in the first one they play on, in others they come again. */
function withEffectsBefore(shot: Shot, { momentum, wideFrame, negativePrompt }: RenderPlan, isFirst: boolean): Shot {
  // Without a picture of the last frame that is free of them, they are part of it.
  if (!momentum || !wideFrame) return shot
  const all = playOn(shot.reading.effects, refusedEffects(shot.prompt, negativePrompt), momentum)
  const effects = isFirst ? all : all.filter(({ goes }) => !goes).map(({ before: _, ...wish }) => wish)
  return { ...shot, reading: { ...shot.reading, effects } }
}

/** What an extension continues falls from the same places. */
function effectSeed({ momentum, wideFrame }: RenderPlan, seed: number, shot: number): number {
  const before = shot === 0 && wideFrame ? momentum?.effectSeed : undefined
  return before ?? shotSeed(seed, shot)
}

const shotSeed = (seed: number, shot: number) => hashSeed(`${seed}/${shot}`)

/** What an extension of the shot takes over. Null where no camera moves over it. */
function momentumOf(
  shot: Shot,
  { path, near, wind }: ShotScene,
  slack: Slack,
  { width, height }: Size,
): Momentum | null {
  if (!path) return null
  const step = frameStep(shot.frames / framesPerSecond)
  const options = { aspect: width / height, step, framesPerSecond, free: freeZoom(slack) }
  const speed = freezes(shot) ? rest : speedAtEnd(path, options)
  const blows = wind !== undefined && !freezes(shot) && { wind }
  return { ...speed, ...(near !== undefined && { near }), ...blows }
}

/** What elements come into: where the picture's subject and heads are in the frame, and the light there. */
function stageOf({ sight, pixels }: Still, { area, grid }: ShotScene, frame: Size): Stage {
  const scaleX = frame.width / area.width
  const scaleY = frame.height / area.height
  const inFrame = (bounds: Area): Area => ({
    x: (bounds.x * pixels.width - area.x) * scaleX,
    y: (bounds.y * pixels.height - area.y) * scaleY,
    width: bounds.width * pixels.width * scaleX,
    height: bounds.height * pixels.height * scaleY,
  })
  const subject = sight?.subject ? [sight.subject.bounds] : []
  return {
    taken: [...subject, ...(sight?.heads ?? [])].map(inFrame),
    light: sight && meanLight(sight),
    near: sight?.depth ? cutMap(sight.depth, pixels, area) : null,
    grid,
  }
}

function soundOf(plan: RenderPlan, shots: Shot[]): Promise<Float32Array[]> {
  const paths = plan.elements.flatMap((element) => element.audio.map((file) => file.path))
  const prompt = [plan.prompt, ...plan.shots.map((shot) => shot.prompt)].join('\n')
  const heard = shots.flatMap(({ reading }) => reading.effects.flatMap(({ name }) => effects[name].sound ?? []))
  return soundTrack(paths, prompt, plan.seconds, heard)
}
