// The passes of effects, beside the same sums in plain JavaScript: the kernel's single precision may round a level aside.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kernel, type Plane, readPlane } from '../../src/video/kernel/kernel.ts'
import { loadKernel } from '../../src/video/kernel/load-kernel.ts'
import { seededRandom } from '../../src/video/random.ts'
import * as plain from './oracle/plain-passes.ts'

const size = { width: 70, height: 44 }
const random = seededRandom(5)
const levels = Uint8Array.from({ length: size.width * size.height }, () => Math.floor(random() * 256))
const shares = Float32Array.from({ length: 256 }, (_, i) => 1 - i / 300)

function planeOf(kernel: Kernel, pixels: Uint8Array): Plane {
  const plane = kernel.plane(size.width, size.height, 0)
  const bytes = kernel.bytes(plane.at, plane.stride * size.height)
  for (let row = 0; row < size.height; row++) {
    bytes.set(pixels.subarray(row * size.width, (row + 1) * size.width), row * plane.stride)
  }
  return plane
}

function floatsOf(kernel: Kernel, values: ArrayLike<number>): number {
  const at = kernel.allocate(4 * values.length)
  kernel.floats(at, values.length).set(values)
  return at
}

const targetOf = ({ at, stride, width, height }: Plane) => [at, stride, width, height] as const

function assertAlike(drawn: Uint8Array, meant: ArrayLike<number>, tolerance = 1) {
  let changed = 0
  for (let i = 0; i < drawn.length; i++) {
    if (Math.abs(drawn[i]! - meant[i]!) > tolerance) assert.fail(`pixel ${i}: ${drawn[i]} instead of ${meant[i]}`)
    if (drawn[i]! > 0) changed++
  }
  assert.ok(changed > 50, `${changed} pixels drawn`)
}

const sprites = {
  discs: { list: [20.3, 15.6, 9, 200, 0.2, 60, 40, 14, 120, 0], level: plain.disc },
  halos: { list: [30.5, 20, 18, 230, 66, 3, 12, 90], level: plain.halo },
  streaks: { list: [12, 5, 4, 30, 2.4, 180, 30, 20, 30, 3.5, 2, 220, 50, 40, -6, -28, 3, 150], level: plain.streak },
  lensDiscs: { list: [33, 20, 12, 140, 1.5, 60, 40, 9, 200, 1.5], level: plain.lensDisc },
} as const

for (const shape of Object.keys(sprites) as (keyof typeof sprites)[]) {
  test(`${shape} are drawn as they should be`, async () => {
    const kernel = await loadKernel()
    const plane = planeOf(kernel, new Uint8Array(levels.length))
    const { list, level } = sprites[shape]
    const each = list.length / plain.floatsOf[shape]
    kernel[shape](...targetOf(plane), floatsOf(kernel, list), each)
    assertAlike(readPlane(kernel, plane), plain.summed(size, list, plain.floatsOf[shape], level), each + 0.01)
  })
}

test('people hide what is behind them', async () => {
  const kernel = await loadKernel()
  const [plane, map] = [planeOf(kernel, levels), planeOf(kernel, levels.toReversed())]
  kernel.hide(...targetOf(plane), map.at, map.stride, floatsOf(kernel, shares))
  const at = (i: number) => (Math.floor(i / size.width) >> 1) * size.width + ((i % size.width) >> 1)
  assertAlike(
    readPlane(kernel, plane),
    levels.map((level, i) => level * shares[levels.at(-1 - at(i))!]!),
  )
})

test('banks drift over a map, and light falls off around a place', async () => {
  const kernel = await loadKernel()
  const [plane, map] = [planeOf(kernel, levels), planeOf(kernel, levels)]
  const table = floatsOf(kernel, shares)
  const noise = Float32Array.from(
    { length: 256 * 256 },
    (_, i) => 0.5 + 0.5 * Math.sin((i % 256) / 9) * Math.cos((i >> 8) / 7),
  )
  const rows = Float32Array.from({ length: size.height }, (_, row) => 200 - row)
  const layers = [3.2, 8.5, 0.4, 0.6, 90, 1, 0.8, 0.7, 0.4, 0.4, 0.2]
  const scratch = [
    floatsOf(kernel, rows),
    floatsOf(kernel, noise),
    floatsOf(kernel, layers),
    kernel.allocate(1024),
  ] as const
  kernel.field(...targetOf(plane), map.at, map.stride, table, ...scratch)
  assertAlike(readPlane(kernel, plane), plain.field(size, levels, shares, rows, noise, layers), 2)

  const rings = Float32Array.from({ length: 1024 }, (_, i) => Math.exp(-i / 300))
  const lines = Float32Array.from({ length: 4 * size.height }, (_, i) => [30, ((i >> 2) / 90) ** 2, 0.7, 0.1][i & 3]!)
  const columns = new Float32Array(size.width).fill(0.5)
  const ringed = [map.at, map.stride, table, floatsOf(kernel, rings)] as const
  kernel.shade(...targetOf(plane), 1 / 60, ...ringed, ...ringed, floatsOf(kernel, lines), floatsOf(kernel, columns), 1)
  assertAlike(readPlane(kernel, plane), plain.shade(size, levels, shares, rings, lines, 1 / 60, 0.05), 2)
})

test('a plume covers as its thickness says, by a map', async () => {
  const kernel = await loadKernel()
  const [veil, glow, map] = [planeOf(kernel, levels), planeOf(kernel, levels), planeOf(kernel, levels)]
  const thick = Float32Array.from(levels, (level) => (level < 60 ? 0 : level / 90))
  const drawn = [floatsOf(kernel, thick), size.width, size.height, veil.at, glow.at, veil.stride] as const
  kernel.plume(...drawn, map.at, map.stride, floatsOf(kernel, shares), 1, 0.8, 0.86)
  const meant = levels.map((level, i) => 255 * 0.86 * (1 - Math.exp(-1.5 * thick[i]!)) * shares[level]!)
  assertAlike(readPlane(kernel, veil), meant, 6)
  assert.ok(readPlane(kernel, glow).some((level) => level > 20))
})

test('beams run away from their light and are nothing where nothing shines', async () => {
  const kernel = await loadKernel()
  const bright = planeOf(
    kernel,
    levels.map((_, i) => (i % size.width === 10 && i < 30 * size.width ? 255 : 0)),
  )
  const table = floatsOf(
    kernel,
    Float32Array.from({ length: 256 }, (_, i) => i / 255),
  )
  const angles = floatsOf(kernel, new Float32Array(1024).fill(1))
  const [width, height] = [size.width / 2, size.height / 2]
  const [beams, other] = [kernel.allocate(4 * width * height), kernel.allocate(4 * width * height)]
  const peak = kernel.smear(beams, other, width, height, 0, 8, bright.at, bright.stride, table, angles, 7, 0.0099, 0.99)
  const light = [...kernel.floats(beams, width * height)]
  const at = (x: number, y: number) => light[y * width + x]!
  assert.ok(peak > 0 && Math.max(...light) === Math.fround(peak))
  assert.ok(at(9, 8) > at(20, 8) && at(20, 8) > 0, 'behind what shines')
  assert.ok(at(1, 8) < 0.01 * peak, 'between the light and what shines')
})

test('film maps, fades and moves levels in place', async () => {
  const kernel = await loadKernel()
  const plane = planeOf(kernel, levels)
  const table = kernel.allocate(256)
  kernel.bytes(table, 256).set(Uint8Array.from({ length: 256 }, (_, i) => 255 - i))
  kernel.levels(...targetOf(plane), table)
  assert.deepEqual(
    readPlane(kernel, plane),
    levels.map((level) => 255 - level),
  )
  const map = planeOf(kernel, new Uint8Array(levels.length).fill(128))
  kernel.fade(...targetOf(plane), 16, map.at, map.stride, 1, 256)
  assertAlike(
    readPlane(kernel, plane),
    levels.map((level) => 16 + (255 - level - 16) / 2),
  )
  const line = readPlane(kernel, plane).subarray(0, size.width)
  kernel.slip(plane.at, plane.stride, size.width, 1, 5)
  assert.deepEqual(readPlane(kernel, plane).subarray(0, size.width), plain.slipped(line, 5))
  kernel.slip(plane.at, plane.stride, size.width, 1, -9)
  assert.deepEqual(readPlane(kernel, plane).subarray(0, size.width), plain.slipped(plain.slipped(line, 5), -9))
})
