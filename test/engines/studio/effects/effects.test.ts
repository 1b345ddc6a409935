// Effects: each leaves the first frame alone, shows later, moves from frame to frame, and never flickers without reason.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Named, namesOf } from '../../../../src/engines/studio/effects/all.ts'
import { effectLayer } from '../../../../src/engines/studio/effects/effect-layer.ts'
import { livingRegions } from '../../../../src/engines/studio/effects/living-regions.ts'
import { findFoliage, findWater } from '../../../../src/engines/studio/effects/regions.ts'
import type { PictureAnalysis } from '../../../../src/engines/studio/picture-analysis.ts'
import type { RequestPicture } from '../../../../src/engines/studio/request-picture.ts'
import type { ShotScene } from '../../../../src/engines/studio/scene-builder.ts'
import type { Shot } from '../../../../src/engines/studio/shots/shot-list.ts'
import { readPlane } from '../../../../src/video/kernel/kernel.ts'
import { loadKernel } from '../../../../src/video/kernel/load-kernel.ts'
import { allocateGrid, drawPicture, fillGrid, homographyWarp } from '../../../../src/video/picture/grid.ts'
import { allocatePicture } from '../../../../src/video/picture/picture-planes.ts'
import { toPicture } from '../../../../src/video/picture/source-picture.ts'
import { drawTexture } from '../support/pictures.ts'

const size = { width: 160, height: 96 }
const area = { x: 0, y: 0, ...size }
const rgb = drawTexture(size.width, size.height, 4)
const ramp = new Float32Array(size.width * size.height).map((_, i) => Math.floor(i / size.width) / size.height)
const analysis: PictureAnalysis = {
  ...size,
  rgb,
  subject: null,
  heads: [],
  marks: null,
  depth: { data: ramp, ...size },
  sky: { data: ramp.map((near) => (near < 0.4 ? 1 : 0)), ...size },
}
const still: RequestPicture = { pixels: { rgb, ...size }, area, analysis }

/** The same with a sun in its sky: without one, no lens flares. */
const sunny: RequestPicture = {
  ...still,
  analysis: {
    ...analysis,
    rgb: rgb.map((level, i) => {
      const at = Math.floor(i / 3)
      return Math.hypot((at % size.width) - 120, Math.floor(at / size.width) - 18) < 4 ? 255 : level >> 1
    }),
  },
}

type Effect = Named<'air'>

async function openScene(name: Effect, alone: boolean, seen = name === 'flare' ? sunny : still) {
  const kernel = await loadKernel()
  const frame = allocatePicture(kernel, size.width, size.height)
  const picture = await toPicture(kernel, { rgb, ...size }, size)
  const grid = allocateGrid(kernel, size)
  fillGrid(kernel, grid, picture, homographyWarp([2, 0, 0, 0, 2, 0, 0, 0, 1]))
  const scene: ShotScene = { grid, draw() {}, area, missed: [], source: { picture, part: area, alone } }
  // Stars come out where it is night.
  const effects = (name === 'stars' ? (['dusk', 'stars'] as const) : [name]).map((own) => ({ name: own, amount: 1 }))
  const shot = { cast: [], reading: { phases: [], size: null, close: false, effects } } as unknown as Shot
  const layer = effectLayer(kernel, frame, seen, scene, shot, { seed: 3, seconds: 5, guidance: 0.5 })
  return { kernel, frame, picture, grid, layer }
}

async function play(name: Effect, seconds: number[]) {
  const { kernel, frame, layer } = await openScene(name, true)
  return seconds.map((second) => {
    kernel.bytes(frame.y.at, frame.y.stride * frame.height).fill(110)
    for (const plane of [frame.u, frame.v]) kernel.bytes(plane.at, plane.stride * plane.height).fill(128)
    layer!.draw(second, frame)
    return readPlane(kernel, frame.y)
  })
}

for (const name of namesOf('air')) {
  test(`${name} begins from nothing, shows, and moves`, async () => {
    const [start, middle, next] = await play(name, [0, 2.6, 2.6 + 1 / 24])
    assert.ok(start!.every((level) => level === 110))
    const changed = middle!.reduce((sum, level) => sum + Math.abs(level - 110), 0) / middle!.length
    assert.ok(changed > 0.05, `${changed} levels`)
    // Between two strikes the light rests, and a tint that is there stays.
    if (!['lightning', 'warm', 'cold'].includes(name)) assert.notDeepEqual(middle, next)
  })
}

for (const name of ['rain', 'snow', 'ash', 'warm'] as const) {
  test(`${name} settles in the picture, and frames look as before`, async () => {
    const [settled, laid] = await Promise.all(
      [true, false].map(async (alone) => {
        const { kernel, frame, picture, grid, layer } = await openScene(name, alone)
        const before = readPlane(kernel, picture.y)
        const frames = [1, 2.5, 3].map((second) => {
          drawPicture(kernel, grid, picture, frame)
          layer!.draw(second, frame)
          return [frame.y, frame.u, frame.v].flatMap((plane) => [...readPlane(kernel, plane)])
        })
        return { frames, changed: !Buffer.from(before).equals(readPlane(kernel, picture.y)) }
      }),
    )
    assert.deepEqual([settled!.changed, laid!.changed], [true, false])
    const differences = settled!.frames.map((frame, i) =>
      frame.map((level, at) => Math.abs(level - laid!.frames[i]![at]!)),
    )
    assert.ok(Math.max(...differences[0]!, ...differences[1]!) === 0)
    const mean = differences[2]!.reduce((sum, value) => sum + value, 0) / differences[2]!.length
    assert.ok(mean < 0.5 && Math.max(...differences[2]!) < 12, `${mean}, ${Math.max(...differences[2]!)}`)
  })
}

test('a lens flares where the frame shows the light, and is listed as missed elsewhere', async () => {
  const missed = async (seen: RequestPicture) => (await openScene('flare', true, seen)).layer!.missed
  assert.deepEqual(await missed(sunny), [])
  assert.deepEqual(await missed({ ...still, analysis: { ...analysis, sky: null } }), ['flare'])
})

const living = { seconds: 5, guidance: 0.5, wind: { usual: 0.013, before: 0 } }

test('living regions rest at the start, hold their edges, and say where there is none', () => {
  const wishes = [
    { name: 'clouds' as const, amount: 1 },
    { name: 'foliage' as const, amount: 1 },
  ]
  const grey = { ...analysis, rgb: greyPixels((x, y) => 120 + 8 * Math.sin(x / 3) * Math.sin(y / 4)) }
  const { drift, missed } = livingRegions({ ...still, analysis: grey }, area, wishes, living)
  assert.deepEqual(missed, ['foliage'])
  const by = new Float64Array(2)
  const moved = (second: number, x: number, y: number) => {
    drift!.move(second)(x, y, by)
    return Math.hypot(by[0]!, by[1]!)
  }
  assert.equal(moved(0, 0.5, 0.1), 0)
  assert.ok(moved(1, 0.5, 0.1) > 0.003)
  assert.equal(moved(1, 0.5, 0.6), 0)
})

function greyPixels(level: (x: number, y: number) => number): Uint8Array {
  return Uint8Array.from({ length: rgb.length }, (_, i) => {
    const at = Math.floor(i / 3)
    return level(at % size.width, Math.floor(at / size.width))
  })
}

test('a sky without clouds does not drift, and is listed', () => {
  // Brighter towards the horizon, as a clear sky or a fog is.
  const clear = { ...analysis, rgb: greyPixels((_, y) => 110 + y) }
  const wish = [{ name: 'clouds' as const, amount: 1 }]
  const { drift, missed } = livingRegions({ ...still, analysis: clear }, area, wish, living)
  assert.equal(drift, null)
  assert.deepEqual(missed, ['clouds'])
})

test('foliage is found by its looks', () => {
  const paint = (colour: (x: number, y: number) => number[]) => {
    const pixels = new Uint8Array(size.width * size.height * 3)
    for (let i = 0; i < size.width * size.height; i++) {
      pixels.set(colour(i % size.width, Math.floor(i / size.width)), i * 3)
    }
    return { ...analysis, sky: null, rgb: pixels }
  }
  const leaves = paint((x, y) => [30, 90 + ((x * 7 + y * 13) % 5) * 16, 20])
  const wall = paint(() => [180, 120, 60])
  assert.ok(findFoliage(leaves) && !findFoliage(wall))
})

test('clouds drag no bird along, and take nothing from beyond the edge of the sky', () => {
  const data = ramp.map((near) => (near < 0.6 ? 1 : 0))
  const bird = { x: 80, y: 20 }
  data[bird.y * size.width + bird.x] = 0
  const { drift } = livingRegions(
    { ...still, analysis: { ...analysis, sky: { data, ...size } } },
    area,
    [{ name: 'clouds', amount: 1.6 }],
    { ...living, guidance: 1 },
  )
  const by = new Float64Array(2)
  for (const x of [0.3, 0.42, 0.46, 0.5, 0.54, 0.58, 0.7, 0.98]) {
    drift!.move(15)(x, (bird.y + 0.5) / size.height, by)
    const birdAt = (bird.x + 0.5) / size.width
    const beyond = x < birdAt ? x + by[0]! >= birdAt : x + by[0]! > 1
    assert.ok(!beyond && by[0]! >= 0, `${x} shows what was at ${x + by[0]!}`)
  }
})

test('stars need a dark sky', async () => {
  const kernel = await loadKernel()
  const frame = allocatePicture(kernel, size.width, size.height)
  const bright = { ...analysis, rgb: new Uint8Array(rgb.length).fill(200) }
  const shot = { cast: [], reading: { effects: [{ name: 'stars', amount: 1 }] } } as unknown as Shot
  const scene: ShotScene = { draw() {}, area, missed: [] }
  const options = { seed: 3, seconds: 5, guidance: 0.5 }
  const layer = effectLayer(kernel, frame, { ...still, analysis: bright }, scene, shot, options)
  assert.deepEqual(layer!.missed, ['stars'])
})

test('an effect that the prompt names later begins later', async () => {
  const kernel = await loadKernel()
  const frame = allocatePicture(kernel, size.width, size.height)
  const shot = { cast: [], reading: { effects: [{ name: 'fog', amount: 1, from: 0.5 }] } } as unknown as Shot
  const scene: ShotScene = { draw() {}, area, missed: [] }
  const layer = effectLayer(kernel, frame, still, scene, shot, { seed: 3, seconds: 4, guidance: 0.5 })
  const levels = (second: number) => {
    kernel.bytes(frame.y.at, frame.y.stride * frame.height).fill(60)
    layer!.draw(second, frame)
    return readPlane(kernel, frame.y)
  }
  assert.ok(levels(1.9).every((level) => level === 60))
  assert.ok(levels(3.5).some((level) => level > 70))
})

test('water is found below a sky by its colour, and moves without its edges', () => {
  const pixels = new Uint8Array(size.width * size.height * 3)
  for (let i = 0; i < size.width * size.height; i++) {
    const row = Math.floor(i / size.width)
    pixels.set(row < 40 ? [120, 160, 230] : row < 75 ? [60, 100 + (row % 3) * 4, 150] : [120, 90, 40], i * 3)
  }
  const lake = { ...analysis, rgb: pixels, sky: { data: ramp.map((_, i) => (i < 40 * size.width ? 1 : 0)), ...size } }
  const water = findWater(lake)!
  assert.ok(water.data[55 * size.width + 80]! > 0.9 && water.data[90 * size.width + 80]! < 0.1)
  const wishes = [{ name: 'water' as const, amount: 1 }]
  const { drift } = livingRegions({ ...still, analysis: lake }, area, wishes, living)
  const by = new Float64Array(2)
  drift!.move(1.3)(0.5, 57 / size.height, by)
  assert.ok(Math.hypot(by[0]!, by[1]!) > 1e-4)
  drift!.move(1.3)(0.5, 92 / size.height, by)
  assert.deepEqual([...by], [0, 0])
})

test('named water is found without a sky, and walls, meadows and people are not taken for it', () => {
  const picture = (colour: (x: number, row: number) => number[]) => {
    const rgb = new Uint8Array(size.width * size.height * 3)
    for (let i = 0; i < size.width * size.height; i++) {
      rgb.set(colour(i % size.width, Math.floor(i / size.width)), i * 3)
    }
    return { ...analysis, rgb, sky: null, heads: [] as (typeof analysis)['heads'] }
  }
  const pool = picture((_, row) => (row < 50 ? [150, 140, 120] : [60, 130 + (row % 3) * 4, 170]))
  assert.ok(findWater(pool)!.data[75 * size.width + 80]! > 0.9)
  assert.ok(findWater(pool)!.data[20 * size.width + 80]! < 0.1)
  const bather = { ...pool, heads: [{ x: 0.4, y: 0.4, width: 0.2, height: 0.3 }] }
  assert.ok(findWater(bather)!.data[75 * size.width + 80]! < 0.1)
  const wall = picture((x, row) => (row < 30 ? [90, 90, 90] : x % 16 < 3 ? [60, 70, 90] : [150, 145, 150]))
  assert.equal(findWater(wall), null)
  assert.equal(findWater(picture((x, row) => [70, 120 + ((x * 7 + row * 13) % 23), 40])), null)
})

test('water under a sunset is bright where the sky is, and ground is not', () => {
  const light = (x: number) => Math.exp(-(((x - size.width / 2) / 22) ** 2))
  const evening = (ground: (x: number) => number) => {
    const pixels = new Uint8Array(size.width * size.height * 3)
    for (let i = 0; i < size.width * size.height; i++) {
      const [x, row] = [i % size.width, Math.floor(i / size.width)]
      const sky = 140 + 90 * light(x)
      const [level, gold] = [110 + 90 * ground(x), 0.3 * ground(x)]
      if (row < 40) pixels.set([sky, 0.78 * sky, 0.5 * sky], i * 3)
      else if (row < 44 || row > 75) pixels.set([40, 44, 40], i * 3)
      else pixels.set([level * (1 + gold / 2), level, level * (1 - gold)], i * 3)
    }
    return { ...analysis, rgb: pixels, sky: { data: ramp.map((_, i) => (i < 40 * size.width ? 1 : 0)), ...size } }
  }
  const water = findWater(evening(light))!
  assert.ok(water.data[60 * size.width + 20]! > 0.9 && water.data[85 * size.width + 20]! < 0.1)
  assert.equal(findWater(evening((x) => 0.6 * (1 - light(x)))), null)
})

test('what falls passes behind people, and nothing before a face', async () => {
  // A person in the left half, with a face in its upper part.
  const mask = new Uint8Array(size.width * size.height).map((_, i) => (i % size.width < size.width / 2 ? 255 : 0))
  const head = { x: 0.15, y: 0.1, width: 0.2, height: 0.35 }
  const subject = { mask, ...size } as unknown as PictureAnalysis['subject']
  const person: RequestPicture = { ...still, analysis: { ...analysis, depth: null, sky: null, subject, heads: [head] } }
  const { kernel, frame, layer } = await openScene('ash', false, person)
  const sums = { face: 0, body: 0, beside: 0 }
  for (const second of [2, 2.5, 3, 3.5, 4]) {
    kernel.bytes(frame.y.at, frame.y.stride * frame.height).fill(235)
    for (const plane of [frame.u, frame.v]) kernel.bytes(plane.at, plane.stride * plane.height).fill(128)
    layer!.draw(second, frame)
    const levels = readPlane(kernel, frame.y)
    const usual = levels.toSorted()[Math.floor(levels.length * 0.6)]!
    for (const [i, level] of levels.entries()) {
      const [x, y] = [(i % size.width) / size.width, Math.floor(i / size.width) / size.height]
      const inFace = Math.hypot((x - 0.25) / 0.08, (y - 0.275) / 0.14) < 1
      if (Math.abs(x - 0.5) < 0.05 || (!inFace && y < 0.55 && x < 0.5)) continue
      const part = inFace ? 'face' : x < 0.5 ? 'body' : 'beside'
      if (usual - level > 3) sums[part]++
    }
  }
  assert.equal(sums.face, 0)
  assert.ok(sums.body > 0 && sums.body < 0.4 * sums.beside, JSON.stringify(sums))
})
