// Owns arithmetic on small grey pictures: blur, halving, sampling between pixels, and filling gaps from around them.
// It knows nothing of motion; scenes/flow.ts builds on it.

import type { Size } from './output-size.ts'

export interface Luma extends Size {
  data: Float32Array
}

/** The luma of packed RGB pixels, 0 to 255. */
export function lumaOf(rgb: Uint8Array): Float32Array {
  const luma = new Float32Array(rgb.length / 3)
  for (let i = 0, at = 0; i < luma.length; i++, at += 3) {
    luma[i] = 0.2126 * rgb[at]! + 0.7152 * rgb[at + 1]! + 0.0722 * rgb[at + 2]!
  }
  return luma
}

/** The mean over a square window, its parts outside the picture left out. Running sums: the radius costs nothing. */
export function boxBlur(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const across = new Float32Array(source.length)
  const inverse = inverseCounts(width, radius)
  for (let row = 0; row < source.length; row += width) {
    let sum = 0
    for (let x = 0; x < Math.min(radius, width); x++) sum += source[row + x]!
    for (let x = 0; x < width; x++) {
      if (x + radius < width) sum += source[row + x + radius]!
      if (x > radius) sum -= source[row + x - radius - 1]!
      across[row + x] = sum * inverse[x]!
    }
  }
  const result = new Float32Array(source.length)
  const sums = new Float64Array(width)
  const inverseRows = inverseCounts(height, radius)
  for (let y = 0; y < Math.min(radius, height); y++) {
    for (let x = 0; x < width; x++) sums[x]! += across[y * width + x]!
  }
  const nothing = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    const comes = y + radius < height ? across.subarray((y + radius) * width, (y + radius + 1) * width) : nothing
    const goes = y > radius ? across.subarray((y - radius - 1) * width, (y - radius) * width) : nothing
    const share = inverseRows[y]!
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const sum = sums[x]! + comes[x]! - goes[x]!
      sums[x] = sum
      result[at] = sum * share
    }
  }
  return result
}

/** For each place on a line: one over the number of places within a radius. */
function inverseCounts(length: number, radius: number): Float64Array {
  return Float64Array.from(
    { length },
    (_, at) => 1 / (Math.min(at + radius, length - 1) - Math.max(at - radius, 0) + 1),
  )
}

/** Half the size, each pixel the mean of the four it covers (fewer at an odd edge). */
export function halve({ data, width, height }: Luma): Luma {
  const toWidth = Math.ceil(width / 2)
  const toHeight = Math.ceil(height / 2)
  const half = new Float32Array(toWidth * toHeight)
  for (let y = 0; y < toHeight; y++) {
    const top = 2 * y * width
    const bottom = Math.min(2 * y + 1, height - 1) * width
    for (let x = 0; x < toWidth; x++) {
      const left = 2 * x
      const right = Math.min(2 * x + 1, width - 1)
      half[y * toWidth + x] =
        (data[top + left]! + data[top + right]! + data[bottom + left]! + data[bottom + right]!) / 4
    }
  }
  return { data: half, width: toWidth, height: toHeight }
}

/** The picture's value between pixels; beyond an edge, the edge's. */
export function sampleAt({ data, width, height }: Luma, x: number, y: number): number {
  const cx = x < 0 ? 0 : Math.min(x, width - 1)
  const cy = y < 0 ? 0 : Math.min(y, height - 1)
  const x0 = cx | 0
  const y0 = cy | 0
  const fx = cx - x0
  const fy = cy - y0
  const x1 = x0 + 1 < width ? x0 + 1 : x0
  const row0 = y0 * width
  const row1 = y0 + 1 < height ? row0 + width : row0
  const top = data[row0 + x0]! + fx * (data[row0 + x1]! - data[row0 + x0]!)
  const bottom = data[row1 + x0]! + fx * (data[row1 + x1]! - data[row1 + x0]!)
  return top + fy * (bottom - top)
}

/** The picture at another size, by its values between pixels. */
export function resizeLuma(luma: Luma, { width, height }: Size): Luma {
  const data = new Float32Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    const fromY = ((y + 0.5) * luma.height) / height - 0.5
    for (let x = 0; x < width; x++, i++) data[i] = sampleAt(luma, ((x + 0.5) * luma.width) / width - 0.5, fromY)
  }
  return { data, width, height }
}

/** From -1 to 1: how alike the courses of two rows of values are. */
export function correlation(one: Float32Array, other: Float32Array): number {
  let [a, b] = [0, 0]
  for (let i = 0; i < one.length; i++) {
    a += one[i]!
    b += other[i]!
  }
  a /= one.length
  b /= one.length
  let [both, first, second] = [0, 0, 0]
  for (let i = 0; i < one.length; i++) {
    both += (one[i]! - a) * (other[i]! - b)
    first += (one[i]! - a) ** 2
    second += (other[i]! - b) ** 2
  }
  return both / Math.sqrt(first * second + 1e-12)
}

/** Takes out slow changes of light and evens the contrast, so that only structure is left to compare. */
export function structureOf({ data, width, height }: Luma, radius: number): Luma {
  const mean = boxBlur(data, width, height, radius)
  const detail = data.map((value, i) => value - mean[i]!)
  const power = boxBlur(
    detail.map((value) => value * value),
    width,
    height,
    radius,
  )
  let total = 0
  for (const value of power) total += value
  // A floor on the contrast keeps noise in flat areas small.
  const floor = total / power.length + 1e-9
  return { data: detail.map((value, i) => value / Math.sqrt(power[i]! + floor)), width, height }
}

/** Spreads values from where their weight (0 to 1) is high to where it is low, over any distance, smoothly. */
export function fillGaps(weight: Luma, layers: Luma[]): Luma[] {
  const { width, height } = weight
  if (width <= 2 || height <= 2) {
    let total = 0
    for (const value of weight.data) total += value
    return layers.map((layer) => {
      let sum = 0
      for (let i = 0; i < layer.data.length; i++) sum += layer.data[i]! * weight.data[i]!
      const mean = total > 1e-9 ? sum / total : 0
      return { ...layer, data: layer.data.map((value, i) => mean + weight.data[i]! * (value - mean)) }
    })
  }
  const half = halveWeighted(weight, layers)
  const filled = fillGaps(half.weight, half.layers)
  return layers.map((layer, l) => {
    const data = layer.data.slice()
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        const own = weight.data[i]!
        if (own >= 1) continue
        const around = sampleAt(filled[l]!, (x - 0.5) / 2, (y - 0.5) / 2)
        data[i] = around + own * (data[i]! - around)
      }
    }
    return { ...layer, data }
  })
}

/** Halves layers so that surer pixels count more. One sure pixel in four is enough to be sure at half the size. */
function halveWeighted({ data: weights, width, height }: Luma, layers: Luma[]): { weight: Luma; layers: Luma[] } {
  const [toWidth, toHeight] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const weight = new Float32Array(toWidth * toHeight)
  const halves = layers.map(() => new Float32Array(toWidth * toHeight))
  for (let y = 0, i = 0; y < toHeight; y++) {
    const top = 2 * y * width
    const bottom = Math.min(2 * y + 1, height - 1) * width
    for (let x = 0; x < toWidth; x++, i++) {
      const left = 2 * x
      const right = Math.min(2 * x + 1, width - 1)
      const [w0, w1] = [weights[top + left]!, weights[top + right]!]
      const [w2, w3] = [weights[bottom + left]!, weights[bottom + right]!]
      const total = w0 + w1 + w2 + w3
      if (total < 1e-9) continue
      weight[i] = Math.min(1, total)
      for (let l = 0; l < layers.length; l++) {
        const { data } = layers[l]!
        const sum =
          w0 * data[top + left]! + w1 * data[top + right]! + w2 * data[bottom + left]! + w3 * data[bottom + right]!
        halves[l]![i] = sum / total
      }
    }
  }
  const size = { width: toWidth, height: toHeight }
  return { weight: { data: weight, ...size }, layers: halves.map((data) => ({ data, ...size })) }
}
