// The kernel's light in plain JavaScript, for machines whose WebAssembly has no SIMD: the same sums in single precision, in
// the same order, so that both give the same bytes.

const f = Math.fround
const level = f(1 / 255)
const lumaLevel = f(1 / 219)
const chromaLevel = f(1 / 224)

function lit(gamma: number, clear: number, gain: number, veil: number, cover: number, glow: number, shine: number) {
  const g = Math.max(gamma, 0)
  const linear = f(f(f(g * g) * gain) * clear)
  const sum = f(f(linear + f(veil * cover)) + f(glow * shine))
  return f(Math.sqrt(Math.min(sum, 1)))
}

function lumaOf(r: number, g: number, b: number): number {
  return f(f(f(r * f(0.2126)) + f(g * f(0.7152))) + f(b * f(0.0722)))
}

function levels(value: number, scale: number, offset: number): number {
  return Math.min(255, Math.max(0, Math.trunc(f(f(value * f(scale)) + offset))))
}

export type LightCall = [
  y: number,
  yStride: number,
  u: number,
  v: number,
  chromaStride: number,
  width: number,
  height: number,
  veil: number,
  glow: number,
  airStride: number,
  colours: number,
  even: number,
]

export function lightFallback(memory: WebAssembly.Memory, ...call: LightCall): void {
  const [y, yStride, u, v, chromaStride, width, height, veil, glow, airStride, colours, even] = call
  const bytes = new Uint8Array(memory.buffer)
  const [gainR, gainG, gainB, veilR, veilG, veilB, glowR, glowG, glowB] = new Float32Array(memory.buffer, colours, 9)
  for (let row = 0; row < height; row += 2) {
    for (let group = 0; group < width; group += 8) {
      const airAt = row * airStride + group
      if (even !== 0 && isClear(bytes, veil + airAt, glow + airAt, airStride)) continue
      for (let column = group; column < group + 8; column += 2) {
        const chroma = (row >> 1) * chromaStride + (column >> 1)
        const cb = f(f(bytes[u + chroma]! - 128) * chromaLevel)
        const cr = f(f(bytes[v + chroma]! - 128) * chromaLevel)
        const red = f(cr * f(1.5748))
        const green = f(f(cb * f(-0.1873)) + f(cr * f(-0.4681)))
        const blue = f(cb * f(1.8556))
        const shade = (gamma: number, cover: number, shine: number) => {
          const clear = f(1 - cover)
          return [
            lit(f(gamma + red), clear, gainR!, veilR!, cover, glowR!, shine),
            lit(f(gamma + green), clear, gainG!, veilG!, cover, glowG!, shine),
            lit(f(gamma + blue), clear, gainB!, veilB!, cover, glowB!, shine),
          ] as const
        }
        let [sumY, sumCover, sumShine] = [0, 0, 0]
        for (let line = 0; line < 2; line++) {
          const pair = [0, 1].map((step) => {
            const at = y + (row + line) * yStride + column + step
            const air = (row + line) * airStride + column + step
            const gamma = f(f(bytes[at]! - 16) * lumaLevel)
            const cover = f(bytes[veil + air]! * level)
            const root = f(bytes[glow + air]! * level)
            const shine = f(root * root)
            bytes[at] = levels(lumaOf(...shade(gamma, cover, shine)), 219, 16.5)
            return { gamma, cover, shine }
          })
          sumY = f(sumY + f(pair[0]!.gamma + pair[1]!.gamma))
          sumCover = f(sumCover + f(pair[0]!.cover + pair[1]!.cover))
          sumShine = f(sumShine + f(pair[0]!.shine + pair[1]!.shine))
        }
        const [r, g, b] = shade(f(sumY * 0.25), f(sumCover * 0.25), f(sumShine * 0.25))
        const luma = lumaOf(r, g, b)
        bytes[u + chroma] = levels(f(b - luma), 120.7157, 128.5)
        bytes[v + chroma] = levels(f(r - luma), 142.2403, 128.5)
      }
    }
  }
}

function isClear(bytes: Uint8Array, veil: number, glow: number, stride: number): boolean {
  for (let i = 0; i < 8; i++) {
    if (bytes[veil + i] || bytes[veil + stride + i] || bytes[glow + i] || bytes[glow + stride + i]) return false
  }
  return true
}
