// What the pixel kernel should draw, in plain JavaScript: the functions of assembly/remap.ts, light.ts and resample.ts, and
// the same bytes.

import type { PixelFunctions } from '../../../src/video/kernel/functions.ts'
import { createKernel, type Kernel } from '../../../src/video/kernel/kernel.ts'
import { plainLight } from './plain-light.ts'
import { plainResample } from './plain-resample.ts'

export const plainKernel = (): Promise<Kernel> => createKernel((memory) => plainFunctions(memory) as PixelFunctions)

function plainFunctions(memory: WebAssembly.Memory): Partial<PixelFunctions> {
  return {
    light: (...call) => plainLight(memory, ...call),
    resample: (...call) => plainResample(memory, ...call),
    remap(src, srcStride, dst, dstStride, width, height, grid, gridStride, cellBits) {
      const bytes = new Uint8Array(memory.buffer)
      const nodes = new Int32Array(memory.buffer)
      const cell = 1 << cellBits
      for (let row = 0; row < height; row++) {
        const inCell = row & (cell - 1)
        let upper = (grid >> 2) + (row >> cellBits) * gridStride * 2
        let lower = upper + gridStride * 2
        let out = dst + row * dstStride
        for (let col = 0; col < width; col += cell, upper += 2, lower += 2) {
          let x = between(nodes[upper]!, nodes[lower]!, inCell, cellBits)
          let y = between(nodes[upper + 1]!, nodes[lower + 1]!, inCell, cellBits)
          const dx = (between(nodes[upper + 2]!, nodes[lower + 2]!, inCell, cellBits) - x) >> cellBits
          const dy = (between(nodes[upper + 3]!, nodes[lower + 3]!, inCell, cellBits) - y) >> cellBits
          const end = out + roundUpTo8(Math.min(cell, width - col))
          for (; out < end; out++, x += dx, y += dy) {
            const at = src + (y >> 16) * srcStride + (x >> 16)
            const fx = (x >> 9) & 127
            const fy = ((y >> 9) & 127) << 8
            const a = bytes[at]! * (128 - fx) + bytes[at + 1]! * fx
            const b = bytes[at + srcStride]! * (128 - fx) + bytes[at + srcStride + 1]! * fx
            bytes[out] = (a + scale15(b - a, fy) + 64) >> 7
          }
        }
      }
    },
    stretch(src, srcStride, dst, dstStride, width, height, grid, gridStride, cellBits) {
      const bytes = new Uint8Array(memory.buffer)
      const nodes = new Int32Array(memory.buffer)
      const cell = 1 << cellBits
      const first = nodes[grid >> 2]! >> 16
      const xs: number[] = []
      for (let col = 0, node = grid >> 2; col < width; col += cell, node += 2) {
        const dx = (nodes[node + 2]! - nodes[node]!) >> cellBits
        const count = roundUpTo8(Math.min(cell, width - col))
        for (let i = 0; i < count; i++) xs.push(nodes[node]! + i * dx)
      }
      const blended = new Uint16Array((xs.at(-1)! >> 16) + 2 - first)
      for (let row = 0; row < height; row++) {
        const node = (grid >> 2) + (row >> cellBits) * gridStride * 2 + 1
        const y = between(nodes[node]!, nodes[node + gridStride * 2]!, row & (cell - 1), cellBits)
        const weight = (y >> 9) & 127
        for (let i = 0, at = src + (y >> 16) * srcStride + first; i < blended.length; i++, at++) {
          blended[i] = bytes[at]! * (128 - weight) + bytes[at + srcStride]! * weight
        }
        let out = dst + row * dstStride
        for (const x of xs) {
          const at = (x >> 16) - first
          const weight = (x >> 9) & 127
          bytes[out++] = (blended[at]! * (128 - weight) + blended[at + 1]! * weight + (1 << 13)) >> 14
        }
      }
    },
    mix(dst, a, b, count, weight) {
      const bytes = new Uint8Array(memory.buffer)
      for (let i = 0; i < count; i++) bytes[dst + i] = bytes[a + i]! + scale15(bytes[b + i]! - bytes[a + i]!, weight)
    },
    over(dst, dstStride, src, srcStride, alpha, alphaStride, width, height, opacity) {
      const bytes = new Uint8Array(memory.buffer)
      const wide = roundUpTo8(width)
      for (let row = 0; row < height; row++) {
        for (let i = 0; i < wide; i++) {
          const cover = bytes[alpha + row * alphaStride + i]!
          const weight = scale15((cover << 7) | (cover >> 1), opacity)
          const at = dst + row * dstStride + i
          bytes[at] = bytes[at]! + scale15(bytes[src + row * srcStride + i]! - bytes[at]!, weight)
        }
      }
    },
    enlarge(src, srcStride, dst, dstStride, width, height, rows) {
      const bytes = new Uint8Array(memory.buffer)
      const clamped = new Uint8ClampedArray(memory.buffer)
      const quarter = (at: number, step: number) =>
        (111 * bytes[at]! + 29 * bytes[at + step]! - 9 * bytes[at - step]! - 3 * bytes[at + 2 * step]! + 64) >> 7
      for (let row = 0; row < height * 2; row++) {
        const from = src + (row >> 1) * srcStride
        for (let i = -2; i < width + 2; i++) {
          clamped[rows + 8 + i] = quarter(from + i, row % 2 === 0 ? -srcStride : srcStride)
        }
        for (let i = 0; i < width * 2; i++) {
          clamped[dst + row * dstStride + i] = quarter(rows + 8 + (i >> 1), i % 2 === 0 ? -1 : 1)
        }
      }
    },
  }
}

function between(upper: number, lower: number, inCell: number, cellBits: number): number {
  return upper + (((lower - upper) * inCell) >> cellBits)
}

/** a · b with 15 fractional bits, rounded: what i16x8.q15mulr_sat_s does. */
function scale15(a: number, b: number): number {
  return (a * b + 0x4000) >> 15
}

function roundUpTo8(count: number): number {
  return (count + 7) & ~7
}
