// Colour arithmetic: sRGB pixels to BT.709 limited range and back. It knows no files and no planes' layout.

/** Separate full-size Y, U and V of packed RGB pixels. */
export function rgbToYuv(rgb: Uint8Array): { y: Uint8Array; u: Uint8Array; v: Uint8Array } {
  const count = rgb.length / 3
  const y = new Uint8Array(count)
  const u = new Uint8Array(count)
  const v = new Uint8Array(count)
  for (let from = 0; from < count; from += chunk) convert(rgb, y, u, v, from, Math.min(count, from + chunk))
  return { y, u, v }
}

/** A function that is called often is compiled well; one loop over a whole picture ran fifteen times slower in every third render. */
const chunk = 4096

function convert(rgb: Uint8Array, y: Uint8Array, u: Uint8Array, v: Uint8Array, from: number, to: number): void {
  for (let i = from, at = from * 3; i < to; i++, at += 3) {
    const r = rgb[at]!
    const g = rgb[at + 1]!
    const b = rgb[at + 2]!
    // BT.709 coefficients scaled to 219 and 224 levels, with 16 fractional bits.
    y[i] = (11_966 * r + 40_254 * g + 4_064 * b + 1_081_344) >> 16
    u[i] = (-6_596 * r - 22_189 * g + 28_784 * b + 8_421_376) >> 16
    v[i] = (28_784 * r - 26_145 * g - 2_639 * b + 8_421_376) >> 16
  }
}

/** Packed RGB of planes without padding. Chroma may be as large as luma or half of it each way; then it is repeated. */
export function yuvToRgb(y: Uint8Array, u: Uint8Array, v: Uint8Array, width: number, height: number): Uint8Array {
  const rgb = new Uint8ClampedArray(width * height * 3)
  const half = u.length < y.length ? 1 : 0
  for (let row = 0, at = 0; row < height; row++) {
    for (let col = 0; col < width; col++, at += 3) {
      const chroma = (row >> half) * (width >> half) + (col >> half)
      const luma = 1.164_384 * (y[row * width + col]! - 16)
      const cb = u[chroma]! - 128
      const cr = v[chroma]! - 128
      rgb[at] = luma + 1.792_741 * cr
      rgb[at + 1] = luma - 0.213_249 * cb - 0.532_909 * cr
      rgb[at + 2] = luma + 2.112_402 * cb
    }
  }
  return new Uint8Array(rgb.buffer)
}
