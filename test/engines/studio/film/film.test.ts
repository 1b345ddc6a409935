// Film, tape and lens: each leaves the first frame alone, shows later, and keeps to legal levels.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Named, namesOf } from '../../../../src/engines/studio/effects/all.ts'
import { filmLayer } from '../../../../src/engines/studio/film/film-layer.ts'
import { throughLens } from '../../../../src/engines/studio/film/focus.ts'
import { readPlane } from '../../../../src/video/kernel/kernel.ts'
import { loadKernel } from '../../../../src/video/kernel/load-kernel.ts'
import { allocateGrid, drawPicture, fillGrid, homographyWarp } from '../../../../src/video/picture/grid.ts'
import { allocatePicture } from '../../../../src/video/picture/picture-planes.ts'
import { toPicture } from '../../../../src/video/picture/source-picture.ts'
import { drawTexture } from '../support/pictures.ts'

const size = { width: 160, height: 96 }
const seconds = 4
type FilmEffect = Named<'film'>

async function frames(names: FilmEffect | FilmEffect[], at: number[]) {
  const kernel = await loadKernel()
  const frame = allocatePicture(kernel, size.width, size.height)
  const wishes = [names].flat().map((name) => ({ name, amount: 1 }))
  const layer = filmLayer(kernel, size, wishes, { seed: 5, seconds, guidance: 0.5 })!
  return at.map((second) => {
    for (const [plane, base] of [
      [frame.y, 60],
      [frame.u, 110],
      [frame.v, 150],
    ] as const) {
      const bytes = kernel.bytes(plane.at, plane.stride * plane.height)
      for (let i = 0; i < bytes.length; i++) bytes[i] = base + ((i * 7) % 40)
    }
    const before = [frame.y, frame.u, frame.v].map((plane) => readPlane(kernel, plane))
    layer.draw(second, frame)
    return { before, after: [frame.y, frame.u, frame.v].map((plane) => readPlane(kernel, plane)) }
  })
}

for (const name of namesOf('film')) {
  test(`${name} shows and keeps to legal levels`, async () => {
    // A glitch comes in bursts, and a fade only at one end.
    const later = Array.from({ length: 40 }, (_, i) => 1.4 + i / 16)
    const [first, ...rest] = await frames(name, [0, ...(name === 'fadeIn' ? [0.4] : later)])
    if (name === 'fadeIn') assert.ok(first!.after[0]!.every((level) => level === 16))
    else assert.deepEqual(first!.after, first!.before)
    assert.ok(rest.some(({ before, after }) => !Buffer.from(after[0]!).equals(before[0]!)))
    for (const { after } of rest) assert.ok(after[0]!.every((level) => level >= 16 && level <= 235))
  })
}

test('black and white ends without colour', async () => {
  const [end] = await frames('blackAndWhite', [3])
  for (const chroma of end!.after.slice(1)) assert.ok(chroma.every((level) => level === 128))
})

test('black and white that fades in from black never shows colour', async () => {
  for (const { after } of await frames(['fadeIn', 'blackAndWhite'], [0, 0.1, 0.4])) {
    for (const chroma of after.slice(1)) assert.ok(chroma.every((level) => level === 128))
  }
})

test('a lens blurs what is far, keeps what is near, and racks from one to the other', async () => {
  const kernel = await loadKernel()
  const frame = allocatePicture(kernel, size.width, size.height)
  const rgb = drawTexture(size.width, size.height, 4)
  const picture = await toPicture(kernel, { rgb, ...size }, size)
  const grid = allocateGrid(kernel, size)
  fillGrid(kernel, grid, picture, homographyWarp([2, 0, 0, 0, 2, 0, 0, 0, 1]))
  const sharp = { grid, draw: (_t: number, to: typeof frame) => drawPicture(kernel, grid, picture, to) }
  // The left half is far, the right half near.
  const depth = { data: new Float32Array(160 * 96).map((_, i) => (i % 160 < 80 ? 0.05 : 0.95)), ...size }
  const lens = { depth, grown: depth, from: 0.9, to: 0.1, start: 0, strength: 1.4 }
  const scene = await throughLens(kernel, frame, sharp, { picture, pixels: { rgb, ...size }, span: 1 }, lens)
  const detail = async (t: number) => {
    await scene.draw(t, frame)
    const y = readPlane(kernel, frame.y)
    const sums = [0, 0]
    for (let i = 0; i < y.length - 1; i++) {
      const column = i % size.width
      if (Math.abs(column - 80) < 16 || column === size.width - 1) continue
      sums[column < 80 ? 0 : 1]! += Math.abs(y[i + 1]! - y[i]!)
    }
    return { far: sums[0]!, near: sums[1]! }
  }
  const [start, shallow, end] = [await detail(0), await detail(0.4), await detail(1)]
  assert.ok(shallow.far < 0.8 * start.far, `${shallow.far} of ${start.far}`)
  assert.ok(Math.abs(shallow.near - start.near) < 0.02 * start.near)
  assert.ok(end.near < 0.8 * start.near && Math.abs(end.far - start.far) < 0.02 * start.far)
})
