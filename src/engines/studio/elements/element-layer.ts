// Draws one element over a shot: fades it in where it was placed, lets it drift a little, and casts its shadow.
// Its art comes ready; a video element brings new pixels for every frame.

import type { VideoImage } from '../../../video/av/media-reader.ts'
import { framesPerSecond } from '../../../video/av/timing.ts'
import { fillPlane, type Kernel } from '../../../video/kernel/kernel.ts'
import {
  allocateGrid,
  cellsAround,
  drawMatte,
  drawPicture,
  fillGrid,
  type Grid,
  type Homography,
  homographyWarp,
  layOver,
} from '../../../video/picture/grid.ts'
import type { Area, Size } from '../../../video/picture/output-size.ts'
import {
  allocateMatte,
  allocatePicture,
  lumaPad,
  type Matte,
  type Picture,
} from '../../../video/picture/picture-planes.ts'
import { toMatte, toPicture } from '../../../video/picture/source-picture.ts'
import { easeInOut } from '../camera/view.ts'
import type { Anchored } from './anchor.ts'
import { type Art, contactShadow, shadowOf, withMargin } from './element-art.ts'

export interface ElementLayer {
  /** `second` counts from the shot's start; `t` runs from 0 to 1 over it. */
  draw(t: number, second: number, frame: Picture): Promise<void>
  close(): Promise<void>
}

/** Scratch planes that the layers of one shot share. */
interface LayerCanvas {
  grid: Grid
  top: Picture
  matte: Matte
  black: Picture
}

const fadeSeconds = 0.5
/** The element uses this share of its place; the rest is for drift, shadow and the gap to its neighbours. */
export const placeShare = 0.9
const drift = 0.012
const shadowShare = 0.04

export function allocateLayerCanvas(kernel: Kernel, frame: Size): LayerCanvas {
  const black = allocatePicture(kernel, frame.width, frame.height)
  kernel.bytes(black.y.at, black.y.stride * black.y.height).fill(16)
  for (const plane of [black.u, black.v]) kernel.bytes(plane.at, plane.stride * plane.height).fill(128)
  return {
    grid: allocateGrid(kernel, frame),
    top: allocatePicture(kernel, frame.width, frame.height),
    matte: allocateMatte(kernel, frame.width, frame.height),
    black,
  }
}

/**
 * Prepares an element for its place. The art is as large as the place's inner part; `moving` replaces its pixels. `follow`
 * says where the place is now; without it the element drifts a little where it was put.
 */
export async function elementLayer(
  kernel: Kernel,
  canvas: LayerCanvas,
  place: Area,
  art: Art,
  phase: number,
  moving: MovingArt | null,
  follow: (() => Anchored) | null,
): Promise<ElementLayer> {
  const short = Math.min(place.width, place.height)
  const margin = Math.max(4, 2 * Math.ceil((short * (1 - placeShare)) / 4))
  const wide = withMargin(art, margin)
  const picture = await toPicture(kernel, wide, wide)
  const matte = await toMatte(kernel, wide.mask, wide, picture)
  const shadowMask = art.stands ? contactShadow(wide) : await shadowOf(wide.mask, wide, short * shadowShare * 0.6)
  const shadow = await toMatte(kernel, shadowMask, wide, picture)
  const video = moving ? movingPicture(kernel, moving, art, margin) : null

  const drifting = (t: number, appear: number): Anchored => ({
    x: place.x + place.width / 2 + drift * short * Math.sin(phase + 2 * Math.PI * t * 0.7),
    y:
      place.y +
      place.height / 2 +
      drift * short * Math.cos(phase * 1.7 + 2 * Math.PI * t * 0.6) +
      (1 - appear) * short * 0.03,
    scale: 0.94 + 0.06 * appear,
  })
  /** The anchor is where it stands; the art is drawn around its own middle. */
  const standing = ({ x, y, scale }: Anchored, frame: Size): Anchored => {
    const base = art.stands === 'border' ? Math.max(y, frame.height + 1) : y
    return { x, y: base - (art.height / 2) * scale, scale }
  }

  return {
    async draw(t, second, frame) {
      const source = video ? await video.at(second) : picture
      const appear = easeInOut(second / fadeSeconds)
      const { x, y, scale } = follow && art.stands ? standing(follow(), frame) : drifting(t, appear)
      const halfW = (wide.width / 2) * scale
      const halfH = (wide.height / 2) * scale
      const fall = art.stands ? 0 : short * shadowShare * 0.4
      const shadowCells = cellsAround(frame, x - halfW, y - halfH + fall, x + halfW, y + halfH + fall)
      // What stands at the frame's border touches the ground beyond it.
      if (shadowCells && art.stands !== 'border') {
        fillGrid(kernel, canvas.grid, picture, homographyWarp(placed(wide, picture, x, y + fall, scale)))
        drawMatte(kernel, canvas.grid, shadow, canvas.matte, shadowCells)
        layOver(kernel, canvas.black, canvas.matte, frame, appear, shadowCells)
      }
      const cells = cellsAround(frame, x - halfW, y - halfH, x + halfW, y + halfH)
      if (!cells) return
      fillGrid(kernel, canvas.grid, source, homographyWarp(placed(wide, source, x, y, scale)))
      drawPicture(kernel, canvas.grid, source, canvas.top, cells)
      fillGrid(kernel, canvas.grid, picture, homographyWarp(placed(wide, picture, x, y, scale)))
      drawMatte(kernel, canvas.grid, matte, canvas.matte, cells)
      layOver(kernel, canvas.top, canvas.matte, frame, appear, cells)
    },
    async close() {
      await video?.close()
    },
  }
}

/** Shows the source, centred at x and y in the frame, at `scale` times its size on screen. */
function placed(onScreen: Size, source: Size, x: number, y: number, scale: number): Homography {
  const sx = source.width / onScreen.width / scale
  const sy = source.height / onScreen.height / scale
  return [sx, 0, source.width / 2 - x * sx, 0, sy, source.height / 2 - y * sy, 0, 0, 1]
}

/** A video window, played from its start and again from there when it ends. */
interface MovingArt {
  startMs: number
  endMs: number | null
  open(startMs: number): AsyncGenerator<VideoImage, void, undefined>
}

function movingPicture(kernel: Kernel, moving: MovingArt, size: Size, margin: number) {
  const wide = { width: size.width + 2 * margin, height: size.height + 2 * margin }
  const picture = allocatePicture(kernel, wide.width, wide.height, lumaPad)
  let images = moving.open(moving.startMs)
  let next: VideoImage | null = null
  let ended = false
  let shownMs: number | null = null
  let startedAtSecond = 0

  const show = (image: VideoImage) => {
    fillPlane(kernel, picture.y, padded(image.y, image, margin))
    const half = { width: image.width / 2, height: image.height / 2 }
    fillPlane(kernel, picture.u, padded(image.u, half, margin / 2))
    fillPlane(kernel, picture.v, padded(image.v, half, margin / 2))
    shownMs = image.ms
  }

  async function fetchNext(): Promise<void> {
    const step = await images.next()
    if (!step.done && (moving.endMs === null || step.value.ms < moving.endMs)) next = step.value
    else ended = true
  }

  /** The window's length; without a given end, the last picture stays as long as one of ours. */
  const windowSeconds = () =>
    Math.max(1 / framesPerSecond, ((moving.endMs ?? (shownMs ?? 0) + 1000 / framesPerSecond) - moving.startMs) / 1000)

  return {
    async at(second: number): Promise<Picture> {
      for (;;) {
        if (!next && !ended) await fetchNext()
        if (next) {
          const early = (next as VideoImage).ms - moving.startMs > (second - startedAtSecond) * 1000 + 1
          if (shownMs !== null && early) return picture
          show(next)
          next = null
        } else {
          const again = startedAtSecond + windowSeconds()
          if (shownMs === null || second < again - 0.001) return picture
          await images.return()
          images = moving.open(moving.startMs)
          startedAtSecond = again
          ended = false
        }
      }
    },
    async close() {
      await images.return()
    },
  }
}

function padded(pixels: Uint8Array, size: Size, margin: number): Uint8Array {
  const width = size.width + 2 * margin
  const wide = new Uint8Array(width * (size.height + 2 * margin))
  for (let row = 0; row < size.height + 2 * margin; row++) {
    const from = Math.min(Math.max(row - margin, 0), size.height - 1) * size.width
    const at = row * width
    wide.set(pixels.subarray(from, from + size.width), at + margin)
    wide.fill(pixels[from]!, at, at + margin)
    wide.fill(pixels[from + size.width - 1]!, at + margin + size.width, at + width)
  }
  return wide
}
