// @ts-nocheck: AssemblyScript, checked by its own compiler.
//
// The kernel's resampling: every row of the result is a weighted sum of rows of the source, and every pixel a weighted sum
// along that. Which weights is decided outside; The tests have the same sums in plain JavaScript.

/** Weights have 14 fractional bits, rows in between 6. */
const ROW_SHIFT: i32 = 8
const PIXEL_SHIFT: i32 = 20

/** dst = the sum of `taps` (an even number) rows of `count` bytes each, as numbers of 16 bits. */
function blendRows(src: usize, stride: usize, count: i32, taps: i32, weights: usize, dst: usize): void {
  for (let i = 0; i < count; i += 8, src += 8, dst += 16) {
    let low = i32x4.splat(1 << ROW_SHIFT - 1)
    let high = low
    for (let tap = 0, at = src, weight = weights; tap < taps; tap += 2, at += 2 * stride, weight += 4) {
      const pair = v128.load32_splat(weight)
      const upper = v128.load8x8_u(at)
      const lower = v128.load8x8_u(at + stride)
      low = i32x4.add(low, i32x4.dot_i16x8_s(v128.shuffle<i16>(upper, lower, 0, 8, 1, 9, 2, 10, 3, 11), pair))
      high = i32x4.add(high, i32x4.dot_i16x8_s(v128.shuffle<i16>(upper, lower, 4, 12, 5, 13, 6, 14, 7, 15), pair))
    }
    v128.store(dst, i16x8.narrow_i32x4_s(i32x4.shr_s(low, ROW_SHIFT), i32x4.shr_s(high, ROW_SHIFT)))
  }
}

/** Pixels `step` bytes apart, each the sum of `taps` (a multiple of eight) numbers of a row from its own start on. */
function blendColumns(src: usize, starts: usize, weights: usize, taps: i32, dst: usize, step: usize, count: i32): void {
  for (let i = 0; i < count; i++, starts += 4, dst += step) {
    let at = src + (<usize>load<i32>(starts) << 1)
    let sums = i32x4.splat(0)
    for (let tap = 0; tap < taps; tap += 8, at += 16, weights += 16) {
      sums = i32x4.add(sums, i32x4.dot_i16x8_s(v128.load(at), v128.load(weights)))
    }
    sums = i32x4.add(sums, v128.shuffle<i32>(sums, sums, 2, 3, 0, 1))
    const sum = i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1)
    store<u8>(dst, max(0, min(255, sum + (1 << PIXEL_SHIFT - 1) >> PIXEL_SHIFT)))
  }
}

/**
 * Draws `height` rows of `width` pixels. `src` is the first of the source's rows that are there, the `firstRow`-th of all;
 * `count` is how many of its bytes matter. Rows and columns have a start (32 bits) and weights (16 bits) each. `scratch` has
 * room for two rows of `count` 16-bit numbers and 64 bytes more each.
 */
export function resample(
  src: usize, srcStride: i32, firstRow: i32, count: i32, channels: i32,
  rowStarts: usize, rowWeights: usize, rowTaps: i32,
  columnStarts: usize, columnWeights: usize, columnTaps: i32,
  dst: usize, dstStride: i32, width: i32, height: i32, scratch: usize,
): void {
  const single = scratch + (<usize>count << 1) + 64
  for (let row = 0; row < height; row++, dst += dstStride, rowStarts += 4, rowWeights += <usize>rowTaps << 1) {
    const from = src + <usize>(load<i32>(rowStarts) - firstRow) * srcStride
    blendRows(from, srcStride, count, rowTaps, rowWeights, scratch)
    if (channels == 1) {
      blendColumns(scratch, columnStarts, columnWeights, columnTaps, dst, 1, width)
      continue
    }
    for (let channel = <usize>0; channel < <usize>channels; channel++) {
      let own = single
      const end = scratch + (<usize>count << 1)
      for (let at = scratch + (channel << 1); at < end; at += <usize>channels << 1, own += 2) {
        store<i16>(own, load<i16>(at))
      }
      blendColumns(single, columnStarts, columnWeights, columnTaps, dst + channel, channels, width)
    }
  }
}
