// @ts-nocheck: AssemblyScript, checked by its own compiler.
//
// Light in a finished frame: a veil (fog, rain, snow) in front of it, a glow added to it, and a gain on all of it. Summed in
// linear light, where gamma is taken as 2: a square costs one instruction and a root a few, and the difference to the exact
// curve cannot be seen. Levels run from 0 to 219, light from 0 to 219². The tests have the same sums
// in plain JavaScript, and both must give the same bytes.

/** Full light. */
const FULL: f32 = 47961

/**
 * The square root, right to 0.07 % (a seventh of a level at white): a guess from the number's own bits and one step of
 * Newton's method with Kadlec's constants. The exact instruction takes three times as long.
 */
// @ts-ignore: decorator
@inline
function root(value: v128): v128 {
  const guess = i32x4.sub(i32x4.splat(0x5f1ffff9), i32x4.shr_u(value, 1))
  const near = f32x4.mul(value, guess)
  const rest = f32x4.mul(near, f32x4.mul(guess, f32x4.splat(0.703952253)))
  return f32x4.mul(near, f32x4.sub(f32x4.splat(1.681914091), rest))
}

// @ts-ignore: decorator
@inline
function low(levels: v128): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(levels))
}

// @ts-ignore: decorator
@inline
function high(levels: v128): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(levels))
}

/** The level of four lights after `share` of each is left and `added` has come to it. */
// @ts-ignore: decorator
@inline
function lit(own: v128, share: v128, added: v128): v128 {
  return root(f32x4.min(f32x4.add(f32x4.mul(own, share), added), f32x4.splat(FULL)))
}

/** The light of a level. */
// @ts-ignore: decorator
@inline
function lightOf(level: v128): v128 {
  const own = f32x4.max(level, f32x4.splat(0))
  return f32x4.mul(own, own)
}

// @ts-ignore: decorator
@inline
function lumaOf(r: v128, g: v128, b: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(r, f32x4.splat(0.2126)), f32x4.mul(g, f32x4.splat(0.7152))),
    f32x4.mul(b, f32x4.splat(0.0722)))
}

/** Light that veil and glow add in one colour. */
// @ts-ignore: decorator
@inline
function addedBy(hasVeil: bool, hasGlow: bool, veil: v128, cover: v128, glow: v128, shine: v128): v128 {
  if (!hasGlow) return hasVeil ? f32x4.mul(veil, cover) : f32x4.splat(0)
  const shining = f32x4.mul(glow, shine)
  return hasVeil ? f32x4.add(f32x4.mul(veil, cover), shining) : shining
}

/** Whole levels in the lowest four bytes. */
// @ts-ignore: decorator
@inline
function levels(value: v128, scale: f32, offset: f32): v128 {
  const whole = i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(value, f32x4.splat(scale)), f32x4.splat(offset)))
  const narrow = i16x8.narrow_i32x4_s(whole, whole)
  return i8x16.narrow_i16x8_u(narrow, narrow)
}

/** Of a light in three colours: the grey light whose root is the luma of theirs. */
// @ts-ignore: decorator
@inline
function alike(r: v128, g: v128, b: v128): v128 {
  const luma = lumaOf(f32x4.sqrt(r), f32x4.sqrt(g), f32x4.sqrt(b))
  return f32x4.mul(luma, luma)
}

/** Eight pixels of one row, lit as if they were grey, in the lowest eight bytes. */
// @ts-ignore: decorator
@inline
function litRow(
  hasVeil: bool, hasGlow: bool,
  own: v128, covers: v128, roots: v128,
  gain: v128, fade: v128, veilLight: v128, glowLight: v128,
  left: v128, right: v128,
): v128 {
  // The square of a level fits sixteen bits without a sign.
  const above = i16x8.max_s(own, i16x8.splat(0))
  const squares = i16x8.mul(above, above)
  const own0 = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(squares))
  const own1 = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_u(squares))
  const cover0 = low(covers)
  const cover1 = high(covers)
  const root0 = low(roots)
  const root1 = high(roots)
  const share0 = hasVeil ? f32x4.sub(gain, f32x4.mul(cover0, fade)) : gain
  const share1 = hasVeil ? f32x4.sub(gain, f32x4.mul(cover1, fade)) : gain
  const out0 = lit(own0, share0, addedBy(hasVeil, hasGlow, veilLight, cover0, glowLight, f32x4.mul(root0, root0)))
  const out1 = lit(own1, share1, addedBy(hasVeil, hasGlow, veilLight, cover1, glowLight, f32x4.mul(root1, root1)))
  const whole = i16x8.narrow_i32x4_s(
    i32x4.trunc_sat_f32x4_s(f32x4.add(out0, left)), i32x4.trunc_sat_f32x4_s(f32x4.add(out1, right)))
  return i8x16.narrow_i16x8_u(whole, whole)
}

/** `light` with what it has known beforehand: the compiler leaves the rest out. */
// @ts-ignore: decorator
@inline
function pass(
  hasVeil: bool, hasGlow: bool,
  y: usize, yStride: i32,
  u: usize, v: usize, chromaStride: i32,
  width: i32, height: i32,
  veil: usize, glow: usize, airStride: i32,
  colours: usize, even: i32,
): void {
  const gainR = f32x4.splat(load<f32>(colours))
  const gainG = f32x4.splat(load<f32>(colours, 4))
  const gainB = f32x4.splat(load<f32>(colours, 8))
  // Per level of the veil, 47961 / 255, and per squared level of the glow, 47961 / 255².
  const veilR = f32x4.splat(load<f32>(colours, 12) * <f32>188.08235)
  const veilG = f32x4.splat(load<f32>(colours, 16) * <f32>188.08235)
  const veilB = f32x4.splat(load<f32>(colours, 20) * <f32>188.08235)
  const glowR = f32x4.splat(load<f32>(colours, 24) * <f32>0.7375779)
  const glowG = f32x4.splat(load<f32>(colours, 28) * <f32>0.7375779)
  const glowB = f32x4.splat(load<f32>(colours, 32) * <f32>0.7375779)
  // The same as if all colours were alike: what the roots come to, weighted as in luma.
  const gain = alike(gainR, gainG, gainB)
  const veilLight = alike(veilR, veilG, veilB)
  const glowLight = alike(glowR, glowG, glowB)
  // What a level of the veil takes of it.
  const fade = f32x4.mul(gain, f32x4.splat(1.0 / 255))
  const one = f32x4.splat(1)
  const level = f32x4.splat(1.0 / 255)
  const quarter = f32x4.splat(0.25)
  const black = i16x8.splat(16)
  const grey = i16x8.splat(128)
  for (let row = 0; row < height; row += 2) {
    for (let i = <usize>0; i < <usize>width; i += 8) {
      const above = veil + i
      const glowing = glow + i
      if (even != 0) {
        let any = i32x4.splat(0)
        if (hasVeil) any = v128.or(v128.load64_zero(above), v128.load64_zero(above + airStride))
        if (hasGlow) any = v128.or(any, v128.or(v128.load64_zero(glowing), v128.load64_zero(glowing + airStride)))
        if (!v128.any_true(any)) continue
      }
      const cb = low(i16x8.sub(i16x8.extend_low_i8x16_u(v128.load32_zero(u + (i >> 1))), grey))
      const cr = low(i16x8.sub(i16x8.extend_low_i8x16_u(v128.load32_zero(v + (i >> 1))), grey))
      const red = f32x4.mul(cr, f32x4.splat(1.539649))
      const green = f32x4.add(f32x4.mul(cb, f32x4.splat(-0.1831193)), f32x4.mul(cr, f32x4.splat(-0.4576513)))
      const blue = f32x4.mul(cb, f32x4.splat(1.81418))

      // Four pixels share a chroma sample: its colour is lit exactly, at their mean.
      const at = y + i
      const upper = i16x8.sub(v128.load8x8_u(at), black)
      const lower = i16x8.sub(v128.load8x8_u(at + yStride), black)
      const mean = f32x4.mul(
        f32x4.convert_i32x4_s(i32x4.extadd_pairwise_i16x8_s(i16x8.add(upper, lower))), quarter)
      let covers0 = i32x4.splat(0)
      let covers1 = i32x4.splat(0)
      let cover = f32x4.splat(0)
      let clear = one
      if (hasVeil) {
        covers0 = v128.load8x8_u(above)
        covers1 = v128.load8x8_u(above + airStride)
        cover = f32x4.mul(
          f32x4.convert_i32x4_s(i32x4.extadd_pairwise_i16x8_s(i16x8.add(covers0, covers1))), quarter)
        clear = f32x4.sub(one, f32x4.mul(cover, level))
      }
      let roots0 = i32x4.splat(0)
      let roots1 = i32x4.splat(0)
      let shine = f32x4.splat(0)
      if (hasGlow) {
        roots0 = v128.load8x8_u(glowing)
        roots1 = v128.load8x8_u(glowing + airStride)
        shine = f32x4.mul(f32x4.convert_i32x4_s(
          i32x4.add(i32x4.dot_i16x8_s(roots0, roots0), i32x4.dot_i16x8_s(roots1, roots1))), quarter)
      }
      const r = lit(lightOf(f32x4.add(mean, red)), f32x4.mul(gainR, clear), addedBy(hasVeil, hasGlow, veilR, cover, glowR, shine))
      const g = lit(lightOf(f32x4.add(mean, green)), f32x4.mul(gainG, clear), addedBy(hasVeil, hasGlow, veilG, cover, glowG, shine))
      const b = lit(lightOf(f32x4.add(mean, blue)), f32x4.mul(gainB, clear), addedBy(hasVeil, hasGlow, veilB, cover, glowB, shine))
      const luma = lumaOf(r, g, b)
      // 224 / 219 / 1.8556 and 224 / 219 / 1.5748.
      v128.store_lane<u32>(u + (i >> 1), levels(f32x4.sub(b, luma), 0.5512132, 128.5), 0)
      v128.store_lane<u32>(v + (i >> 1), levels(f32x4.sub(r, luma), 0.6494991, 128.5), 0)

      // Luma is lit as if it were grey, and differs from that by as much as at the mean. With rounding and the black level.
      const alikeMean = lit(lightOf(mean), f32x4.mul(gain, clear), addedBy(hasVeil, hasGlow, veilLight, cover, glowLight, shine))
      const differs = f32x4.add(f32x4.sub(luma, alikeMean), f32x4.splat(16.5))
      const left = v128.shuffle<f32>(differs, differs, 0, 0, 1, 1)
      const right = v128.shuffle<f32>(differs, differs, 2, 2, 3, 3)
      v128.store_lane<u64>(at, litRow(hasVeil, hasGlow, upper, covers0, roots0, gain, fade, veilLight, glowLight, left, right), 0)
      v128.store_lane<u64>(
        at + yStride, litRow(hasVeil, hasGlow, lower, covers1, roots1, gain, fade, veilLight, glowLight, left, right), 0)
    }
    y += <usize>yStride << 1
    u += chromaStride
    v += chromaStride
    veil += <usize>airStride << 1
    glow += <usize>airStride << 1
  }
}

/**
 * Lights a frame in 4:2:0. `veil` and `glow` are planes like its luma, or 0 where there is none; what they hold counts by
 * 255ths, the glow's squared. `colours` holds nine floats: the gain, the veil's and the glow's light for R, G and B. Where
 * `even` is not 0, the gain is 1, and groups of pixels without veil and glow stay as they are. Rows hold a multiple of eight.
 */
export function light(
  y: usize, yStride: i32,
  u: usize, v: usize, chromaStride: i32,
  width: i32, height: i32,
  veil: usize, glow: usize, airStride: i32,
  colours: usize, even: i32,
): void {
  if (veil == 0 && glow == 0) {
    pass(false, false, y, yStride, u, v, chromaStride, width, height, veil, glow, airStride, colours, even)
  } else if (glow == 0) {
    pass(true, false, y, yStride, u, v, chromaStride, width, height, veil, glow, airStride, colours, even)
  } else if (veil == 0) {
    pass(false, true, y, yStride, u, v, chromaStride, width, height, veil, glow, airStride, colours, even)
  } else {
    pass(true, true, y, yStride, u, v, chromaStride, width, height, veil, glow, airStride, colours, even)
  }
}
