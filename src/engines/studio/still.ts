// A picture of the request, decoded, with what is seen in it and the part of it that fills the frame.

import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { readVideo } from '../../video/av/media-reader.ts'
import { type Area, coverArea, type Size } from '../../video/picture/output-size.ts'
import { attentionPoint, openPicture, type Pixels } from '../../video/picture/source-picture.ts'
import { yuvToRgb } from '../../video/picture/yuv.ts'
import { firstArea } from './framing.ts'
import type { LocalFile } from './render-plan.ts'
import type { Sight } from './sight.ts'

export interface Still {
  pixels: Pixels
  /** What the first frame shows. */
  area: Area
  /** Null where nothing was looked for. */
  sight: Sight | null
}

/** Pictures are decoded with detail for this much zoom, framing and camera together. */
const decodeZoom = 2.5
const decodedPixelsMax = 16_000_000

export async function openStill(
  bytes: Uint8Array,
  frame: Size,
  look: (pixels: Pixels) => Promise<Sight | null>,
): Promise<Still> {
  const zoom = Math.min(decodeZoom, Math.sqrt(decodedPixelsMax / (frame.width * frame.height)))
  const enough = { width: Math.ceil(frame.width * zoom), height: Math.ceil(frame.height * zoom) }
  const pixels = await openPicture(bytes, enough)
  const sight = await look(pixels)
  const middle = coverArea(pixels, frame, { x: 0.5, y: 0.5 })
  const slack = Math.max(pixels.width - middle.width, pixels.height - middle.height)
  if (slack < 0.01 * Math.max(pixels.width, pixels.height)) return { pixels, area: middle, sight }
  const found = sight?.subject || sight?.heads.length
  const attention = found ? { x: 0.5, y: 0.5 } : await attentionPoint(pixels, frame)
  return { pixels, area: firstArea(pixels, frame, sight, attention), sight }
}

/** The bytes of a picture; of a video, its last frame. */
export async function stillBytes(file: LocalFile): Promise<Uint8Array> {
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
