// A picture of the request, decoded, with what is seen in it and the part of it that fills the frame.

import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { readVideo } from '../../video/av/media-reader.ts'
import { attentionPoint, openPicture, openSmall, pictureSize } from '../../video/picture/decode-picture.ts'
import { type Area, coverArea, type Size } from '../../video/picture/output-size.ts'
import type { Pixels } from '../../video/picture/source-picture.ts'
import { yuvToRgb } from '../../video/picture/yuv.ts'
import { firstArea } from './framing.ts'
import type { PictureAnalysis } from './picture-analysis.ts'
import type { LocalFile } from './render-plan.ts'
import { analysisLongSide } from './subject/subject.ts'

export interface RequestPicture {
  pixels: Pixels
  /** What the first frame shows. */
  area: Area
  /** Null where nothing was looked for. */
  analysis: PictureAnalysis | null
  /** Of an extension: the same, but with the first frame as the encoder left it at the end of the video before. */
  encoded?: RequestPicture
}

/** Pictures are decoded with detail for this much zoom, framing and camera together. */
const decodeZoom = 2.5
const decodedPixelsMax = 16_000_000

export async function openRequestPicture(
  bytes: Uint8Array,
  frame: Size,
  analyzePicture: ((small: Pixels) => Promise<PictureAnalysis>) | null,
): Promise<RequestPicture> {
  const zoom = Math.min(decodeZoom, Math.sqrt(decodedPixelsMax / (frame.width * frame.height)))
  const enough = { width: Math.ceil(frame.width * zoom), height: Math.ceil(frame.height * zoom) }
  const pixels = await openPicture(bytes, enough)
  const small = await openSmall(bytes, analysisLongSide)
  const analysis = analyzePicture && (await analyzePicture(small))
  const middle = coverArea(pixels, frame, { x: 0.5, y: 0.5 })
  const slack = Math.max(pixels.width - middle.width, pixels.height - middle.height)
  if (slack < 0.01 * Math.max(pixels.width, pixels.height)) return { pixels, area: middle, analysis }
  const found = analysis?.subject || analysis?.heads.length
  const attention = found ? { x: 0.5, y: 0.5 } : await attentionPoint(small)
  return { pixels, area: firstArea(pixels, frame, analysis, attention), analysis }
}

/** The last frame of a video with what is around it. */
export async function openWideRequestPicture(
  wide: Uint8Array,
  area: Area,
  lastFrame: Uint8Array,
  analyzePicture: ((small: Pixels) => Promise<PictureAnalysis>) | null,
): Promise<RequestPicture> {
  const pixels = await openPicture(wide, await pictureSize(wide))
  const analysis = analyzePicture && (await analyzePicture(await openSmall(wide, analysisLongSide)))
  return { pixels, area, analysis, encoded: { ...(await withFrame(wide, pixels, area, lastFrame)), analysis } }
}

/** A wide frame, scaled so that the last frame fits into it pixel by pixel, with the last frame drawn in. */
async function withFrame(wide: Uint8Array, size: Size, area: Area, lastFrame: Uint8Array) {
  const { data, info } = await sharp(lastFrame).raw().toBuffer({ resolveWithObject: true })
  const finer = area.width / info.width
  const own = { x: area.x / finer, y: area.y / finer, width: info.width, height: info.height }
  const pixels = await openPicture(wide, { width: size.width / finer, height: size.height / finer })
  for (let row = 0; row < own.height; row++) {
    const line = data.subarray(row * own.width * 3, (row + 1) * own.width * 3)
    pixels.rgb.set(line, ((own.y + row) * pixels.width + own.x) * 3)
  }
  return { pixels, area: own }
}

/** The bytes of a picture; of a video, its last frame. */
export async function pictureBytes(file: LocalFile): Promise<Uint8Array> {
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
