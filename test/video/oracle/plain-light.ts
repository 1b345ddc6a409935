// The kernel's light in plain JavaScript: the same sums in single precision, in the same order, so that both give the same
// bytes.

import type { LightCall } from '../../../src/video/kernel/functions.ts'

const f = Math.fround
const level = f(1 / 255)
const full = 47_961

const asFloat = new Float32Array(1)
const asInt = new Int32Array(asFloat.buffer)

function root(value: number): number {
  asFloat[0] = value
  asInt[0] = 0x5f1ffff9 - (asInt[0]! >>> 1)
  const guess = asFloat[0]!
  const near = f(value * guess)
  const rest = f(near * f(guess * f(0.703952253)))
  return f(near * f(f(1.681914091) - rest))
}

function lit(own: number, share: number, added: number): number {
  const seen = Math.max(own, 0)
  return root(Math.min(f(f(f(seen * seen) * share) + added), full))
}

function lumaOf(r: number, g: number, b: number): number {
  return f(f(f(r * f(0.2126)) + f(g * f(0.7152))) + f(b * f(0.0722)))
}

function levels(value: number, scale: number, offset: number): number {
  return Math.min(255, Math.max(0, Math.trunc(f(f(value * f(scale)) + offset))))
}

export function plainLight(memory: WebAssembly.Memory, ...call: LightCall): void {
  const [y, yStride, u, v, chromaStride, width, height, veil, glow, airStride, colours, even] = call
  const bytes = new Uint8Array(memory.buffer)
  const given = new Float32Array(memory.buffer, colours, 9)
  // The fourth of each is as if all colours were alike.
  const [gain, veils, glows] = [0, 3, 6].map((at) => {
    const scale = at === 0 ? 1 : f(at === 3 ? 188.08235 : 0.7375779)
    const [r, g, b] = given.subarray(at, at + 3).map((light) => f(light * scale))
    const luma = lumaOf(f(Math.sqrt(r!)), f(Math.sqrt(g!)), f(Math.sqrt(b!)))
    return [r!, g!, b!, f(luma * luma)]
  }) as [number[], number[], number[]]
  // What a level of the veil takes of the gain.
  const fade = f(gain[3]! * level)
  for (let row = 0; row < height; row += 2) {
    for (let group = 0; group < width; group += 8) {
      const airAt = row * airStride + group
      if (even !== 0 && isClear(bytes, veil && veil + airAt, glow && glow + airAt, airStride)) continue
      for (let column = group; column < group + 8; column += 2) {
        const chroma = (row >> 1) * chromaStride + (column >> 1)
        const cb = bytes[u + chroma]! - 128
        const cr = bytes[v + chroma]! - 128
        const offsets = [
          f(cr * f(1.539649)),
          f(f(cb * f(-0.1831193)) + f(cr * f(-0.4576513))),
          f(cb * f(1.81418)),
        ] as const
        const added = (cover: number, shine: number, colour: 0 | 1 | 2 | 3) => {
          const veiled = f(veils[colour]! * cover)
          return glow === 0 ? veiled : f(veiled + f(glows[colour]! * shine))
        }
        const lights = (own: number, cover: number, shine: number, colour: 0 | 1 | 2 | 3, offset = 0) =>
          lit(f(own + offset), f(gain[colour]! * f(1 - f(cover * level))), added(cover, shine, colour))
        const pixels = [0, 1, 2, 3].map((i) => {
          const [line, step] = [i >> 1, i & 1]
          const at = y + (row + line) * yStride + column + step
          const air = (row + line) * airStride + column + step
          const cover = veil === 0 ? 0 : bytes[veil + air]!
          const shine = glow === 0 ? 0 : bytes[glow + air]! ** 2
          return { at, own: bytes[at]! - 16, cover, shine }
        })
        const meanOf = (part: 'own' | 'cover' | 'shine') => pixels.reduce((sum, pixel) => sum + pixel[part], 0) * 0.25
        const [mean, cover, shine] = [meanOf('own'), meanOf('cover'), meanOf('shine')]
        const r = lights(mean, cover, shine, 0, offsets[0])
        const g = lights(mean, cover, shine, 1, offsets[1])
        const b = lights(mean, cover, shine, 2, offsets[2])
        const luma = lumaOf(r, g, b)
        bytes[u + chroma] = levels(f(b - luma), 0.5512132, 128.5)
        bytes[v + chroma] = levels(f(r - luma), 0.6494991, 128.5)
        const differs = f(f(luma - lights(mean, cover, shine, 3)) + 16.5)
        for (const pixel of pixels) {
          const share = f(gain[3]! - f(pixel.cover * fade))
          bytes[pixel.at] = levels(lit(pixel.own, share, added(pixel.cover, pixel.shine, 3)), 1, differs)
        }
      }
    }
  }
}

function isClear(bytes: Uint8Array, veil: number, glow: number, stride: number): boolean {
  for (let i = 0; i < 8; i++) {
    if (veil !== 0 && (bytes[veil + i] || bytes[veil + stride + i])) return false
    if (glow !== 0 && (bytes[glow + i] || bytes[glow + stride + i])) return false
  }
  return true
}
