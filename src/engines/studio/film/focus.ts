// A lens that is sharp at one distance only: what is nearer or farther is drawn from a blurred picture, by the depth of
// what the frame shows. What is far is blurred without what is near, so that no colour of the subject runs into the
// background.

import { type Kernel, repeatEdges } from '../../../video/kernel/kernel.ts'
import {
  allocateGrid,
  drawHalf,
  drawPicture,
  drawWhole,
  fillGrid,
  homographyWarp,
  layOver,
} from '../../../video/picture/grid.ts'
import type { Luma } from '../../../video/picture/luma.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import { allocateMatte, allocatePicture, lumaPad, type Picture } from '../../../video/picture/picture-planes.ts'
import { fillScaled, type Pixels, scalePixels } from '../../../video/picture/source-picture.ts'
import { rgbToYuv } from '../../../video/picture/yuv.ts'
import { easeInOut } from '../camera/view.ts'
import { gaussian } from '../relief/depth-map.ts'
import type { Scene } from '../scenes/camera-scene.ts'

export interface Lens {
  /** Nearness of what the source shows, with the subject's outline, and grown beyond it. */
  depth: Luma
  grown: Luma
  /** The nearness that is sharp first, and the one that a rack focus ends on. */
  from: number
  to: number
  /** When it begins, as a share of the shot. */
  start: number
  strength: number
}

const workWidth = 480
/** The blur of what is fully out of focus, as a share of the frame's width. */
const blurShare = 0.0058
/** How far from the focus things are still sharp, and where they are fully out of it. */
const sharpWithin = 0.16
const blurredFrom = 0.5

/** A scene seen through a lens. `pixels` is what the scene draws from, `span` how many frames wide that is. */
export async function throughLens(
  kernel: Kernel,
  frame: Picture,
  scene: Scene,
  source: { picture: Picture; pixels: Pixels; span: number },
  lens: Lens,
): Promise<Scene> {
  const { grid } = scene
  if (!grid) return scene
  const { picture } = source
  const top = allocatePicture(kernel, frame.width, frame.height)
  const matte = allocateMatte(kernel, frame.width, frame.height)
  const near = kernel.plane(frame.width / 2, frame.height / 2, lumaPad / 2)
  const enlarge = allocateGrid(kernel, frame)
  fillGrid(kernel, enlarge, { y: near, u: near }, homographyWarp([0.5, 0, 0, 0, 0.5, 0, 0, 0, 1]))

  /** Draws what is out of focus by one map of depth. */
  async function blurBy(depth: Luma) {
    const soft = await softPicture(kernel, picture, source.pixels, { ...lens, depth }, source.span)
    const nearness = allocatePicture(kernel, picture.width, picture.height, lumaPad).u
    const levels = Uint8Array.from(depth.data, (value) => Math.round(255 * value))
    await fillScaled(kernel, nearness, levels, depth)
    return (to: Picture, blurred: Uint8Array, opacity: number) => {
      drawHalf(kernel, grid!, nearness, near)
      const all = kernel.bytes(near.at, near.stride * near.height)
      for (let i = 0; i < all.length; i++) all[i] = blurred[all[i]!]!
      repeatEdges(kernel, near)
      const chroma = kernel.bytes(matte.chroma.at, matte.chroma.stride * matte.chroma.height)
      for (let row = 0; row < near.height; row++) {
        const line = all.subarray(row * near.stride, row * near.stride + near.width)
        chroma.set(line, row * matte.chroma.stride)
      }
      drawWhole(kernel, enlarge, near, matte.luma)
      drawPicture(kernel, grid!, soft, top)
      layOver(kernel, top, matte, to, opacity)
    }
  }

  const outlined = await blurBy(lens.depth)
  const grown = lens.from === lens.to ? null : await blurBy(lens.grown)
  return {
    grid,
    async draw(t, to) {
      await scene.draw(t, to)
      const own = (t - lens.start) / Math.max(0.05, 1 - lens.start)
      if (own <= 0) return
      const racked = easeInOut((own - 0.4) / 0.45)
      const focus = lens.from + (lens.to - lens.from) * racked
      const level = easeInOut(own / 0.3)
      const blurred = Uint8Array.from({ length: 256 }, (_, value) => {
        const away = (Math.abs(value / 255 - focus) - sharpWithin) / (blurredFrom - sharpWithin)
        return Math.round(255 * level * easeInOut(Math.min(1, away * lens.strength)))
      })
      // A subject in focus has its outline; out of focus it spreads beyond it.
      const spread = lens.to < lens.from ? racked : 1 - racked
      if (!grown || spread < 1) outlined(to, blurred, grown ? 1 - spread : 1)
      if (grown && spread > 0) grown(to, blurred, spread)
    },
  }
}

/** The whole picture out of focus. Blurring loses detail, so it is done small. */
async function softPicture(kernel: Kernel, like: Size, pixels: Pixels, lens: Lens, span: number): Promise<Picture> {
  const width = Math.min(workWidth, pixels.width)
  const height = Math.max(8, Math.round((width * pixels.height) / pixels.width))
  const small = scalePixels(kernel, pixels, { width, height }).rgb
  const depth = resized(lens.depth, width, height)
  const sigma = (blurShare * width * Math.min(1.5, lens.strength)) / span
  const farShare = depth.map((value) => Math.min(1, Math.max(0, (farBelow - value) / 0.2 + 0.5)))
  const blur = (plane: Float32Array) => gaussian(plane, width, height, sigma)
  const farWeight = blur(farShare)
  const rgb = new Uint8Array(width * height * 3)
  for (let c = 0; c < 3; c++) {
    const plane = Float32Array.from(farShare, (_, i) => (small[i * 3 + c]! / 255) ** 2)
    const all = blur(plane)
    const far = blur(plane.map((value, i) => value * farShare[i]!))
    for (let i = 0; i < plane.length; i++) {
      const known = Math.min(1, farWeight[i]! / 0.2)
      const ofFar = far[i]! / Math.max(1e-3, farWeight[i]!)
      const linear = all[i]! + (ofFar - all[i]!) * farShare[i]! * known
      rgb[i * 3 + c] = Math.round(255 * Math.sqrt(Math.min(1, Math.max(0, linear))))
    }
  }
  const soft = allocatePicture(kernel, like.width, like.height, lumaPad)
  const { y, u, v } = rgbToYuv(rgb)
  await fillScaled(kernel, soft.y, y, { width, height })
  await fillScaled(kernel, soft.u, u, { width, height })
  await fillScaled(kernel, soft.v, v, { width, height })
  return soft
}

/** What is farther than this is blurred without what is nearer. */
const farBelow = 0.5

function resized({ data, width, height }: Luma, toWidth: number, toHeight: number): Float32Array {
  return Float32Array.from({ length: toWidth * toHeight }, (_, i) => {
    const x = Math.min(width - 1, Math.floor((((i % toWidth) + 0.5) * width) / toWidth))
    const y = Math.min(height - 1, Math.floor(((Math.floor(i / toWidth) + 0.5) * height) / toHeight))
    return data[y * width + x]!
  })
}
