// The kernel's resampling in plain JavaScript: the same sums in the same order, so that both give the same bytes.

import type { ResampleCall } from '../../../src/video/kernel/functions.ts'

export function plainResample(memory: WebAssembly.Memory, ...call: ResampleCall): void {
  const [src, srcStride, firstRow, count, channels, rowStarts, rowWeights, rowTaps, ...others] = call
  const [columnStarts, columnWeights, columnTaps, dst, dstStride, width, height] = others
  const bytes = new Uint8Array(memory.buffer)
  const [shorts, ints] = [new Int16Array(memory.buffer), new Int32Array(memory.buffer)]
  for (let row = 0; row < height; row++) {
    const from = src + (ints[(rowStarts >> 2) + row]! - firstRow) * srcStride
    const blended = Int32Array.from({ length: count }, (_, i) => {
      let sum = 1 << 7
      for (let tap = 0; tap < rowTaps; tap++) {
        sum += bytes[from + tap * srcStride + i]! * shorts[(rowWeights >> 1) + row * rowTaps + tap]!
      }
      return sum >> 8
    })
    for (let i = 0; i < width * channels; i++) {
      const column = Math.floor(i / channels)
      const start = ints[(columnStarts >> 2) + column]! * channels + (i % channels)
      let sum = 1 << 19
      for (let tap = 0; tap < columnTaps; tap++) {
        const weight = shorts[(columnWeights >> 1) + column * columnTaps + tap]!
        sum += weight && blended[start + tap * channels]! * weight
      }
      bytes[dst + row * dstStride + i] = Math.max(0, Math.min(255, sum >> 20))
    }
  }
}
