// Renders one plan into a video file and a thumbnail: it decodes the pictures, has them looked at, plays shot after shot, and
// encodes every frame. What plays a shot runs anywhere; this runs in a child process.

import { join } from 'node:path'
import { sha256Hex } from '../../platform/ids.ts'
import { createVideoFile } from '../../video/av/encoder.ts'
import { framesOf, framesPerSecond } from '../../video/av/timing.ts'
import { readingInput } from '../../video/input-error.ts'
import type { Kernel } from '../../video/kernel/kernel.ts'
import { loadKernel } from '../../video/kernel/load-kernel.ts'
import { pictureSize } from '../../video/picture/decode-picture.ts'
import type { Warp } from '../../video/picture/grid.ts'
import { croppedRatio, outputSize, type Size } from '../../video/picture/output-size.ts'
import { allocatePicture, type Picture } from '../../video/picture/picture-planes.ts'
import type { Pixels } from '../../video/picture/source-picture.ts'
import { thumbnailLongSide, writeStill } from '../../video/picture/write-still.ts'
import { hashSeed } from '../../video/random.ts'
import type { Rendered, WorkHooks } from '../../video/rendered.ts'
import { soundTrack } from '../../video/sound/sound-track.ts'
import { effects } from './effects/all.ts'
import { createCast } from './elements/cast.ts'
import { analyzePicture, type PictureAnalysis } from './picture-analysis.ts'
import type { RenderPlan } from './render-plan.ts'
import { openRequestPicture, openWideRequestPicture, pictureBytes, type RequestPicture } from './request-picture.ts'
import { type AtEnd, withPlaying } from './shots/playing.ts'
import { type Shot, shotList } from './shots/shot-list.ts'
import { openShot } from './shots/shot-player.ts'
import { drawWideFrame } from './wide-frame.ts'

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
  const firstBytes = await readingInput('the first frame', () => pictureBytes(plan.firstFrame))
  const seed = plan.seed ?? hashSeed(plan.prompt, sha256Hex(firstBytes))
  const given = await readingInput('the first frame', () => pictureSize(firstBytes))
  const size = outputSize(plan.size, given)
  const cropped = croppedRatio(plan.size, given)
  const kernel = await loadKernel()
  const see = hooks.depth ? (small: Pixels) => analyzePicture(kernel, small, plan.depthModel ?? null) : null
  const first = await readingInput('the first frame', () => openFirst(plan, firstBytes, size, see))
  const last = await openLast(plan, size, see)
  hooks.progress(1)

  const frame = allocatePicture(kernel, size.width, size.height)
  const before = plan.momentum ?? null
  // Without a picture of the last frame that is free of them, effects are part of it.
  const effectsBefore = plan.wideFrame ? before : null
  const shots = shotList(plan, seed).map((shot, i) => withPlaying(shot, effectsBefore, plan.negativePrompt, i === 0))
  const cast = createCast(kernel, plan.elements, size, seed, hooks.depth)
  const takes = { kernel, frame, first, seed, take: plan.seed, guidance: plan.guidance, cast, before }
  const videoPath = join(plan.workDir, 'video.mp4')
  const thumbnailPath = join(plan.workDir, 'thumbnail.jpg')
  const lastFramePath = join(plan.workDir, 'last-frame.jpg')
  const wideFramePath = join(plan.workDir, 'wide-frame.jpg')
  const sound = plan.audio ? await soundOf(plan, shots) : null
  const total = framesOf(plan.seconds)
  const givenFrame = last ? total - 1 : undefined
  const file = await createVideoFile({ path: videoPath, ...size, threads: hooks.threads, givenFrame, sound })
  const posterFrame = Math.floor(shots[0]!.frames / 2)
  let drawn = 0
  const missed = new Set<string>()
  const leftOut = new Set<string>()
  let atEnd: AtEnd | null = null
  let lastView: Warp | null = null
  const reportFrames = () => hooks.progress(preparedPercent + ((framesPercent - preparedPercent) * drawn) / total)

  async function finishFrame(): Promise<void> {
    await hooks.onFrame?.(kernel, frame, drawn)
    await file.write(kernel, frame)
    if (drawn === posterFrame)
      await writeStill(kernel, frame, thumbnailPath, { longSideMax: thumbnailLongSide, quality: 86 })
    drawn++
    reportFrames()
  }

  try {
    for (const [i, shot] of shots.entries()) {
      const mark = kernel.mark()
      const open = await openShot(takes, shot, i, i === shots.length - 1 ? last : null)
      for (const name of open.missed) missed.add(name)
      for (const element of open.leftOut) leftOut.add(element)
      hooks.prepared?.()
      reportFrames()
      try {
        for (let index = 0; index < shot.frames; index++) {
          await open.draw(index)
          await finishFrame()
        }
      } finally {
        await open.close()
      }
      kernel.release(mark)
      atEnd = open.atEnd
      // What elements hide is in no picture, and they do not play on.
      lastView = (!open.hasElements && open.scene.lastView) || null
    }
    await file.finish()
  } finally {
    await file.close()
  }
  // Where an extension plays on from: whole, and so close to what viewers saw that the join does not stand out.
  file.showLast(kernel, frame)
  await writeStill(kernel, frame, lastFramePath, { longSideMax: Number.POSITIVE_INFINITY, quality: 98 })
  const wide = lastView && drawWideFrame(kernel, first.pixels, lastView, size)
  if (wide) await writeStill(kernel, wide.drawn, wideFramePath, { longSideMax: Number.POSITIVE_INFINITY, quality: 86 })
  const used = process.cpuUsage(started)
  return {
    videoPath,
    thumbnailPath,
    lastFramePath,
    ...(atEnd && { momentum: { ...atEnd.camera, ...(wide && atEnd.effects) } }),
    ...(wide && { wideFrame: { path: wideFramePath, area: wide.area } }),
    ...size,
    seconds: total / framesPerSecond,
    frames: total,
    missed: [...missed],
    leftOut: [...leftOut],
    adjusted: cropped === null ? [] : [`cropped to ${cropped}`],
    cpuSeconds: (used.user + used.system) / 1e6,
  }
}

async function openFirst(
  { wideFrame }: RenderPlan,
  bytes: Uint8Array,
  size: Size,
  see: ((small: Pixels) => Promise<PictureAnalysis>) | null,
): Promise<RequestPicture> {
  return wideFrame
    ? openWideRequestPicture(await pictureBytes(wideFrame), wideFrame.area, bytes, see)
    : openRequestPicture(bytes, size, see)
}

async function openLast(
  { lastFrame }: RenderPlan,
  size: Size,
  see: ((small: Pixels) => Promise<PictureAnalysis>) | null,
): Promise<RequestPicture | null> {
  if (!lastFrame) return null
  return readingInput('the last frame', async () => openRequestPicture(await pictureBytes(lastFrame), size, see))
}

function soundOf(plan: RenderPlan, shots: Shot[]): Promise<Float32Array[]> {
  const paths = plan.elements.flatMap((element) => element.audio.map((file) => file.path))
  const prompt = [plan.prompt, ...plan.shots.map((shot) => shot.prompt)].join('\n')
  const heard = shots.flatMap(({ reading }) => reading.effects.flatMap(({ name }) => effects[name].sound ?? []))
  return soundTrack(paths, prompt, plan.seconds, heard)
}
