// @ts-nocheck: AssemblyScript, checked by its own compiler.
//
// Light in a finished frame: a veil (fog, rain, snow) in front of it, a glow added to it, and a gain on all of it. Summed in
// linear light, where gamma is taken as 2: a square and a square root cost one instruction each, and the difference to the
// exact curve cannot be seen. `remap-fallback.ts` does the same sums, and both must give the same bytes.

// @ts-ignore: decorator
@inline
function floats(at: usize): v128 {
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at))))
}

// @ts-ignore: decorator
@inline
function lit(gamma: v128, clear: v128, gain: v128, veil: v128, cover: v128, glow: v128, shine: v128): v128 {
  const g = f32x4.max(gamma, f32x4.splat(0))
  const linear = f32x4.mul(f32x4.mul(f32x4.mul(g, g), gain), clear)
  const sum = f32x4.add(f32x4.add(linear, f32x4.mul(veil, cover)), f32x4.mul(glow, shine))
  return f32x4.sqrt(f32x4.min(sum, f32x4.splat(1)))
}

/** Y and the offset of R, G and B from it, for four pixels. */
// @ts-ignore: decorator
@inline
function lumaOf(r: v128, g: v128, b: v128): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(r, f32x4.splat(0.2126)), f32x4.mul(g, f32x4.splat(0.7152))),
    f32x4.mul(b, f32x4.splat(0.0722)))
}

/** Whole levels in the lowest four bytes. */
// @ts-ignore: decorator
@inline
function levels(value: v128, scale: f32, offset: f32): v128 {
  const whole = i32x4.trunc_sat_f32x4_s(f32x4.add(f32x4.mul(value, f32x4.splat(scale)), f32x4.splat(offset)))
  const narrow = i16x8.narrow_i32x4_s(whole, whole)
  return i8x16.narrow_i16x8_u(narrow, narrow)
}

/**
 * Lights a frame in 4:2:0. `veil` and `glow` are planes like its luma; what they hold counts by 255ths, the glow's squared.
 * `colours` holds nine floats: the gain, the veil's and the glow's light for R, G and B. Where `even` is not 0, the gain is 1,
 * and groups of pixels without veil and glow stay as they are. Rows hold a multiple of eight.
 */
export function light(
  y: usize, yStride: i32,
  u: usize, v: usize, chromaStride: i32,
  width: i32, height: i32,
  veil: usize, glow: usize, airStride: i32,
  colours: usize, even: i32,
): void {
  const gainR = f32x4.splat(load<f32>(colours))
  const gainG = f32x4.splat(load<f32>(colours, 4))
  const gainB = f32x4.splat(load<f32>(colours, 8))
  const veilR = f32x4.splat(load<f32>(colours, 12))
  const veilG = f32x4.splat(load<f32>(colours, 16))
  const veilB = f32x4.splat(load<f32>(colours, 20))
  const glowR = f32x4.splat(load<f32>(colours, 24))
  const glowG = f32x4.splat(load<f32>(colours, 28))
  const glowB = f32x4.splat(load<f32>(colours, 32))
  const one = f32x4.splat(1)
  const level = f32x4.splat(1.0 / 255)
  const lumaLevel = f32x4.splat(1.0 / 219)
  const chromaLevel = f32x4.splat(1.0 / 224)
  const quarter = f32x4.splat(0.25)
  for (let row = 0; row < height; row += 2) {
    for (let i = <usize>0; i < <usize>width; i += 8) {
      const above = veil + i
      const glowing = glow + i
      if (even != 0) {
        const any = v128.or(
          v128.or(v128.load64_zero(above), v128.load64_zero(above + airStride)),
          v128.or(v128.load64_zero(glowing), v128.load64_zero(glowing + airStride)))
        if (!v128.any_true(any)) continue
      }
      const cb = f32x4.mul(f32x4.sub(floats(u + (i >> 1)), f32x4.splat(128)), chromaLevel)
      const cr = f32x4.mul(f32x4.sub(floats(v + (i >> 1)), f32x4.splat(128)), chromaLevel)
      const red = f32x4.mul(cr, f32x4.splat(1.5748))
      const green = f32x4.add(f32x4.mul(cb, f32x4.splat(-0.1873)), f32x4.mul(cr, f32x4.splat(-0.4681)))
      const blue = f32x4.mul(cb, f32x4.splat(1.8556))
      let sumY = f32x4.splat(0)
      let sumCover = f32x4.splat(0)
      let sumShine = f32x4.splat(0)
      for (let line = <usize>0; line < 2; line++) {
        const at = y + i + line * yStride
        const air = line * airStride
        const y0 = f32x4.mul(f32x4.sub(floats(at), f32x4.splat(16)), lumaLevel)
        const y1 = f32x4.mul(f32x4.sub(floats(at + 4), f32x4.splat(16)), lumaLevel)
        const cover0 = f32x4.mul(floats(above + air), level)
        const cover1 = f32x4.mul(floats(above + air + 4), level)
        const root0 = f32x4.mul(floats(glowing + air), level)
        const root1 = f32x4.mul(floats(glowing + air + 4), level)
        const shine0 = f32x4.mul(root0, root0)
        const shine1 = f32x4.mul(root1, root1)
        const clear0 = f32x4.sub(one, cover0)
        const clear1 = f32x4.sub(one, cover1)
        const out0 = lumaOf(
          lit(f32x4.add(y0, v128.shuffle<f32>(red, red, 0, 0, 1, 1)), clear0, gainR, veilR, cover0, glowR, shine0),
          lit(f32x4.add(y0, v128.shuffle<f32>(green, green, 0, 0, 1, 1)), clear0, gainG, veilG, cover0, glowG, shine0),
          lit(f32x4.add(y0, v128.shuffle<f32>(blue, blue, 0, 0, 1, 1)), clear0, gainB, veilB, cover0, glowB, shine0))
        const out1 = lumaOf(
          lit(f32x4.add(y1, v128.shuffle<f32>(red, red, 2, 2, 3, 3)), clear1, gainR, veilR, cover1, glowR, shine1),
          lit(f32x4.add(y1, v128.shuffle<f32>(green, green, 2, 2, 3, 3)), clear1, gainG, veilG, cover1, glowG, shine1),
          lit(f32x4.add(y1, v128.shuffle<f32>(blue, blue, 2, 2, 3, 3)), clear1, gainB, veilB, cover1, glowB, shine1))
        v128.store_lane<u32>(at, levels(out0, 219, 16.5), 0)
        v128.store_lane<u32>(at + 4, levels(out1, 219, 16.5), 0)
        sumY = f32x4.add(sumY, f32x4.add(v128.shuffle<f32>(y0, y1, 0, 2, 4, 6), v128.shuffle<f32>(y0, y1, 1, 3, 5, 7)))
        sumCover = f32x4.add(sumCover,
          f32x4.add(v128.shuffle<f32>(cover0, cover1, 0, 2, 4, 6), v128.shuffle<f32>(cover0, cover1, 1, 3, 5, 7)))
        sumShine = f32x4.add(sumShine,
          f32x4.add(v128.shuffle<f32>(shine0, shine1, 0, 2, 4, 6), v128.shuffle<f32>(shine0, shine1, 1, 3, 5, 7)))
      }
      const mean = f32x4.mul(sumY, quarter)
      const cover = f32x4.mul(sumCover, quarter)
      const shine = f32x4.mul(sumShine, quarter)
      const clear = f32x4.sub(one, cover)
      const r = lit(f32x4.add(mean, red), clear, gainR, veilR, cover, glowR, shine)
      const g = lit(f32x4.add(mean, green), clear, gainG, veilG, cover, glowG, shine)
      const b = lit(f32x4.add(mean, blue), clear, gainB, veilB, cover, glowB, shine)
      const luma = lumaOf(r, g, b)
      // 224 / 1.8556 and 224 / 1.5748.
      v128.store_lane<u32>(u + (i >> 1), levels(f32x4.sub(b, luma), 120.7157, 128.5), 0)
      v128.store_lane<u32>(v + (i >> 1), levels(f32x4.sub(r, luma), 142.2403, 128.5), 0)
    }
    y += <usize>yStride << 1
    u += chromaStride
    v += chromaStride
    veil += <usize>airStride << 1
    glow += <usize>airStride << 1
  }
}
