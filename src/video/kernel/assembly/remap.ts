// @ts-nocheck: AssemblyScript, checked by its own compiler.
//
// The pixel kernel of the studio: moves, mixes, enlarges and lays 8-bit planes over each other, eight pixels at a time.
// It owns arithmetic only. Memory is imported; where planes lie and what the coordinates mean is decided outside.
// The tests have the same sums in plain JavaScript, and both must give the same bytes.
//
// Coordinates come on a coarse grid: one node per cell corner, as x and y in source pixels with 16 fractional bits.
// Inside a cell they are interpolated, so an affine move, a perspective and a flow field all cost the same.

export { field, plume, puffs, shade, shine, smear } from './field'
export { fade, grain, levels, run, slip, tapeRow } from './film'
export { light } from './light'
export { resample } from './resample'
export { blades, bubbles, discs, halos, hide, lensDiscs, streaks } from './sprites'

const LANES_LOW: v128 = i32x4(0, 1, 2, 3)
const LANES: v128 = i16x8(0, 1, 2, 3, 4, 5, 6, 7)

/** The largest steps to the right at which eight pixels, with the neighbour of the last, lie within 16 and 32 bytes. */
const CLOSE: u32 = 14 * 65536 / 7
const NEARBY: u32 = 30 * 65536 / 7

/** The bytes at some places of 16, or of 32. A shuffle gives nothing for a place that it does not have. */
// @ts-ignore: decorator
@inline
function picked(at: usize, places: v128, wide: bool): v128 {
  const first = i8x16.swizzle(v128.load(at), places)
  if (!wide) return first
  return v128.or(first, i8x16.swizzle(v128.load(at, 16), i8x16.sub(places, i8x16.splat(16))))
}

/** Eight pixels, each between two neighbours of an upper row and two of a lower one, by fractions in 65536ths. */
// @ts-ignore: decorator
@inline
function blend(top: v128, low: v128, fractionX: v128, fractionY: v128): v128 {
  const byteMask = i16x8.splat(255)
  const fx = i16x8.shr_u(fractionX, 9)
  const fy = i16x8.shl(i16x8.shr_u(fractionY, 9), 8)
  const rest = i16x8.sub(i16x8.splat(128), fx)
  const a = i16x8.add(
    i16x8.mul(v128.and(top, byteMask), rest), i16x8.mul(i16x8.shr_u(top, 8), fx))
  const b = i16x8.add(
    i16x8.mul(v128.and(low, byteMask), rest), i16x8.mul(i16x8.shr_u(low, 8), fx))
  const v = i16x8.add(a, i16x8.q15mulr_sat_s(i16x8.sub(b, a), fy))
  const bytes = i16x8.shr_s(i16x8.add(v, i16x8.splat(64)), 7)
  return i8x16.narrow_i16x8_u(bytes, bytes)
}

/** A number of the way from one node down to the next. */
// @ts-ignore: decorator
@inline
function between(upper: i32, lower: i32, inCell: i32, cellBits: i32): i32 {
  return upper + ((lower - upper) * inCell >> cellBits)
}

/**
 * dst[r][c] = src at the coordinates of the grid. Cells are 1 << cellBits pixels wide and high, cellBits ≥ 3.
 * Writes whole groups of eight pixels, so rows of dst need room up to the next multiple of eight.
 * The caller keeps every node within the source (with one readable pixel to its right and below).
 */
export function remap(
  src: usize, srcStride: i32,
  dst: usize, dstStride: i32,
  width: i32, height: i32,
  grid: usize, gridStride: i32, cellBits: i32,
): void {
  const cell = 1 << cellBits
  const strides = i32x4.splat(srcStride)
  const srcBelow = src + srcStride

  for (let row = 0; row < height; row++) {
    const inCell = row & (cell - 1)
    const upper = grid + (<usize>(row >> cellBits) * gridStride << 3)
    const lower = upper + (<usize>gridStride << 3)
    let out = dst + <usize>row * dstStride
    let xNext = between(load<i32>(upper), load<i32>(lower), inCell, cellBits)
    let yNext = between(load<i32>(upper, 4), load<i32>(lower, 4), inCell, cellBits)
    for (let col = 0, node = <usize>8; col < width; col += cell, node += 8) {
      const x = xNext
      const y = yNext
      xNext = between(load<i32>(upper + node), load<i32>(lower + node), inCell, cellBits)
      yNext = between(load<i32>(upper + node, 4), load<i32>(lower + node, 4), inCell, cellBits)
      const dx = xNext - x >> cellBits
      const dy = yNext - y >> cellBits
      const stepsX = i32x4.mul(i32x4.splat(dx), LANES_LOW)
      const stepsY = i32x4.mul(i32x4.splat(dy), LANES_LOW)
      let x0 = i32x4.add(i32x4.splat(x), stepsX)
      const dx4 = i32x4.splat(dx << 2)
      // Fractions wrap around like the numbers that hold them.
      const dx8 = i16x8.splat(<i16>(dx << 3))
      const dy8 = i16x8.splat(<i16>(dy << 3))
      let fractionX = i16x8.add(i16x8.splat(<i16>x), i16x8.mul(i16x8.splat(<i16>dx), LANES))
      let fractionY = i16x8.add(i16x8.splat(<i16>y), i16x8.mul(i16x8.splat(<i16>dy), LANES))
      const end = min(cell, width - col)
      // Eight pixels that lie close together in one source row, or two, are picked with shuffles: loading each costs up to
      // four times as much.
      const nearby = <u32>dx <= NEARBY
      const wide = <u32>dx > CLOSE
      for (let i = 0; i < end; i += 8, out += 8) {
        const x1 = i32x4.add(x0, dx4)
        const yFirst = y + dy * i
        const y0 = i32x4.add(i32x4.splat(yFirst), stepsY)
        const y1 = i32x4.add(i32x4.splat(yFirst + (dy << 2)), stepsY)
        const firstLine = yFirst >> 16
        const lastLine = yFirst + dy * 7 >> 16
        const line = min(firstLine, lastLine)
        if (nearby && max(firstLine, lastLine) - line <= 1) {
          const first = x + dx * i >> 16
          const places = i16x8.sub(
            i16x8.narrow_i32x4_s(i32x4.shr_s(x0, 16), i32x4.shr_s(x1, 16)), i16x8.splat(<i16>first))
          const picks = i16x8.add(i16x8.mul(places, i16x8.splat(0x0101)), i16x8.splat(0x0100))
          const at = src + line * srcStride + first
          let top = picked(at, picks, wide)
          let low = picked(at + srcStride, picks, wide)
          if (firstLine != lastLine) {
            const below = i16x8.ne(
              i16x8.narrow_i32x4_s(i32x4.shr_s(y0, 16), i32x4.shr_s(y1, 16)), i16x8.splat(<i16>line))
            top = v128.bitselect(low, top, below)
            low = v128.bitselect(picked(at + 2 * srcStride, picks, wide), low, below)
          }
          v128.store_lane<u64>(out, blend(top, low, fractionX, fractionY), 0)
          x0 = i32x4.add(x1, dx4)
          fractionX = i16x8.add(fractionX, dx8)
          fractionY = i16x8.add(fractionY, dy8)
          continue
        }
        const at0 = i32x4.add(i32x4.mul(i32x4.shr_s(y0, 16), strides), i32x4.shr_s(x0, 16))
        const at1 = i32x4.add(i32x4.mul(i32x4.shr_s(y1, 16), strides), i32x4.shr_s(x1, 16))
        let o = <usize>i32x4.extract_lane(at0, 0)
        let top = v128.load16_splat(src + o)
        let low = v128.load16_splat(srcBelow + o)
        o = <usize>i32x4.extract_lane(at0, 1)
        top = v128.load_lane<u16>(src + o, top, 1)
        low = v128.load_lane<u16>(srcBelow + o, low, 1)
        o = <usize>i32x4.extract_lane(at0, 2)
        top = v128.load_lane<u16>(src + o, top, 2)
        low = v128.load_lane<u16>(srcBelow + o, low, 2)
        o = <usize>i32x4.extract_lane(at0, 3)
        top = v128.load_lane<u16>(src + o, top, 3)
        low = v128.load_lane<u16>(srcBelow + o, low, 3)
        o = <usize>i32x4.extract_lane(at1, 0)
        top = v128.load_lane<u16>(src + o, top, 4)
        low = v128.load_lane<u16>(srcBelow + o, low, 4)
        o = <usize>i32x4.extract_lane(at1, 1)
        top = v128.load_lane<u16>(src + o, top, 5)
        low = v128.load_lane<u16>(srcBelow + o, low, 5)
        o = <usize>i32x4.extract_lane(at1, 2)
        top = v128.load_lane<u16>(src + o, top, 6)
        low = v128.load_lane<u16>(srcBelow + o, low, 6)
        o = <usize>i32x4.extract_lane(at1, 3)
        top = v128.load_lane<u16>(src + o, top, 7)
        low = v128.load_lane<u16>(srcBelow + o, low, 7)

        v128.store_lane<u64>(out, blend(top, low, fractionX, fractionY), 0)
        x0 = i32x4.add(x1, dx4)
        fractionX = i16x8.add(fractionX, dx8)
        fractionY = i16x8.add(fractionY, dy8)
      }
    }
  }
}

/**
 * What `remap` does, where every column of the grid has one x and every row one y: a move without any turning. Each row
 * is blended from two rows of the source as a whole, then its pixels are picked from the blend, two with one shuffle.
 * x must not fall, nor rise by more than 4½ source pixels per pixel. `scratch` has room for ten bytes for every pixel of
 * a row, and for two for every source pixel that it spans.
 */
export function stretch(
  src: usize, srcStride: i32,
  dst: usize, dstStride: i32,
  width: i32, height: i32,
  grid: usize, gridStride: i32, cellBits: i32,
  scratch: usize,
): void {
  const cell = 1 << cellBits
  const first = load<i32>(grid) >> 16
  let last = first
  // For eight pixels, by twos: where they start in the blended row; a shuffle; the weights of their neighbours.
  let plan = scratch
  for (let col = 0, node = grid; col < width; col += cell, node += 8) {
    let x = load<i32>(node)
    const dx = load<i32>(node, 8) - x >> cellBits
    const end = min(cell, width - col)
    for (let i = 0; i < end; i += 8, plan += 80) {
      for (let two = <usize>0; two < 4; two++) {
        const start = x >> 16
        store<i32>(plan + (two << 2), start - first << 1)
        for (let k = <usize>0; k < 2; k++, x += dx) {
          const at = plan + (two << 3) + (k << 2)
          const weight = <u32>(x >> 9 & 127)
          // The four bytes of two neighbours.
          store<u32>(at, 0x03020100 + ((x >> 16) - start) * 0x02020202, 16)
          store<u32>(at, 128 - weight | weight << 16, 48)
          last = x >> 16
        }
      }
    }
  }
  const blended = plan
  const count = <usize>(last + 2 - first)
  const half = i32x4.splat(1 << 13)

  for (let row = 0; row < height; row++) {
    const node = grid + (<usize>(row >> cellBits) * gridStride << 3)
    const upperY = load<i32>(node, 4)
    const lowerY = load<i32>(node + (<usize>gridStride << 3), 4)
    const y = upperY + ((lowerY - upperY) * (row & (cell - 1)) >> cellBits)
    const upper = src + (y >> 16) * srcStride + first
    const lower = upper + srcStride
    const weight = y >> 9 & 127
    const ofUpper = i16x8.splat(<i16>(128 - weight))
    const ofLower = i16x8.splat(<i16>weight)
    for (let i = <usize>0; i < count; i += 8) {
      v128.store(blended + (i << 1), i16x8.add(
        i16x8.mul(v128.load8x8_u(upper + i), ofUpper), i16x8.mul(v128.load8x8_u(lower + i), ofLower)))
    }
    let out = dst + <usize>row * dstStride
    for (plan = scratch; plan < blended; plan += 80, out += 8) {
      const a = i8x16.swizzle(v128.load(blended + load<u32>(plan)), v128.load64_zero(plan, 16))
      const b = i8x16.swizzle(v128.load(blended + load<u32>(plan, 4)), v128.load64_zero(plan, 24))
      const c = i8x16.swizzle(v128.load(blended + load<u32>(plan, 8)), v128.load64_zero(plan, 32))
      const d = i8x16.swizzle(v128.load(blended + load<u32>(plan, 12)), v128.load64_zero(plan, 40))
      const left = i32x4.dot_i16x8_s(v128.shuffle<i64>(a, b, 0, 2), v128.load(plan, 48))
      const right = i32x4.dot_i16x8_s(v128.shuffle<i64>(c, d, 0, 2), v128.load(plan, 64))
      const v = i16x8.narrow_i32x4_s(
        i32x4.shr_s(i32x4.add(left, half), 14), i32x4.shr_s(i32x4.add(right, half), 14))
      v128.store_lane<u64>(out, i8x16.narrow_i16x8_u(v, v), 0)
    }
  }
}

/** dst = a + (b − a) · weight, over `count` bytes (a multiple of eight); weight in 0..32767. */
export function mix(dst: usize, a: usize, b: usize, count: i32, weight: i32): void {
  const w = i16x8.splat(<i16>weight)
  for (let i = <usize>0; i < <usize>count; i += 8) {
    const from = v128.load8x8_u(a + i)
    const to = v128.load8x8_u(b + i)
    const v = i16x8.add(from, i16x8.q15mulr_sat_s(i16x8.sub(to, from), w))
    v128.store_lane<u64>(dst + i, i8x16.narrow_i16x8_u(v, v), 0)
  }
}

/** dst = dst + (src − dst) · alpha/255 · opacity, row by row; opacity in 0..32767. Rows hold a multiple of eight. */
export function over(
  dst: usize, dstStride: i32,
  src: usize, srcStride: i32,
  alpha: usize, alphaStride: i32,
  width: i32, height: i32, opacity: i32,
): void {
  const strength = i16x8.splat(<i16>opacity)
  for (let row = 0; row < height; row++) {
    for (let i = <usize>0; i < <usize>width; i += 8) {
      const cover = v128.load8x8_u(alpha + i)
      const cover15 = v128.or(i16x8.shl(cover, 7), i16x8.shr_u(cover, 1))
      const w = i16x8.q15mulr_sat_s(cover15, strength)
      const under = v128.load8x8_u(dst + i)
      const v = i16x8.add(under, i16x8.q15mulr_sat_s(i16x8.sub(v128.load8x8_u(src + i), under), w))
      v128.store_lane<u64>(dst + i, i8x16.narrow_i16x8_u(v, v), 0)
    }
    dst += dstStride
    src += srcStride
    alpha += alphaStride
  }
}

// Cubic weights of the four pixels around a point a quarter of the way from the second to the third, in 128ths.
const FAR: v128 = i16x8.splat(-3)
const NEXT: v128 = i16x8.splat(29)
const NEAR: v128 = i16x8.splat(111)
const BACK: v128 = i16x8.splat(-9)
// For rounding, and to keep sums above 0 until they are divided: as unsigned 16-bit numbers they then never overflow.
const LIFT: v128 = i16x8.splat(4096 + 64)
const LIFTED: v128 = i16x8.splat(4096 >> 7)

// @ts-ignore: decorator
@inline
function quarter(back: v128, near: v128, next: v128, far: v128): v128 {
  const sum = i16x8.add(
    i16x8.add(i16x8.mul(near, NEAR), i16x8.mul(next, NEXT)),
    i16x8.add(i16x8.add(i16x8.mul(back, BACK), i16x8.mul(far, FAR)), LIFT))
  return i16x8.sub(i16x8.shr_u(sum, 7), LIFTED)
}

/**
 * dst = src at twice its width and height, cubic. Reads two rows and eight columns beyond each edge of src, and writes
 * whole groups of sixteen pixels. `rows` has room for two rows of width + 24 bytes.
 */
export function enlarge(
  src: usize, srcStride: i32,
  dst: usize, dstStride: i32,
  width: i32, height: i32, rows: usize,
): void {
  const stride = <usize>srcStride
  const wide = <usize>(width + 7 & ~7)
  const rowBytes = wide + 16
  for (let row = 0; row < height; row++) {
    for (let i = <usize>0, at = src - 8; i < rowBytes; i += 8, at += 8) {
      const above = v128.load8x8_u(at - stride)
      const here = v128.load8x8_u(at)
      const below = v128.load8x8_u(at + stride)
      const upper = quarter(below, here, above, v128.load8x8_u(at - 2 * stride))
      const lower = quarter(above, here, below, v128.load8x8_u(at + 2 * stride))
      const both = i8x16.narrow_i16x8_u(upper, lower)
      v128.store_lane<u64>(rows + i, both, 0)
      v128.store_lane<u64>(rows + rowBytes + i, both, 1)
    }
    for (let half = <usize>0; half < 2; half++) {
      let at = rows + half * rowBytes + 8
      for (let i = <usize>0; i < wide; i += 8, at += 8) {
        const left = v128.load8x8_u(at - 1)
        const here = v128.load8x8_u(at)
        const right = v128.load8x8_u(at + 1)
        const both = i8x16.narrow_i16x8_u(
          quarter(right, here, left, v128.load8x8_u(at - 2)), quarter(left, here, right, v128.load8x8_u(at + 2)))
        v128.store(dst + 2 * i, i8x16.shuffle(both, both, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15))
      }
      dst += dstStride
    }
    src += stride
  }
}
