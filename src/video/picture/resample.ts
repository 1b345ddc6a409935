// Brings pixels to another size. It owns the weights: cubic where a picture grows, Lanczos where it shrinks, both about the
// exact centre of each pixel, so that nothing shifts. The kernel does the sums, a strip of rows at a time.

import type { Kernel } from '../kernel/kernel.ts'
import type { Area, Size } from './output-size.ts'

/** Packed bytes, one or three to a pixel. */
export interface Raster extends Size {
  bytes: Uint8Array
  channels: 1 | 3
}

/** How much of a source lies in the kernel's memory at once. */
const stripBytesMax = 4_000_000

/** An area of a source (not necessarily in whole pixels) at a given size, tightly packed. */
export function resample(kernel: Kernel, source: Raster, area: Area, to: Size): Uint8Array {
  if (isCopy(source, area, to)) return source.bytes
  const result = new Uint8Array(to.width * to.height * source.channels)
  const mark = kernel.mark()
  const stride = to.width * source.channels
  const strips = stripsOf(kernel, source, area, to)
  const drawn = kernel.allocate(stride * strips.rowsMax)
  strips.draw(
    (row) => drawn - row * stride,
    stride,
    (row, rows) => {
      result.set(kernel.bytes(drawn, rows * stride), row * stride)
    },
  )
  kernel.release(mark)
  return result
}

/** The same straight into a plane of the kernel, `at` being its first pixel. */
export function resampleInto(kernel: Kernel, source: Raster, to: Size & { at: number; stride: number }): void {
  const mark = kernel.mark()
  const whole = { x: 0, y: 0, width: source.width, height: source.height }
  stripsOf(kernel, source, whole, to).draw(
    () => to.at,
    to.stride,
    () => {},
  )
  kernel.release(mark)
}

function isCopy(source: Raster, { x, y, width, height }: Area, to: Size): boolean {
  const isWhole = x === 0 && y === 0 && width === source.width && height === source.height
  return isWhole && to.width === width && to.height === height
}

function stripsOf(kernel: Kernel, { bytes, width, height, channels }: Raster, area: Area, to: Size) {
  const rows = weightsOf(area.y, area.height, height, to.height, 2)
  const columns = weightsOf(area.x, area.width, width, to.width, 8)
  // Only columns that count are copied.
  const left = Math.min(...columns.starts)
  const right = Math.min(width, Math.max(...columns.starts) + columns.taps)
  const count = (right - left) * channels
  const stride = Math.ceil(count / 16) * 16 + 16
  const sourceRowsMax = Math.max(rows.taps + 1, Math.floor(stripBytesMax / stride))
  const rowStarts = store(kernel, rows.starts)
  const rowWeights = store(kernel, rows.weights)
  const columnStarts = store(
    kernel,
    columns.starts.map((start) => start - left),
  )
  const columnWeights = store(kernel, columns.weights)
  const strip = kernel.allocate(stride * (sourceRowsMax + rows.taps) + 64)
  // Neighbours that a short row does not have weigh nothing, but are read.
  const scratch = kernel.allocate(4 * count + 128 + 2 * columns.taps)
  const endOf = (row: number) => {
    let end = row + 1
    while (end < to.height && rows.starts[end]! + rows.taps - rows.starts[row]! <= sourceRowsMax) end++
    return end
  }
  const rowsMax = Math.min(to.height, Math.ceil((sourceRowsMax * to.height) / area.height) + 2)
  return {
    rowsMax,
    draw(dst: (row: number) => number, dstStride: number, drawn: (row: number, rows: number) => void): void {
      for (let row = 0; row < to.height; ) {
        const end = Math.min(endOf(row), row + rowsMax)
        const [first, last] = [rows.starts[row]!, Math.min(height, rows.starts[end - 1]! + rows.taps)]
        const held = kernel.bytes(strip, stride * (last - first))
        for (let y = first; y < last; y++) {
          const at = (y * width + left) * channels
          held.set(bytes.subarray(at, at + count), (y - first) * stride)
        }
        kernel.resample(
          ...([strip, stride, first, count, channels] as const),
          ...([rowStarts + 4 * row, rowWeights + 2 * rows.taps * row, rows.taps] as const),
          ...([columnStarts, columnWeights, columns.taps] as const),
          ...([dst(row) + row * dstStride, dstStride, to.width, end - row, scratch] as const),
        )
        drawn(row, end - row)
        row = end
      }
    },
  }
}

interface Weights {
  /** The first place of the source that each place of the result takes from. */
  starts: Int32Array
  /** `taps` of them for each place of the result, together `one`. */
  weights: Int16Array
  taps: number
}

const one = 16_384

/** Along one side: `from` and `length` are the part of the source, `there` is all of it. */
function weightsOf(from: number, length: number, there: number, count: number, tapsStep: number): Weights {
  const step = length / count
  const wide = Math.max(1, step)
  const [reach, weightAt] = step > 1 ? ([3, lanczos] as const) : ([2, cubic] as const)
  const taps = Math.ceil((2 * reach * wide + 1) / tapsStep) * tapsStep
  const starts = new Int32Array(count)
  const weights = new Int16Array(count * taps)
  const own = new Float64Array(taps)
  for (let i = 0; i < count; i++) {
    const centre = from + (i + 0.5) * step - 0.5
    const first = Math.ceil(centre - reach * wide)
    const last = Math.floor(centre + reach * wide)
    const start = Math.max(0, Math.min(first, there - taps))
    own.fill(0)
    let sum = 0
    for (let at = first; at <= last; at++) {
      const weight = weightAt((at - centre) / wide)
      // Beyond an edge, the edge goes on.
      own[Math.max(0, Math.min(there - 1, at)) - start]! += weight
      sum += weight
    }
    let [rest, heaviest] = [one, 0]
    for (let tap = 0; tap < taps; tap++) {
      const weight = Math.round((own[tap]! / sum) * one)
      weights[i * taps + tap] = weight
      rest -= weight
      if (own[tap]! > own[heaviest]!) heaviest = tap
    }
    weights[i * taps + heaviest]! += rest
    starts[i] = start
  }
  return { starts, weights, taps }
}

/** Catmull-Rom: it draws parabolas exactly. */
function cubic(x: number): number {
  const t = Math.abs(x)
  return t < 1 ? (1.5 * t - 2.5) * t * t + 1 : t < 2 ? ((-0.5 * t + 2.5) * t - 4) * t + 2 : 0
}

function lanczos(x: number): number {
  if (x === 0) return 1
  const t = Math.PI * x
  return Math.abs(x) < 3 ? (3 * Math.sin(t) * Math.sin(t / 3)) / (t * t) : 0
}

function store(kernel: Kernel, numbers: Int32Array | Int16Array): number {
  const at = kernel.allocate(numbers.byteLength)
  kernel.bytes(at, numbers.byteLength).set(new Uint8Array(numbers.buffer))
  return at
}
