// Prepares what elements look like: a cut-out where the subject stands out cleanly, else a card with soft edges.
// It owns colours and mattes; where and when an element shows is decided elsewhere.

import sharp from 'sharp'
import { extentOf } from '../../../video/picture/extent.ts'
import { boxBlur } from '../../../video/picture/luma.ts'
import type { Size } from '../../../video/picture/output-size.ts'
import type { Pixels } from '../../../video/picture/source-picture.ts'
import { smoothstep } from '../../../video/smoothstep.ts'
import type { Colour } from '../air/mood.ts'
import { brightnessOf } from '../air/picture-light.ts'

/** A picture with its own outline. */
export interface Art extends Pixels {
  /** 0..255, as large as the pixels. */
  mask: Uint8Array
  /** What a cut-out stands on: the ground, or the frame's lower border where its photo ended there. A card has none. */
  stands?: 'ground' | 'border'
}

/** Corners of a card, and the softness of its edge, as shares of its shorter side. */
const cornerShare = 0.07
const edgeShare = 0.012

/** Cuts the subject out along its mask, with a little room around it. */
export function cutOut(pixels: Pixels, mask: Uint8Array): Art | null {
  const box = extentOf(mask, pixels, 24)
  if (!box) return null
  const x = Math.max(0, box.x - 2)
  const y = Math.max(0, box.y - 2)
  const width = Math.min(pixels.width, box.x + box.width + 2) - x
  const height = Math.min(pixels.height, box.y + box.height + 2) - y
  const art: Art = { width, height, rgb: new Uint8Array(width * height * 3), mask: new Uint8Array(width * height) }
  for (let row = 0; row < height; row++) {
    const from = (y + row) * pixels.width + x
    art.rgb.set(pixels.rgb.subarray(from * 3, (from + width) * 3), row * width * 3)
    art.mask.set(mask.subarray(from, from + width), row * width)
  }
  dropScraps(art)
  const touches = {
    left: x === 0 && sideShare(art, 'left') > cutMin,
    right: x + width === pixels.width && sideShare(art, 'right') > cutMin,
    top: y === 0 && sideShare(art, 'top') > cutMin,
    bottom: y + height === pixels.height && sideShare(art, 'bottom') > cutMin,
  }
  cleanEdges(art)
  fadeSides(art, touches)
  return { ...art, stands: touches.bottom ? 'border' : 'ground' }
}

/** A connected piece that is smaller than this share of the largest one is a scrap of the background. */
const scrapShare = 0.15

function dropScraps({ mask, width }: Art): void {
  const piece = new Int32Array(mask.length)
  const sizes = [0]
  for (let start = 0; start < mask.length; start++) {
    if (mask[start]! < 64 || piece[start]) continue
    const own = sizes.push(0) - 1
    const stack = [start]
    piece[start] = own
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      sizes[own]!++
      const column = at % width
      for (const next of [at - width, at + width, column > 0 ? at - 1 : -1, column < width - 1 ? at + 1 : -1]) {
        if (next < 0 || next >= mask.length || piece[next] || mask[next]! < 64) continue
        piece[next] = own
        stack.push(next)
      }
    }
  }
  const least = Math.max(...sizes) * scrapShare
  for (let i = 0; i < mask.length; i++) if (sizes[piece[i]!]! < least) mask[i] = 0
}

/** The share of a side along which the photo cut the subject off. */
const cutMin = 0.06
/** How far a cut side fades, as a share of the width or height. */
const fadeShare = 0.12

function sideShare({ mask, width, height }: Art, side: 'left' | 'right' | 'top' | 'bottom'): number {
  const upright = side === 'left' || side === 'right'
  const length = upright ? height : width
  const at = (i: number) => {
    if (upright) return i * width + (side === 'left' ? 1 : width - 2)
    return (side === 'top' ? 1 : height - 2) * width + i
  }
  let covered = 0
  for (let i = 0; i < length; i++) if (mask[at(i)]! > 128) covered++
  return covered / length
}

/** Sides at which the photo cut the subject off fade out, except the lower one, which stands at the frame's border. */
function fadeSides({ mask, width, height }: Art, cut: { left: boolean; right: boolean; top: boolean }): void {
  const ramp = (distance: number, length: number) => smoothstep(distance / (length * fadeShare))
  for (let row = 0, i = 0; row < height; row++) {
    const fromTop = cut.top ? ramp(row, height) : 1
    for (let column = 0; column < width; column++, i++) {
      const fromLeft = cut.left ? ramp(column, width) : 1
      const fromRight = cut.right ? ramp(width - 1 - column, width) : 1
      mask[i] = mask[i]! * fromTop * fromLeft * fromRight
    }
  }
}

/**
 * Moves the outline inwards by a pixel or two, softens it, and gives its pixels the colour from further inside: at the
 * edge, the background of the photo shows through.
 */
function cleanEdges(art: Art): void {
  const { width, height, mask, rgb } = art
  const reach = Math.max(2, Math.round(Math.min(width, height) * 0.006))
  const soft = boxBlur(Float32Array.from(mask), width, height, Math.max(1, reach >> 1))
  const inner = Float32Array.from(soft, (level) => (level > 250 ? 1 : 0))
  const weight = boxBlur(boxBlur(inner, width, height, 2 * reach), width, height, 2 * reach)
  for (let c = 0; c < 3; c++) {
    const known = boxBlur(
      boxBlur(
        inner.map((share, i) => share * rgb[i * 3 + c]!),
        width,
        height,
        2 * reach,
      ),
      width,
      height,
      2 * reach,
    )
    for (let i = 0; i < mask.length; i++) {
      if (inner[i] === 1 || weight[i]! < 1e-3) continue
      rgb[i * 3 + c] = Math.round(known[i]! / weight[i]!)
    }
  }
  for (let i = 0; i < mask.length; i++) mask[i] = 255 * Math.min(1, Math.max(0, (soft[i]! - 96) / 140))
}

/** Art in the light of a scene: brightness and colour come halfway to the scene's. Both are linear means. */
export function lightArt(art: Art, scene: Colour): Art {
  const sums = [0, 0, 0]
  let weight = 1e-9
  for (let i = 0; i < art.mask.length; i++) {
    const share = art.mask[i]! / 255
    weight += share
    for (let c = 0; c < 3; c++) sums[c]! += share * (art.rgb[i * 3 + c]! / 255) ** 2
  }
  const [r, g, b] = sums.map((sum) => Math.max(0.01, sum / weight))
  const [ownLevel, sceneLevel] = [brightnessOf([r!, g!, b!]), Math.max(0.01, brightnessOf(scene))]
  const level = Math.min(1.3, Math.max(0.5, (sceneLevel / ownLevel) ** 0.45))
  // The tint of the scene's light: its colour without its brightness, weakened.
  const gains = scene.map((part) => level * Math.min(1.35, Math.max(0.7, (part / sceneLevel) ** 0.4)))
  const tables = gains.map((gain) =>
    Uint8Array.from({ length: 256 }, (_, from) => Math.round(255 * Math.sqrt(Math.min(1, (from / 255) ** 2 * gain)))),
  )
  return { ...art, rgb: art.rgb.map((from, i) => tables[i % 3]![from]!) }
}

/** The shadow where a thing touches the ground: flat, dark under it, soft at its rim. */
export function contactShadow(art: Art): Uint8Array {
  const { width, height, mask } = art
  const shadow = new Uint8Array(width * height)
  let base = height - 1
  while (base > 0 && !mask.subarray(base * width, (base + 1) * width).some((level) => level > 60)) base--
  // What stands in the lowest sixth casts it, column by column.
  const foot = new Float32Array(width)
  for (let row = Math.max(0, Math.floor(base - height / 6)); row <= base; row++) {
    for (let column = 0; column < width; column++) {
      foot[column] = Math.max(foot[column]!, mask[row * width + column]! / 255)
    }
  }
  const wide = boxBlur(boxBlur(foot, width, 1, Math.max(2, width >> 5)), width, 1, Math.max(2, width >> 5))
  const flat = Math.max(3, width * 0.045)
  for (let row = 0; row < height; row++) {
    const away = (row - base + flat * 0.25) / flat
    const level = 170 * Math.exp(-away * away)
    for (let column = 0; column < width; column++) shadow[row * width + column] = level * wide[column]!
  }
  return shadow
}

/** The matte of a card: opaque, with rounded corners and a soft edge. */
export function cardMask({ width, height }: Size): Uint8Array {
  const short = Math.min(width, height)
  const corner = Math.max(2, short * cornerShare)
  const edge = Math.max(1.5, short * edgeShare)
  const mask = new Uint8Array(width * height)
  for (let row = 0, at = 0; row < height; row++) {
    const y = Math.abs(row + 0.5 - height / 2) - (height / 2 - corner)
    for (let column = 0; column < width; column++, at++) {
      const x = Math.abs(column + 0.5 - width / 2) - (width / 2 - corner)
      const outside = Math.hypot(Math.max(x, 0), Math.max(y, 0)) + Math.min(Math.max(x, y), 0) - corner
      mask[at] = Math.round(255 * Math.min(Math.max(-outside / edge, 0), 1))
    }
  }
  return mask
}

/** Art at another size. */
export async function resizeArt(art: Art, size: Size): Promise<Art> {
  const { width, height } = art
  const rgb = await sharp(art.rgb, { raw: { width, height, channels: 3 } })
    .resize(size.width, size.height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer()
  const mask = await sharp(art.mask, { raw: { width, height, channels: 1 } })
    .resize(size.width, size.height, { fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer()
  return { ...art, rgb, mask, width: size.width, height: size.height }
}

/** The art with room around it, so that soft edges and a shadow have where to fall; the room is see-through. */
export function withMargin(art: Art, margin: number): Art {
  const width = art.width + 2 * margin
  const height = art.height + 2 * margin
  const wide: Art = {
    ...art,
    width,
    height,
    rgb: new Uint8Array(width * height * 3),
    mask: new Uint8Array(width * height),
  }
  for (let row = 0; row < height; row++) {
    // Colours repeat outwards, so that no dark fringe is sampled at the rim.
    const from = Math.min(Math.max(row - margin, 0), art.height - 1) * art.width
    for (let column = 0; column < width; column++) {
      const at = (from + Math.min(Math.max(column - margin, 0), art.width - 1)) * 3
      const to = (row * width + column) * 3
      wide.rgb[to] = art.rgb[at]!
      wide.rgb[to + 1] = art.rgb[at + 1]!
      wide.rgb[to + 2] = art.rgb[at + 2]!
    }
    if (row < margin || row >= margin + art.height) continue
    const own = (row - margin) * art.width
    wide.mask.set(art.mask.subarray(own, own + art.width), row * width + margin)
  }
  return wide
}

/** A blurred, fainter copy of a matte: the shadow that lifts an element off the picture. */
export async function shadowOf(mask: Uint8Array, size: Size, radius: number): Promise<Uint8Array> {
  return sharp(mask, { raw: { ...size, channels: 1 } })
    .blur(Math.max(0.5, radius))
    .linear(0.5, 0)
    .toColourspace('b-w')
    .raw()
    .toBuffer()
}
