// Splits a picture into its subject and what lies behind, where a clean mask allows it. The mask is found once a
// picture; each shot takes its part of it. It owns masks in picture coordinates, not how the layers move.

import { fillPlane, type Kernel, readPlane, repeatEdges } from '../../../video/kernel/kernel.ts'
import { extentOf } from '../../../video/picture/extent.ts'
import {
  allocateGrid,
  drawMatte,
  drawPicture,
  fillGrid,
  homographyWarp,
  layOver,
  type Warp,
} from '../../../video/picture/grid.ts'
import type { Area, Size } from '../../../video/picture/output-size.ts'
import { allocateMatte, allocatePicture, lumaPad, type Picture } from '../../../video/picture/picture-planes.ts'
import { cutMask, cutPixels, type Pixels, softened, toMatte, toPicture } from '../../../video/picture/source-picture.ts'
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
  /** A smaller version yet, without the subject. */
  background: Pixels
  /** The subject's bounds as shares of the picture. */
  bounds: Area
  /** The mask at another size. */
  maskAt(size: Size): Promise<Uint8Array>
}

/** The mask is kept, and what is behind the subject guessed, at this size: only narrow strips of either ever show. */
const longSide = 640
/** What lies deep behind the subject is filled in smoothly, at this size. */
const fillLongSide = 320
/** By how many pixels of the mask more than the subject is painted over, and how far from it the paint is taken. */
const coverReach = 3
const fillReach = 5
/** Blur of what is guessed, as a share of the width. */
const softness = 0.002
/** Shares of a shot that the subject may fill for depth to be worth showing. */
const shareMin = 0.015
const shareMax = 0.75

/** The picture's subject, or null where none stands out cleanly. */
export async function subjectOf(pixels: Pixels): Promise<Subject | null> {
  const size = fitInside(pixels, longSide)
  const found = await findSubject(pixels, size)
  if (!found) return null
  const mask = decideMask(found, size)
  const extent = extentOf(mask, size, 128)
  if (!extent) return null
  const bounds = {
    x: extent.x / size.width,
    y: extent.y / size.height,
    width: extent.width / size.width,
    height: extent.height / size.height,
  }
  // The fill must not start from pixels in which the subject's edge still shows.
  const cover = growMask(mask, size, coverReach)
  const wide = growMask(cover, size, fillReach - coverReach)
  const whole = { x: 0, y: 0, ...size }
  const fill = fitInside(pixels, fillLongSide)
  const { rgb } = await cutPixels(pixels, { x: 0, y: 0, width: pixels.width, height: pixels.height }, fill)
  const filled = fillBackground(rgb, fill.width, fill.height, await cutMask(wide, size, whole, fill))
  const background = { rgb: filled, ...fill }
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
): Promise<Layers | null> {
  const part = scaleArea(area, pixels, subject)
  const work = fitInside(detail, longSide)
  const mask = await cutMask(subject.mask, subject, part, work)
  const extent = extentOf(mask, work, 8)
  const share = sumOf(mask) / 255 / mask.length
  if (!extent || share < shareMin || share > shareMax) return null
  const cover = await cutMask(subject.cover, subject, part, work)
  const behind = await cutPixels(subject.background, scaleArea(area, pixels, subject.background), work)
  const guess = await guessBehind(detail, behind, cover)
  const toLuma = picture.width / work.width
  return {
    background: await laidInto(kernel, picture, guess, cover),
    subject: picture,
    matte: await toMatte(kernel, mask, work, doubled(work)),
    extent: {
      x: extent.x * toLuma,
      y: extent.y * toLuma,
      width: extent.width * toLuma,
      height: extent.height * toLuma,
    },
  }
}

/** What the subject hides, as good as it can be guessed from its surroundings; only its rim will ever be seen. */
async function guessBehind(detail: Pixels, behind: Pixels, cover: Uint8Array): Promise<Pixels> {
  const work = { width: behind.width, height: behind.height }
  const small = await cutPixels(detail, { x: 0, y: 0, width: detail.width, height: detail.height }, work)
  // Thrice as deep as the layers part: the mirror image then covers whatever comes into view.
  const mirrored = mirrorFill(small.rgb, work, cover, behind.rgb, 3 * partingMax * work.width)
  // A ragged rim mirrors into spikes; a little softness hides them, and behind a sharp subject looks like depth of field.
  return { rgb: await softened(mirrored, work, work.width * softness), ...work }
}

/** A picture, covered by another of any size where `cover` says so. */
async function laidInto(kernel: Kernel, picture: Picture, guess: Pixels, cover: Uint8Array): Promise<Picture> {
  const result = allocatePicture(kernel, picture.width, picture.height, lumaPad)
  const mark = kernel.mark()
  const covering = await toPicture(kernel, guess, guess)
  const matte = await toMatte(kernel, cover, guess, doubled(guess))
  const top = allocatePicture(kernel, picture.width, picture.height)
  const topMatte = allocateMatte(kernel, picture.width, picture.height)
  const grid = allocateGrid(kernel, picture)
  fillGrid(kernel, grid, covering, scaling(picture, covering))
  drawPicture(kernel, grid, covering, top)
  fillGrid(kernel, grid, { y: matte.luma, u: matte.chroma }, scaling(picture, matte.luma))
  drawMatte(kernel, grid, matte, topMatte)
  for (const plane of planes) fillPlane(kernel, result[plane], readPlane(kernel, picture[plane]))
  layOver(kernel, top, topMatte, result, 1)
  for (const plane of planes) repeatEdges(kernel, result[plane])
  kernel.release(mark)
  return result
}

const planes = ['y', 'u', 'v'] as const

/** The size at which a matte is kept: enlarged once, smoothly, it may be stretched over anything. */
function doubled({ width, height }: Size): Size {
  return { width: 2 * width, height: 2 * height }
}

function scaling(to: Size, from: Size): Warp {
  return homographyWarp([from.width / to.width, 0, 0, 0, from.height / to.height, 0, 0, 0, 1])
}

function sumOf(values: Uint8Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
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
