// Paints the source pictures of the samples: a lake among mountains at a chosen hour. Everything is computed, so the
// pictures belong to the project and can be made again to the pixel.
import sharp from 'sharp'

export interface Scene {
  width: number
  height: number
  /** 0 is noon, 1 is the end of dusk. */
  dusk: number
  /** Moves the viewpoint sideways, as a share of the width. */
  shift: number
  /** Size of the boat; 0 leaves it out. */
  boat: number
}

type Colour = readonly [number, number, number]

const mix = (a: Colour, b: Colour, t: number): Colour => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
]
const clamp = (value: number, low = 0, high = 1) => Math.min(high, Math.max(low, value))
const smooth = (low: number, high: number, value: number) => {
  const t = clamp((value - low) / (high - low))
  return t * t * (3 - 2 * t)
}

/** A repeatable value in 0..1 for a lattice point. */
function lattice(x: number, y: number, seed: number): number {
  let h = (x * 374761393 + y * 668265263 + seed * 2147483647) | 0
  h = Math.imul(h ^ (h >>> 13), 1274126177)
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296
}

function noise(x: number, y: number, seed: number): number {
  const [x0, y0] = [Math.floor(x), Math.floor(y)]
  const [u, v] = [smooth(0, 1, x - x0), smooth(0, 1, y - y0)]
  const top = lattice(x0, y0, seed) * (1 - u) + lattice(x0 + 1, y0, seed) * u
  const bottom = lattice(x0, y0 + 1, seed) * (1 - u) + lattice(x0 + 1, y0 + 1, seed) * u
  return top * (1 - v) + bottom * v
}

function fractal(x: number, y: number, seed: number, octaves: number): number {
  let sum = 0
  let weight = 0.5
  for (let i = 0; i < octaves; i++) {
    sum += weight * noise(x * 2 ** i, y * 2 ** i, seed + i)
    weight /= 2
  }
  return sum
}

const hours = {
  sky: [
    [96, 150, 214],
    [38, 34, 74],
  ],
  horizon: [
    [214, 228, 236],
    [250, 146, 84],
  ],
  sun: [
    [255, 250, 230],
    [255, 206, 130],
  ],
  far: [
    [126, 150, 178],
    [112, 82, 118],
  ],
  near: [
    [50, 82, 66],
    [26, 26, 44],
  ],
  water: [
    [70, 116, 150],
    [62, 46, 82],
  ],
} satisfies Record<string, [Colour, Colour]>

const hour = (name: keyof typeof hours, dusk: number) => mix(hours[name][0] as Colour, hours[name][1] as Colour, dusk)

const waterline = 0.64

/** Colour of the world above the water at x (0..aspect) and y (0 top, 1 bottom). */
function landscape(x: number, y: number, dusk: number, sun: { x: number; y: number }): Colour {
  const height = y / waterline
  let colour = mix(hour('sky', dusk), hour('horizon', dusk), smooth(0.05, 1, height))
  const clouds = smooth(0.46, 0.78, fractal(x * 1.6, y * 5.2, 11, 6)) * smooth(1, 0.25, height)
  colour = mix(colour, mix([255, 255, 255], hour('horizon', dusk), dusk * 0.85), clouds * 0.62)
  const distance = Math.hypot(x - sun.x, y - sun.y)
  colour = mix(colour, hour('sun', dusk), Math.exp(-distance * 5.5) * 0.75)
  colour = mix(colour, hour('sun', dusk), smooth(0.05, 0.045, distance))
  for (let layer = 0; layer < 4; layer++) {
    const depth = layer / 3
    const peaks = 1 - Math.abs(2 * fractal(x * (0.9 + layer * 0.6) + layer * 7.3, layer * 3.1, 31 + layer, 7) - 0.98)
    const ridge = waterline - (0.5 - 0.4 * depth) * (0.05 + 0.95 * peaks ** (3.2 - 1.6 * depth))
    if (y < ridge) continue
    const rock = fractal(x * 9, y * 13, 51 + layer, 5) - 0.5
    const light =
      1 + rock * (0.34 + 0.3 * depth) + (layer === 0 ? smooth(0.05, 0, y - ridge) * 0.5 * (1 - dusk * 0.4) : 0)
    const base = mix(hour('far', dusk), hour('near', dusk), depth ** 0.8)
    const mist = smooth(0.16, 0, waterline - y) * (1 - depth * 0.72) * 0.6
    colour = mix([base[0] * light, base[1] * light, base[2] * light], hour('horizon', dusk), mist)
  }
  return colour
}

function lake(x: number, y: number, dusk: number, sun: { x: number; y: number }): Colour {
  const below = (y - waterline) / (1 - waterline)
  const ripple = (fractal(x * 7, (y - waterline) * 70, 71, 4) - 0.47) * (0.012 + 0.06 * below)
  const mirrored = landscape(x + ripple, waterline - (y - waterline) * 0.86 + ripple * 0.7, dusk, sun)
  const colour = mix(mirrored, hour('water', dusk), 0.24 + 0.42 * below)
  const glitter =
    smooth(0.56, 0.66, fractal(x * 26, (y - waterline) * 210, 91, 3)) * Math.exp(-(((x - sun.x) / 0.13) ** 2))
  return mix(colour, hour('sun', dusk), glitter * 0.85)
}

/** A sailing boat on the water, drawn as an SVG over the painting. */
function boatOn({ width, height, dusk, shift, boat }: Scene): Buffer {
  const size = height * 0.3 * boat
  const x = width * (0.42 - shift)
  const y = height * (waterline + 0.1)
  const hull = dusk > 0.5 ? '#3a1c22' : '#7b3226'
  const sail = dusk > 0.5 ? '#f1b78a' : '#f7f2e6'
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <g transform="translate(${x} ${y}) scale(${size / 100})">
      <ellipse cx="0" cy="17" rx="46" ry="5" fill="#0b1420" opacity=".35"/>
      <path d="M-44 0 Q0 10 44 -2 L32 16 Q0 22 -32 16 Z" fill="${hull}"/>
      <path d="M-44 0 Q0 10 44 -2 L43 2 Q0 13 -42 4 Z" fill="#fff" opacity=".28"/>
      <path d="M-2 -4 V-92" stroke="#2c2018" stroke-width="2.4"/>
      <path d="M1 -90 Q34 -46 38 -10 L1 -8 Z" fill="${sail}"/>
      <path d="M-4 -82 Q-24 -40 -32 -10 L-4 -8 Z" fill="${sail}" opacity=".86"/>
      <path d="M1 -90 Q34 -46 38 -10" fill="none" stroke="#000" stroke-width=".8" opacity=".25"/>
      <path d="M-34 21 Q0 27 34 21 L18 62 Q0 54 -16 60 Z" fill="${sail}" opacity=".16"/>
    </g></svg>`)
}

export async function paintScene(scene: Scene): Promise<Buffer> {
  const { width, height, dusk, shift } = scene
  const pixels = Buffer.alloc(width * height * 3)
  const sun = { x: (width / height) * 0.72, y: waterline * 0.32 }
  for (let row = 0; row < height; row++) {
    const y = row / height
    for (let column = 0; column < width; column++) {
      const x = column / height + (shift * width) / height
      const colour = y < waterline ? landscape(x, y, dusk, sun) : lake(x, y, dusk, sun)
      const grain = (lattice(column, row, 5) - 0.5) * 5
      const at = (row * width + column) * 3
      for (let c = 0; c < 3; c++) pixels[at + c] = clamp(colour[c]! + grain, 0, 255)
    }
  }
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } })
  if (scene.boat > 0) picture.composite([{ input: boatOn(scene) }])
  return picture.jpeg({ quality: 93, chromaSubsampling: '4:4:4' }).toBuffer()
}
