// Owns the motion between two pictures: for each pixel where it went, both ways, and how far the two ways agree.
// What is done with it (a morph, or a dissolve where they disagree) is decided elsewhere.
//
// One similarity for the whole picture first, then Lucas–Kanade from small to large pictures. Where a picture has no
// texture to hold on to, or the match is poor, the motion comes smoothly from around.

import { boxBlur, fillGaps, halve, type Luma, sampleAt, structureOf } from '../../../video/picture/luma.ts'
import { findSimilarity, inverseOf, type Similarity } from './flow-similarity.ts'

export interface Flow {
  width: number
  height: number
  /** For each pixel of the first picture the way to its place in the second: dx, dy in pixels. */
  forward: Float32Array
  /** For each pixel of the second picture the way to its place in the first. */
  backward: Float32Array
  /** 0 to 1: the share of textured pixels that come back to where they started and look alike. Below 0.25 the pictures
   * show different things. */
  agreement: number
}

const coarsestWidth = 24
/** From the full size to smaller ones: rounds are cheap where pictures are small. */
const rounds = [2, 4, 6, 6]
const windowRadius = 4
/** In pixels, plus a part of the motion itself: how far from its start a pixel may come back. */
const returnError = { least: 1, share: 0.04 }
/** What moves as one bends little; motion found between unrelated pictures is crumpled. */
const bendMax = 0.5
const alikeMin = 0.6

interface Field {
  u: Float32Array
  v: Float32Array
}

export function measureFlow(a: Luma, b: Luma): Flow {
  const { width, height } = a
  if (b.width !== width || b.height !== height) throw new RangeError('flow needs two pictures of one size')
  const [structureA, structureB] = [a, b].map((picture) =>
    structureOf(picture, Math.max(3, Math.round(width / 48))),
  ) as [Luma, Luma]
  const [levelsA, levelsB] = [pyramid(structureA), pyramid(structureB)]
  const similarity = findSimilarity(a, b)
  const forward = track(levelsA, levelsB, similarity)
  const backward = track(levelsB, levelsA, inverseOf(similarity))
  const agreement = Math.min(
    agreementOf(a, structureA, structureB, forward, backward, similarity),
    agreementOf(b, structureB, structureA, backward, forward, inverseOf(similarity)),
  )
  return { width, height, forward: pairs(forward), backward: pairs(backward), agreement }
}

function pairs({ u, v }: Field): Float32Array {
  const result = new Float32Array(2 * u.length)
  for (let i = 0; i < u.length; i++) {
    result[2 * i] = u[i]!
    result[2 * i + 1] = v[i]!
  }
  return result
}

function pyramid(picture: Luma): Luma[] {
  const levels = [picture]
  while (levels.at(-1)!.width >= 2 * coarsestWidth && levels.at(-1)!.height >= 24) levels.push(halve(levels.at(-1)!))
  return levels
}

function track(from: Luma[], to: Luma[], start: Similarity): Field {
  let field = fieldOf(start, from.at(-1)!)
  for (let level = from.length - 1; level >= 0; level--) {
    if (level < from.length - 1) field = enlarge(field, from[level + 1]!, from[level]!)
    for (let round = 0; round < (rounds[level] ?? 6); round++) field = improve(from[level]!, to[level]!, field)
  }
  return field
}

function fieldOf({ a, b, x: shiftX, y: shiftY }: Similarity, { width, height }: Luma): Field {
  const u = new Float32Array(width * height)
  const v = new Float32Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const [px, py] = [x - (width - 1) / 2, y - (height - 1) / 2]
      u[i] = a * px - b * py + shiftX * width
      v[i] = b * px + a * py + shiftY * width
    }
  }
  return { u, v }
}

function enlarge(field: Field, small: Luma, large: Luma): Field {
  const layers = [field.u, field.v].map((data) => ({ ...small, data }))
  const [u, v] = layers.map((layer) => {
    const data = new Float32Array(large.data.length)
    for (let y = 0, i = 0; y < large.height; y++) {
      for (let x = 0; x < large.width; x++, i++) data[i] = 2 * sampleAt(layer, (x - 0.5) / 2, (y - 0.5) / 2)
    }
    return data
  }) as [Float32Array, Float32Array]
  return { u, v }
}

/** Products of the slopes across and down and of the change between the pictures, at each pixel. */
type Products = [
  xx: Float32Array,
  xy: Float32Array,
  yy: Float32Array,
  xt: Float32Array,
  yt: Float32Array,
  tt: Float32Array,
]

/** One Lucas–Kanade step for every pixel, then a smoothing that trusts textured, well-matched pixels more. */
function improve(from: Luma, to: Luma, field: Field): Field {
  const { width, height } = from
  const size = width * height
  const warped = new Float32Array(size)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) warped[i] = sampleAt(to, x + field.u[i]!, y + field.v[i]!)
  }
  const products = Array.from({ length: 6 }, () => new Float32Array(size)) as Products
  const [xx, xy, yy, xt, yt, tt] = products
  for (let y = 0, i = 0; y < height; y++) {
    const up = y > 0 ? -width : 0
    const down = y < height - 1 ? width : 0
    for (let x = 0; x < width; x++, i++) {
      const left = x > 0 ? -1 : 0
      const right = x < width - 1 ? 1 : 0
      // The mean of both pictures' slopes converges faster than either.
      const gx = (warped[i + right]! - warped[i + left]! + from.data[i + right]! - from.data[i + left]!) / 4
      const gy = (warped[i + down]! - warped[i + up]! + from.data[i + down]! - from.data[i + up]!) / 4
      const change = warped[i]! - from.data[i]!
      xx[i] = gx * gx
      xy[i] = gx * gy
      yy[i] = gy * gy
      xt[i] = gx * change
      yt[i] = gy * change
      tt[i] = change * change
    }
  }
  const blurred = products.map((layer) => boxBlur(layer, width, height, windowRadius)) as Products
  const [bxx, bxy, byy, bxt, byt, btt] = blurred
  const u = new Float32Array(size)
  const v = new Float32Array(size)
  const trust = new Float32Array(size)
  for (let i = 0; i < size; i++) {
    const p = bxx[i]! + 2e-3
    const q = byy[i]! + 2e-3
    const r = bxy[i]!
    const determinant = p * q - r * r
    let du = (-q * bxt[i]! + r * byt[i]!) / determinant
    let dv = (-p * byt[i]! + r * bxt[i]!) / determinant
    // A linear guess is good for about a pixel; the next round goes on from there.
    const length = Math.hypot(du, dv)
    if (length > 1.2) {
      du *= 1.2 / length
      dv *= 1.2 / length
    }
    u[i] = field.u[i]! + du
    v[i] = field.v[i]! + dv
    const weaker = (p + q) / 2 - Math.sqrt(((p - q) / 2) ** 2 + r * r)
    const texture = weaker / (weaker + 0.02)
    trust[i] = texture / (1 + 6 * btt[i]! * btt[i]!)
  }
  return smooth({ u, v }, trust, width, height)
}

function smooth({ u, v }: Field, trust: Float32Array, width: number, height: number): Field {
  const weight: Luma = { data: trust, width, height }
  const [filledU, filledV] = fillGaps(weight, [
    { data: u, width, height },
    { data: v, width, height },
  ]) as [Luma, Luma]
  const lifted = trust.map((value) => value + 0.02)
  const norm = boxBlur(lifted, width, height, 2)
  const mean = (layer: Luma) => {
    const sums = boxBlur(
      layer.data.map((value, i) => value * lifted[i]!),
      width,
      height,
      2,
    )
    return sums.map((value, i) => value / norm[i]!)
  }
  return { u: mean(filledU), v: mean(filledV) }
}

/** The share of `from`'s textured pixels that return near their start and whose surroundings look alike at both ends. */
function agreementOf(picture: Luma, from: Luma, to: Luma, there: Field, back: Field, usual: Similarity): number {
  const { width, height } = from
  const size = width * height
  const backU = { data: back.u, width, height }
  const backV = { data: back.v, width, height }
  const seen = new Float32Array(size)
  const returns = new Uint8Array(size)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const [tx, ty] = [x + there.u[i]!, y + there.v[i]!]
      seen[i] = sampleAt(to, tx, ty)
      if (tx < 0 || ty < 0 || tx > width - 1 || ty > height - 1) continue
      const error = Math.hypot(there.u[i]! + sampleAt(backU, tx, ty), there.v[i]! + sampleAt(backV, tx, ty))
      const allowed = returnError.least + returnError.share * Math.hypot(there.u[i]!, there.v[i]!)
      if (error > allowed) continue
      const bend = bendOf(there, i, x < width - 1 ? 1 : -1, y < height - 1 ? width : -width, usual)
      if (bend <= bendMax) returns[i] = 1
    }
  }
  const alike = localCorrelation(from.data, seen, width, height)
  const contrast = localContrast(picture)
  let textured = 0
  let agreeing = 0
  for (let i = 0; i < size; i++) {
    if (contrast[i]! < 0.15) continue
    textured++
    if (returns[i] === 1 && alike[i]! >= alikeMin) agreeing++
  }
  // Hardly any texture is hardly any evidence.
  return textured < size * 0.02 ? 0 : agreeing / textured
}

/** How much more the motion differs between neighbouring pixels than the similarity alone makes it. */
function bendOf({ u, v }: Field, i: number, aside: number, below: number, { a, b }: Similarity): number {
  const [right, down] = [Math.sign(aside), Math.sign(below)]
  const [ux, vx] = [right * (u[i + aside]! - u[i]!) - a, right * (v[i + aside]! - v[i]!) - b]
  const [uy, vy] = [down * (u[i + below]! - u[i]!) + b, down * (v[i + below]! - v[i]!) - a]
  return Math.hypot(ux, uy, vx, vy)
}

/** Contrast around each pixel, as a part of the picture's usual one. */
function localContrast({ data, width, height }: Luma): Float32Array {
  const mean = boxBlur(data, width, height, 4)
  const power = boxBlur(
    data.map((value, i) => (value - mean[i]!) ** 2),
    width,
    height,
    4,
  )
  let total = 0
  for (const value of power) total += value
  const usual = Math.sqrt(total / power.length) + 1e-6
  return power.map((value) => Math.sqrt(value) / usual)
}

function localCorrelation(a: Float32Array, b: Float32Array, width: number, height: number): Float32Array {
  const radius = 4
  const blur = (layer: Float32Array) => boxBlur(layer, width, height, radius)
  const [meanA, meanB] = [blur(a), blur(b)]
  const powerA = blur(a.map((value) => value * value))
  const powerB = blur(b.map((value) => value * value))
  const product = blur(a.map((value, i) => value * b[i]!))
  return product.map((value, i) => {
    const varianceA = powerA[i]! - meanA[i]! ** 2
    const varianceB = powerB[i]! - meanB[i]! ** 2
    return (value - meanA[i]! * meanB[i]!) / Math.sqrt(Math.max(1e-6, varianceA * varianceB))
  })
}
