// Renders one order into a video file and a thumbnail: shot after shot, frame after frame. It owns the order of things;
// pictures, scenes, elements, sound and encoding each have their own file. Runs in a child process.

import { join } from 'node:path'
import sharp from 'sharp'
import { createVideoFile } from './av/encoder.ts'
import { readSound } from './av/media-reader.ts'
import { ambience, fitTracks } from './av/sound.ts'
import { framesOf, framesPerSecond } from './av/timing.ts'
import { createCast } from './elements/cast.ts'
import type { ElementLayer } from './elements/element-layer.ts'
import { readingMaterial } from './material-error.ts'
import { type Kernel, loadKernel } from './picture/kernel/kernel.ts'
import { type Area, framedArea, outputSize, type Size } from './picture/output-size.ts'
import { allocatePicture, type Picture } from './picture/picture-planes.ts'
import { type Pixels, pictureSize, readScaled } from './picture/source-picture.ts'
import { yuvToRgb } from './picture/yuv.ts'
import { hashSeed } from './random.ts'
import type { Rendered, RenderOrder } from './render-order.ts'
import { cameraShot, openStill, passage, type Still, stillBytes } from './scene-builder.ts'
import type { Scene } from './scenes/camera-scene.ts'
import { type Shot, shotList } from './shots/shot-list.ts'
import { type Subject, subjectOf } from './subject/subject-layers.ts'

export interface RenderHooks {
  /** Percent done; throws to give up the render. */
  progress(percent: number): void
  /** Called when a shot is ready to be drawn, and the memory that went into preparing it is no longer needed. */
  prepared?(): void
  /** Encoder threads. */
  threads: number
  /** Whether subjects are looked for, at about a quarter of a second a picture; without, every picture is one flat layer. */
  depth: boolean
  /** False renders without WebAssembly. */
  simd?: boolean
  /** Sees every finished frame before it is encoded. */
  onFrame?(kernel: Kernel, frame: Picture, index: number): void | Promise<void>
}

const preparedPercent = 4
const framesPercent = 95
export const thumbnailLongSide = 640

export async function render(order: RenderOrder, hooks: RenderHooks): Promise<Rendered> {
  const started = process.cpuUsage()
  const firstBytes = await readingMaterial('the first frame', () => stillBytes(order.firstFrame))
  const seed = hashSeed(order.prompt, firstBytes)
  const size = outputSize(order.size, await readingMaterial('the first frame', () => pictureSize(firstBytes)))
  const subjectOnce = once(async (pixels: Pixels) => (hooks.depth ? subjectOf(pixels) : null))
  const first = await readingMaterial('the first frame', () => openStill(firstBytes, size, subjectOnce))
  const last = await openLast(order, size, hooks.depth)
  hooks.progress(1)

  const kernel = await loadKernel({ simd: hooks.simd })
  const frame = allocatePicture(kernel, size.width, size.height)
  const shots = shotList(order, seed)
  const cast = createCast(order.elements, size, seed, hooks.depth)
  const videoPath = join(order.workDir, 'video.mp4')
  const thumbnailPath = join(order.workDir, 'thumbnail.jpg')
  const lastFramePath = join(order.workDir, 'last-frame.jpg')
  const sound = order.audio ? await soundOf(order, seed) : null
  const file = await createVideoFile({ path: videoPath, ...size, threads: hooks.threads, sound })
  const total = framesOf(order.seconds)
  const posterFrame = Math.floor(shots[0]!.frames / 2)
  let drawn = 0

  async function finishFrame(): Promise<void> {
    await hooks.onFrame?.(kernel, frame, drawn)
    await file.write(kernel, frame)
    if (drawn === posterFrame)
      await writeStill(kernel, frame, thumbnailPath, { longSideMax: thumbnailLongSide, quality: 86 })
    // Where an extension plays on from: whole, and close to what was encoded.
    if (drawn === total - 1)
      await writeStill(kernel, frame, lastFramePath, { longSideMax: Number.POSITIVE_INFINITY, quality: 95 })
    drawn++
    hooks.progress(preparedPercent + ((framesPercent - preparedPercent) * drawn) / total)
  }

  try {
    for (const [i, shot] of shots.entries()) {
      const mark = kernel.mark()
      const request = { order, shot, seed: hashSeed(`${seed}/${i}`), frame: size }
      const ends = last !== null && i === shots.length - 1
      const subject = ends && shot.cast.length === 0 ? null : await subjectOnce(first.pixels)
      const scene = ends
        ? await passage(kernel, frame, first, last, request)
        : await cameraShot(kernel, frame, first, request, subject)
      const place = subject && placeOf(subject, first, shot, size)
      const layers = await cast.layers(kernel, shot.cast, i, size, place)
      hooks.prepared?.()
      hooks.progress(preparedPercent + ((framesPercent - preparedPercent) * drawn) / total)
      await playShot(shot, scene, layers, frame, finishFrame)
      kernel.release(mark)
    }
    await file.finish()
  } finally {
    await file.close()
  }
  const used = process.cpuUsage(started)
  return {
    videoPath,
    thumbnailPath,
    lastFramePath,
    ...size,
    seconds: total / framesPerSecond,
    frames: total,
    cpuSeconds: (used.user + used.system) / 1e6,
  }
}

async function openLast({ lastFrame }: RenderOrder, size: Size, depth: boolean): Promise<Still | null> {
  if (!lastFrame) return null
  return readingMaterial('the last frame', async () => {
    return openStill(await stillBytes(lastFrame), size, async (pixels) => (depth ? subjectOf(pixels) : null))
  })
}

async function playShot(
  shot: Shot,
  scene: Scene,
  layers: ElementLayer[],
  frame: Picture,
  finishFrame: () => Promise<void>,
): Promise<void> {
  try {
    for (let i = 0; i < shot.frames; i++) {
      const t = shot.frames > 1 ? i / (shot.frames - 1) : 0
      await scene.draw(t, frame)
      for (const layer of layers) await layer.draw(t, i / framesPerSecond, frame)
      await finishFrame()
    }
  } finally {
    for (const layer of layers) await layer.close()
  }
}

/** Where the picture's own subject stands in the frame, so that elements keep clear of it. */
function placeOf(subject: Subject, still: Still, shot: Shot, frame: Size): Area {
  const area = framedArea(still.area, shot.framing)
  const scaleX = frame.width / area.width
  const scaleY = frame.height / area.height
  return {
    x: (subject.bounds.x * still.pixels.width - area.x) * scaleX,
    y: (subject.bounds.y * still.pixels.height - area.y) * scaleY,
    width: subject.bounds.width * still.pixels.width * scaleX,
    height: subject.bounds.height * still.pixels.height * scaleY,
  }
}

function soundOf(order: RenderOrder, seed: number): Promise<Float32Array[]> {
  const paths = order.elements.flatMap((element) => element.audio.map((file) => file.path))
  return soundTrack(paths, seed, order.seconds)
}

/** The given sound fitted to the clip, or an ambience where none is given. */
export async function soundTrack(paths: string[], seed: number, seconds: number): Promise<Float32Array[]> {
  if (paths.length === 0) return ambience(seed, seconds)
  const tracks: Float32Array[][] = []
  for (const path of paths) {
    tracks.push(await readingMaterial('the sound', () => readSound(path, seconds)))
  }
  return fitTracks(tracks, seconds)
}

export async function writeStill(
  kernel: Kernel,
  frame: Picture,
  path: string,
  { longSideMax, quality }: { longSideMax: number; quality: number },
): Promise<void> {
  const scale = Math.min(1, longSideMax / Math.max(frame.width, frame.height))
  const width = Math.round(frame.width * scale)
  const height = Math.round(frame.height * scale)
  const y = await readScaled(kernel, frame.y, { width, height })
  const u = await readScaled(kernel, frame.u, { width, height })
  const v = await readScaled(kernel, frame.v, { width, height })
  await sharp(yuvToRgb(y, u, v, width, height), { raw: { width, height, channels: 3 } })
    // Fitting the code tables to the picture would save a twentieth of the bytes at more than twice the time.
    .jpeg({ quality, chromaSubsampling: '4:4:4', optimiseCoding: false })
    .toFile(path)
}

function once<T, R>(make: (value: T) => Promise<R>): (value: T) => Promise<R> {
  let made: Promise<R> | null = null
  return (value) => (made ??= make(value))
}
