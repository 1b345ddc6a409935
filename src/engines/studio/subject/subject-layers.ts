// Splits a picture into its subject and what lies behind, where a clean mask allows it. The mask is found once a
// picture; each shot takes its part of it. It owns masks in picture coordinates, not how the layers move.

import { extentOf } from '../picture/extent.ts'
import type { Kernel } from '../picture/kernel/kernel.ts'
import { type Area, even, type Size } from '../picture/output-size.ts'
import type { Picture } from '../picture/picture-planes.ts'
import { cutMask, cutPixels, type Pixels, softened, toMatte, toPicture } from '../picture/source-picture.ts'
import { type Layers, partingMax } from '../scenes/camera-scene.ts'
import { decideMask, growMask } from './decide-mask.ts'
import { fillBackground } from './fill-background.ts'
import { mirrorFill } from './mirror-fill.ts'
import { findSubject } from './salient-mask.ts'

export interface Subject extends Size {
  /** 0..255, a small version of the picture. */
  mask: Uint8Array
  /** Where the background is painted over: a little more than the mask. */
  cover: Uint8Array
  /** The small version without its subject. */
  background: Pixels
  /** The subject's bounds as shares of the picture. */
  bounds: Area
  /** The mask at another size. */
  maskAt(size: Size): Promise<Uint8Array>
}

/** The mask is found and the background filled at this size; only narrow strips of either ever show. */
const longSide = 640
/** The background is continued behind the subject at this size: strips of it show, and no viewer counts their pixels. */
const workLongSide = 1600
/** By how many pixels of the first size the filled part is wider than the subject. */
const fillReach = 5
/** Blur of what is guessed, as a share of the width. */
const softness = 0.002
/** Shares of a shot that the subject may fill for depth to be worth showing. */
const shareMin = 0.015
const shareMax = 0.75

/** The picture's subject, or null where none stands out cleanly. */
export async function subjectOf(pixels: Pixels): Promise<Subject | null> {
  const size = fitInside(pixels, longSide)
  const small = await cutPixels(pixels, { x: 0, y: 0, width: pixels.width, height: pixels.height }, size)
  const found = await findSubject(small.rgb, size.width, size.height)
  if (!found.clean) return null
  const mask = decideMask(found.mask, size)
  const extent = extentOf(mask, size, 128)
  if (!extent) return null
  const bounds = {
    x: extent.x / size.width,
    y: extent.y / size.height,
    width: extent.width / size.width,
    height: extent.height / size.height,
  }
  // The fill must not start from pixels in which the subject's edge still shows.
  const wide = growMask(mask, size, fillReach)
  const background = { rgb: fillBackground(small.rgb, size.width, size.height, wide), ...size }
  const cover = growMask(mask, size, fillReach - 2)
  const whole = { x: 0, y: 0, ...size }
  const maskAt = (wanted: Size) => cutMask(mask, size, whole, { width: wanted.width, height: wanted.height })
  return { mask, cover, background, bounds, maskAt, ...size }
}

/** Layers for one area of the picture; null where the subject is hardly in it or fills it. */
export async function layersOf(
  kernel: Kernel,
  subject: Subject,
  pixels: Size,
  area: Area,
  detail: Pixels,
  picture: Picture,
  frame: Size,
): Promise<Layers | null> {
  const part = scaleArea(area, pixels, subject)
  const work = fitInside(detail, workLongSide)
  const mask = await cutMask(subject.mask, subject, part, work)
  const extent = extentOf(mask, work, 8)
  const share = mask.reduce((sum, value) => sum + value, 0) / 255 / mask.length
  if (!extent || share < shareMin || share > shareMax) return null
  const background = await toPicture(kernel, await backgroundOf(subject, part, detail, work), frame)
  // Half the picture's size is more than the mask has to tell.
  const matteSize = { width: even(picture.width / 2), height: even(picture.height / 2) }
  const matte = await toMatte(kernel, await cutMask(subject.mask, subject, part, matteSize), matteSize, matteSize)
  const toLuma = picture.width / work.width
  return {
    background,
    subject: picture,
    matte,
    extent: {
      x: extent.x * toLuma,
      y: extent.y * toLuma,
      width: extent.width * toLuma,
      height: extent.height * toLuma,
    },
  }
}

/** The area without its subject. What is guessed is guessed at the working size and laid into the full detail. */
async function backgroundOf(subject: Subject, part: Area, detail: Pixels, work: Size): Promise<Pixels> {
  const whole = { x: 0, y: 0, width: detail.width, height: detail.height }
  const small = work.width === detail.width ? detail : await cutPixels(detail, whole, work)
  const cover = await cutMask(subject.cover, subject, part, work)
  const smooth = await cutPixels(subject.background, part, work)
  // Thrice as deep as the layers part: the mirror image then covers whatever comes into view.
  const mirrored = mirrorFill(small.rgb, work, cover, smooth.rgb, 3 * partingMax * work.width)
  // A ragged rim mirrors into spikes; a little softness hides them, and behind a sharp subject looks like depth of field.
  const rgb = small.rgb.slice()
  layInto(rgb, await softened(mirrored, work, work.width * softness), cover)
  if (small === detail) return { rgb, width: work.width, height: work.height }
  const guessed = await cutPixels({ rgb, ...work }, { x: 0, y: 0, ...work }, detail)
  const weights = await cutMask(cover, work, { x: 0, y: 0, ...work }, detail)
  const laid = detail.rgb.slice()
  layInto(laid, guessed.rgb, weights)
  return { rgb: laid, width: detail.width, height: detail.height }
}

/** Replaces pixels by others, as far as the weights (0..255) say. */
function layInto(rgb: Uint8Array, others: Uint8Array, weights: Uint8Array): void {
  for (let i = 0, at = 0; i < weights.length; i++, at += 3) {
    const weight = weights[i]!
    if (weight === 0) continue
    for (let channel = at; channel < at + 3; channel++) {
      rgb[channel] = (rgb[channel]! * (255 - weight) + others[channel]! * weight + 127) / 255
    }
  }
}

function fitInside({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height))
  return { width: Math.max(16, Math.round(width * scale)), height: Math.max(16, Math.round(height * scale)) }
}

function scaleArea(area: Area, from: Size, to: Size): Area {
  const x = Math.min(Math.round((area.x * to.width) / from.width), to.width - 1)
  const y = Math.min(Math.round((area.y * to.height) / from.height), to.height - 1)
  return {
    x,
    y,
    width: Math.max(1, Math.min(Math.round((area.width * to.width) / from.width), to.width - x)),
    height: Math.max(1, Math.min(Math.round((area.height * to.height) / from.height), to.height - y)),
  }
}
