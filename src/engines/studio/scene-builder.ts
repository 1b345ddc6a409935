// Builds the scene of each shot from the order's pictures: it reads the prompt's moves, cuts the shot's part of the
// picture, and chooses between a flat picture, layers with depth, a morph and a dissolve.

import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { readVideo } from '../../video/av/media-reader.ts'
import { framesPerSecond } from '../../video/av/timing.ts'
import type { Kernel } from '../../video/kernel/kernel.ts'
import {
  type Area,
  attentionOf,
  coverArea,
  detailSize,
  framedArea,
  type Size,
} from '../../video/picture/output-size.ts'
import type { Picture } from '../../video/picture/picture-planes.ts'
import { attentionPoint, cutPixels, openPicture, type Pixels, toPicture } from '../../video/picture/source-picture.ts'
import { yuvToRgb } from '../../video/picture/yuv.ts'
import { readMoves } from './camera/grammar.ts'
import { cameraPath, maxZoom } from './camera/path.ts'
import type { MaterialFile, RenderOrder } from './render-order.ts'
import { type CameraPath, flatScene, layeredScene, type Scene } from './scenes/camera-scene.ts'
import { type Luma, measureFlow } from './scenes/flow.ts'
import { agreementMin, dissolveScene, morphScene } from './scenes/morph-scene.ts'
import type { Shot } from './shots/shot-list.ts'
import { layersOf, type Subject } from './subject/subject-layers.ts'

/** A picture of the order, with the part of it that fills the frame. */
export interface Still {
  pixels: Pixels
  area: Area
}

const flowLongSide = 320
/** Pictures are decoded with detail for this much zoom, framing and camera together. */
const decodeZoom = 2.5
const decodedPixelsMax = 16_000_000

export async function openStill(
  bytes: Uint8Array,
  frame: Size,
  subjectIn: (pixels: Pixels) => Promise<Subject | null>,
): Promise<Still> {
  const zoom = Math.min(decodeZoom, Math.sqrt(decodedPixelsMax / (frame.width * frame.height)))
  const enough = { width: Math.ceil(frame.width * zoom), height: Math.ceil(frame.height * zoom) }
  const pixels = await openPicture(bytes, enough)
  const middle = coverArea(pixels, frame, { x: 0.5, y: 0.5 })
  const slack = Math.max(pixels.width - middle.width, pixels.height - middle.height)
  if (slack < 0.01 * Math.max(pixels.width, pixels.height)) return { pixels, area: middle }
  const subject = await subjectIn(pixels)
  const attention = subject ? attentionOf(subject.bounds, pixels, frame) : await attentionPoint(pixels, frame)
  return { pixels, area: coverArea(pixels, frame, attention) }
}

/** The bytes of a picture; of a video, its last frame. */
export async function stillBytes(file: MaterialFile): Promise<Uint8Array> {
  if (file.kind === 'image') return readFile(file.path)
  let last: { rgb: Uint8Array; size: Size } | null = null
  const keepEven = (own: Size) => ({ width: own.width & ~1, height: own.height & ~1 })
  for await (const { y, u, v, width, height } of readVideo(file.path, 0, keepEven)) {
    last = { rgb: yuvToRgb(y, u, v, width, height), size: { width, height } }
  }
  if (!last) throw new Error('the video shows nothing')
  return sharp(last.rgb, { raw: { ...last.size, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

export interface PathRequest {
  order: RenderOrder
  shot: Shot
  seed: number
  frame: Size
}

function pathOf({ order, shot, seed, frame }: PathRequest, anchor?: 'start' | 'end'): CameraPath {
  const moves = readMoves(shot.prompt, order.negativePrompt)
  const seconds = shot.frames / framesPerSecond
  return cameraPath(moves, { guidance: order.guidance, seed, seconds, aspect: frame.width / frame.height, anchor })
}

/** A shot of one picture. */
export async function cameraShot(
  kernel: Kernel,
  frame: Picture,
  still: Still,
  request: PathRequest,
  subject: Subject | null,
): Promise<Scene> {
  const path = pathOf(request)
  const area = framedArea(still.area, request.shot.framing)
  const detail = await cutPixels(still.pixels, area, detailSize(area, frame, maxZoom(path)))
  const picture = await toPicture(kernel, detail, frame)
  const layers = subject && (await layersOf(kernel, subject, still.pixels, area, detail, picture))
  return layers ? layeredScene(kernel, frame, layers, path) : flatScene(kernel, frame, picture, path)
}

/** A shot from one picture to another. */
export async function passage(
  kernel: Kernel,
  frame: Picture,
  first: Still,
  last: Still,
  request: PathRequest,
): Promise<Scene> {
  const flow = measureFlow(await lumaOf(first, frame), await lumaOf(last, frame))
  const draw = async ({ pixels, area }: Still, zoom: number) => {
    return toPicture(kernel, await cutPixels(pixels, area, detailSize(area, frame, zoom)), frame)
  }
  if (flow.agreement >= agreementMin) {
    return morphScene(kernel, frame, await draw(first, 1), await draw(last, 1), flow)
  }
  const setOut = pathOf(request, 'start')
  const arrive = pathOf(request, 'end')
  return dissolveScene(
    kernel,
    frame,
    { picture: await draw(first, maxZoom(setOut)), path: setOut },
    { picture: await draw(last, maxZoom(arrive)), path: arrive },
  )
}

async function lumaOf(still: Still, frame: Size): Promise<Luma> {
  const scale = flowLongSide / Math.max(frame.width, frame.height)
  const width = Math.max(16, Math.round(frame.width * scale))
  const height = Math.max(16, Math.round(frame.height * scale))
  const { rgb } = await cutPixels(still.pixels, still.area, { width, height })
  const data = new Float32Array(width * height)
  for (let i = 0, at = 0; i < data.length; i++, at += 3) {
    data[i] = 0.2126 * rgb[at]! + 0.7152 * rgb[at + 1]! + 0.0722 * rgb[at + 2]!
  }
  return { data, width, height }
}
