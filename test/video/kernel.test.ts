// The pixel kernel: the committed binary is what its source compiles to, and the fallback gives the same bytes.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { buildKernel } from '../../src/video/kernel/build.ts'
import { fillPlane, fillPlaneFromHalf, type Kernel, type Plane, readPlane } from '../../src/video/kernel/kernel.ts'
import { loadKernel } from '../../src/video/kernel/load-kernel.ts'
import { seededRandom } from '../../src/video/random.ts'
import { plainKernel } from './oracle/plain-kernel.ts'

const source = { width: 301, height: 187 }

function noise(count: number, seed: number): Uint8Array {
  const random = seededRandom(seed)
  return Uint8Array.from({ length: count }, () => Math.floor(random() * 256))
}

function noisePlane(kernel: Kernel, size: { width: number; height: number }, seed: number): Plane {
  const plane = kernel.plane(size.width, size.height, 64)
  fillPlane(kernel, plane, noise(size.width * size.height, seed))
  return plane
}

/** A grid whose nodes wander anywhere within the source and its padding. */
function wildGrid(kernel: Kernel, columns: number, rows: number, seed: number): number {
  const random = seededRandom(seed)
  const grid = kernel.allocate(columns * rows * 8)
  const nodes = kernel.ints(grid, columns * rows * 2)
  for (let i = 0; i < nodes.length; i += 2) {
    nodes[i] = Math.round((random() * (source.width + 60) - 30) * 65_536)
    nodes[i + 1] = Math.round((random() * (source.height + 60) - 30) * 65_536)
  }
  return grid
}

/** A grid as a camera makes it: neighbouring pixels lie in one row of the source, or in two, `step` pixels apart. */
function gentleGrid(kernel: Kernel, columns: number, rows: number, cell: number, step: number, seed: number): number {
  const random = seededRandom(seed)
  const grid = kernel.allocate(columns * rows * 8)
  const nodes = kernel.ints(grid, columns * rows * 2)
  for (let i = 0; i < columns * rows; i++) {
    const [column, row] = [i % columns, Math.floor(i / columns)]
    nodes[i * 2] = Math.round((column * cell * step + random() * 6) * 65_536)
    nodes[i * 2 + 1] = Math.round((row * cell * 1.5 + random() * 3 + column * 0.4 - 4) * 65_536)
  }
  return grid
}

/** A grid that moves and scales without turning, by steps of up to 4½ pixels from left to right. */
function straightGrid(kernel: Kernel, columns: number, rows: number, cell: number, seed: number): number {
  const random = seededRandom(seed)
  let x = -30
  const xs = Array.from({ length: columns }, () => {
    x = Math.min(x + 4.5 * cell * random(), source.width + 30)
    return x * 65_536
  })
  const ys = Array.from({ length: rows }, () => (random() * (source.height + 60) - 30) * 65_536)
  const grid = kernel.allocate(columns * rows * 8)
  const nodes = kernel.ints(grid, columns * rows * 2)
  for (let i = 0; i < columns * rows; i++) {
    nodes[i * 2] = xs[i % columns]!
    nodes[i * 2 + 1] = ys[Math.floor(i / columns)]!
  }
  return grid
}

function drawEverything(kernel: Kernel): Uint8Array[] {
  const from = noisePlane(kernel, source, 1)
  const results: Uint8Array[] = []
  for (const [width, height, cellBits] of [
    [128, 64, 4],
    [118, 70, 4],
    [59, 35, 3],
  ] as const) {
    const columns = Math.ceil(width / (1 << cellBits)) + 1
    const rows = Math.ceil(height / (1 << cellBits)) + 1
    const grid = wildGrid(kernel, columns, rows, width)
    const to = kernel.plane(width, height, 0)
    const alpha = noisePlane(kernel, to, 3)
    kernel.remap(from.at, from.stride, to.at, to.stride, width, height, grid, columns, cellBits)
    results.push(readPlane(kernel, to))
    for (const step of [1.5, 2.4]) {
      const gentle = gentleGrid(kernel, columns, rows, 1 << cellBits, step, width)
      kernel.remap(from.at, from.stride, to.at, to.stride, width, height, gentle, columns, cellBits)
      results.push(readPlane(kernel, to))
    }
    const straight = straightGrid(kernel, columns, rows, 1 << cellBits, width)
    const scratch = kernel.allocate(columns * 16 * 10 + 2 * source.width + 256)
    kernel.stretch(from.at, from.stride, to.at, to.stride, width, height, straight, columns, cellBits, scratch)
    results.push(readPlane(kernel, to))
    kernel.over(to.at, to.stride, from.at, from.stride, alpha.at, alpha.stride, width, height, 21_000)
    results.push(readPlane(kernel, to))
    kernel.mix(to.at, to.at, from.at, 1024, 9_999)
    results.push(readPlane(kernel, to))
    const large = kernel.plane(2 * width, 2 * height, 4)
    fillPlaneFromHalf(kernel, large, noise(width * height, width))
    results.push(readPlane(kernel, { ...large, at: large.at - 4 * large.stride - 4, width: large.width + 8 }))
  }
  return results
}

test('the committed kernel is what its source compiles to', async () => {
  const committed = await readFile(new URL('../../src/video/kernel/remap.wasm', import.meta.url))
  assert.ok(committed.equals(await buildKernel()))
})

test('the kernel draws the bytes that plain JavaScript does', async () => {
  const fast = await loadKernel()
  const plain = await plainKernel()
  assert.deepEqual(drawEverything(fast), drawEverything(plain))
})

test('whole coordinates copy pixels exactly, and fractions interpolate to the nearest level', async () => {
  const kernel = await loadKernel()
  const from = noisePlane(kernel, source, 5)
  const pixels = readPlane(kernel, from)
  const to = kernel.plane(64, 32, 0)
  const grid = kernel.allocate(5 * 3 * 8)
  const scratch = kernel.allocate(4096)
  for (const [x, y] of [
    [17, 9],
    [17.5, 9.25],
    [-3, 100],
  ] as const) {
    const nodes = kernel.ints(grid, 30)
    for (let i = 0; i < 15; i++) {
      nodes[i * 2] = (x + (i % 5) * 16) * 65_536
      nodes[i * 2 + 1] = (y + Math.floor(i / 5) * 16) * 65_536
    }
    kernel.remap(from.at, from.stride, to.at, to.stride, 64, 32, grid, 5, 4)
    const drawn = readPlane(kernel, to)
    kernel.stretch(from.at, from.stride, to.at, to.stride, 64, 32, grid, 5, 4, scratch)
    const stretched = readPlane(kernel, to)
    const at = (column: number, row: number) =>
      pixels[Math.max(0, row) * source.width + Math.min(Math.max(0, column), source.width - 1)]!
    for (let i = 0; i < drawn.length; i++) {
      const sx = x + (i % 64)
      const sy = y + Math.floor(i / 64)
      const [cx, cy] = [Math.floor(sx), Math.floor(sy)]
      const [fx, fy] = [sx - cx, sy - cy]
      const exact =
        (at(cx, cy) * (1 - fx) + at(cx + 1, cy) * fx) * (1 - fy) +
        (at(cx, cy + 1) * (1 - fx) + at(cx + 1, cy + 1) * fx) * fy
      assert.ok(Math.abs(drawn[i]! - exact) <= 0.51, `pixel ${i}: ${drawn[i]} instead of ${exact}`)
      assert.ok(Math.abs(stretched[i]! - exact) <= 0.51, `pixel ${i}: ${stretched[i]} instead of ${exact}`)
    }
  }
})

test('a plane filled from half its size shows the same picture, cubically', async () => {
  const kernel = await loadKernel()
  const half = { width: 53, height: 31 }
  // What cubic weights draw exactly: a parabola, far from the edges.
  const level = (x: number, y: number) => 40 + 2 * x + 0.02 * x * x + 1.5 * y
  const pixels = Uint8Array.from({ length: half.width * half.height }, (_, i) =>
    Math.round(level(i % half.width, Math.floor(i / half.width))),
  )
  const plane = kernel.plane(2 * half.width, 2 * half.height, 0)
  fillPlaneFromHalf(kernel, plane, pixels)
  const drawn = readPlane(kernel, plane)
  for (let y = 4; y < plane.height - 4; y++) {
    for (let x = 4; x < plane.width - 4; x++) {
      const meant = level((x + 0.5) / 2 - 0.5, (y + 0.5) / 2 - 0.5)
      assert.ok(Math.abs(drawn[y * plane.width + x]! - meant) <= 1.6, `${x}, ${y}`)
    }
  }
  const hardEdge = Uint8Array.from(pixels, (_, i) => (i % half.width < 20 ? 0 : 255))
  fillPlaneFromHalf(kernel, plane, hardEdge)
  const [beside, beyond] = [Math.round((255 * (29 - 3)) / 128), Math.round((255 * (111 - 9)) / 128)]
  assert.deepEqual([...readPlane(kernel, plane).subarray(36, 44)], [0, 0, 0, beside, beyond, 255, 255, 255])
})

test('memory given back is used again', async () => {
  const kernel = await loadKernel()
  const mark = kernel.mark()
  const first = kernel.plane(1000, 1000, 8)
  kernel.release(mark)
  assert.equal(kernel.plane(1000, 1000, 8).at, first.at)
})
