// Source pictures for tests, made from numbers: textured scenes of which any view can be drawn exactly.

import sharp from 'sharp'
import { seededRandom } from '../../../../src/video/random.ts'

/** A view of an endless textured plane: where its middle looks, and how large things are. */
export interface View {
  x?: number
  y?: number
  zoom?: number
}

/** A smooth, busy texture: waves in many directions with wavelengths of 9 to 90 px at 640 px width. */
function texture(seed: number): (x: number, y: number) => number {
  const random = seededRandom(seed)
  const waves = Array.from({ length: 40 }, () => {
    const length = 9 * 10 ** random()
    const angle = random() * 2 * Math.PI
    const k = (2 * Math.PI) / length
    return { kx: k * Math.cos(angle), ky: k * Math.sin(angle), phase: random() * 7, strength: length ** 0.35 }
  })
  const total = Math.sqrt(waves.reduce((sum, wave) => sum + wave.strength ** 2, 0) / 2)
  return (x, y) => {
    let sum = 0
    for (const { kx, ky, phase, strength } of waves) sum += strength * Math.sin(kx * x + ky * y + phase)
    return sum / total
  }
}

/** Packed RGB of the texture, tinted so that chroma carries a signal too. */
export function drawTexture(width: number, height: number, seed: number, view: View = {}): Uint8Array {
  const light = texture(seed)
  const tint = texture(seed + 1000)
  const { x = 0, y = 0, zoom = 1 } = view
  const unit = 640 / width / zoom
  const rgb = new Uint8Array(width * height * 3)
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at += 3) {
      const px = (column + 0.5 - width / 2) * unit + x
      const py = (row + 0.5 - height / 2) * unit + y
      const value = 128 + 38 * light(px, py)
      const colour = 18 * tint(px * 0.4, py * 0.4)
      rgb[at] = Math.min(255, Math.max(0, value + colour))
      rgb[at + 1] = Math.min(255, Math.max(0, value))
      rgb[at + 2] = Math.min(255, Math.max(0, value - colour))
    }
  }
  return rgb
}

export async function pngOf(rgb: Uint8Array, width: number, height: number): Promise<Buffer> {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/** A picture of one colour. */
export async function plain(colour: string, width = 320, height = 240): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer()
}
