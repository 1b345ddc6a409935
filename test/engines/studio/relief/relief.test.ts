// Relief never folds: whatever the depth map and the move, the sampling grid keeps its order and its area.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cameraPath } from '../../../../src/engines/studio/camera/path.ts'
import { cameraView } from '../../../../src/engines/studio/camera/view.ts'
import { readMoves } from '../../../../src/engines/studio/prompt/read-prompt.ts'
import { joinDepth } from '../../../../src/engines/studio/relief/depth-map.ts'
import { limitSlope, prepareRelief, reliefWarp } from '../../../../src/engines/studio/relief/relief.ts'
import { findSky } from '../../../../src/engines/studio/relief/sky.ts'
import { homographyWarp, type Warp } from '../../../../src/video/picture/grid.ts'
import { seededRandom } from '../../../../src/video/random.ts'

const prompts = [
  'push in',
  'pull out',
  'pan left',
  'tilt up',
  'orbit right',
  'roll clockwise',
  'handheld',
  'static',
  'a lake',
  'dolly zoom',
  'whip pan right',
  'drone flyover',
  'crane shot',
  'Ken Burns',
  'parallax',
  'first-person walk-through',
  'the camera follows her',
  'zoom in, orbit left and tilt up',
]
const frame = { width: 640, height: 360 }

/** Blocks, spikes and noise: worse than any photograph. */
function roughDepth(seed: number, width: number, height: number) {
  const random = seededRandom(seed)
  const data = new Float32Array(width * height).map(() => (random() < 0.1 ? random() : 0))
  for (let block = 0; block < 6; block++) {
    const [left, top] = [Math.floor(random() * width), Math.floor(random() * height)]
    const [right, bottom] = [left + Math.floor(random() * width), top + Math.floor(random() * height)]
    const near = random()
    for (let y = top; y < Math.min(height, bottom); y++)
      data.fill(near, y * width + left, y * width + Math.min(width, right))
  }
  return { data, width, height }
}

/** The area that a step of one grid cell covers in the source, per output area. */
function areaAt(warp: Warp, x: number, y: number): number {
  const [here, right, below] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)]
  warp(x, y, here)
  warp(x + 16, y, right)
  warp(x, y + 16, below)
  return (right[0]! - here[0]!) * (below[1]! - here[1]!) - (right[1]! - here[1]!) * (below[0]! - here[0]!)
}

test('the sampling grid keeps at least three tenths of its area everywhere, for every move', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.constantFrom(...prompts),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (seed, prompt, guidance, steady) => {
        const path = cameraPath(readMoves(prompt, ''), { guidance, seed, seconds: 10, aspect: 16 / 9 })
        const poses = Array.from({ length: 9 }, (_, i) => path(i / 8))
        const relief = prepareRelief(roughDepth(seed, 160, 90), steady, poses)
        for (const camera of poses) {
          const view = cameraView(camera, frame, frame)
          const flat = homographyWarp(view)
          const warp = reliefWarp(view, camera, relief, frame)
          for (let y = 0; y < frame.height - 16; y += 16) {
            for (let x = 0; x < frame.width - 16; x += 16) {
              const share = areaAt(warp, x, y) / areaAt(flat, x, y)
              assert.ok(share > 0.3, `${prompt}: ${share.toFixed(2)} at ${x},${y}`)
            }
          }
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('a limited slope only brings things nearer, and no faster than allowed', () => {
  const depth = roughDepth(3, 80, 45)
  const limited = limitSlope(depth, 0.02)
  for (let i = 0; i < depth.data.length; i++) {
    assert.ok(limited.data[i]! >= depth.data[i]!)
    if (i % 80 > 0) assert.ok(Math.abs(limited.data[i]! - limited.data[i - 1]!) <= 0.02 + 1e-6)
    if (i >= 80) assert.ok(Math.abs(limited.data[i]! - limited.data[i - 80]!) <= 0.02 + 1e-6)
  }
})

test('depth is joined from the network, the ground, the subject and the sky, and refused where it is a guess', () => {
  const [width, height] = [64, 36]
  const ramp = new Float32Array(width * height).map((_, i) => Math.floor(i / width) / height)
  const map = (data: Float32Array) => ({ data, width, height })
  const luma = new Float32Array(width * height).fill(0.5)
  const subject = new Uint8Array(width * height)
  for (let y = 10; y < 20; y++) subject.fill(255, y * width + 20, y * width + 40)
  const sky = map(new Float32Array(width * height).map((_, i) => (i < 8 * width ? 1 : 0)))
  const joined = joinDepth({ plain: map(ramp), mirrored: map(ramp), size: { width, height }, luma, subject, sky })!
  const at = (x: number, y: number) => joined.data[y * width + x]!
  assert.ok(at(30, 15) > 0.7, 'the subject comes forward')
  assert.ok(at(5, 1) < 0.1, 'the sky is far')
  assert.ok(at(5, 34) > at(5, 20), 'the ground comes nearer downwards')
  const random = seededRandom(9)
  const noise = () => map(new Float32Array(width * height).map(() => random()))
  assert.equal(
    joinDepth({ plain: noise(), mirrored: noise(), size: { width, height }, luma, subject: null, sky: null }),
    null,
  )
})

test('sky is found above the ground, and not on a backdrop, a table or fur', () => {
  const [width, height] = [96, 64]
  const paint = (upper: number[], lower: number[], share = 0.5) => {
    const rgb = new Uint8Array(width * height * 3)
    for (let i = 0; i < width * height; i++) rgb.set(i < share * width * height ? upper : lower, i * 3)
    return findSky(rgb, width, height)
  }
  const ground = [60, 70, 30]
  assert.ok(paint([90, 140, 210], ground), 'blue')
  assert.ok(paint([206, 215, 224], ground), 'overcast')
  assert.ok(paint([241, 212, 167], ground), 'sunset')
  assert.equal(paint([196, 187, 184], ground), null, 'backdrop')
  assert.equal(paint([186, 107, 59], ground), null, 'table')
  assert.equal(paint([157, 159, 153], ground, 0.75), null, 'grey nearly everywhere')
  assert.equal(paint([188, 190, 186], [150, 190, 210]), null, 'a grey wall behind brighter things')
})

test('a sky has little in it that is not sky, and no mirror image', () => {
  const [width, height] = [96, 64]
  const paint = (colour: (x: number, y: number) => number[]) => {
    const rgb = new Uint8Array(width * height * 3)
    for (let i = 0; i < width * height; i++) rgb.set(colour(i % width, Math.floor(i / width)), i * 3)
    return findSky(rgb, width, height)
  }
  const blue = [90, 140, 210]
  const tower = (x: number) => x > 40 && x < 50
  assert.ok(
    paint((x, y) => (y > 40 || tower(x) ? [60, 70, 30] : blue)),
    'a tower',
  )
  // Blue above and below a bright hillside, hanging together at one side only.
  assert.equal(
    paint((x, y) => (y > 50 ? [60, 70, 30] : y > 8 && y < 30 && x > 12 ? [190, 210, 150] : blue)),
    null,
    'a lake below hills',
  )
  assert.equal(
    paint((_, y) => blue.map((level) => level * (1 - (0.8 * y) / height))),
    null,
    'dusk and its mirror image without a horizon',
  )
})

test('a white cloud with hard edges belongs to the sky around it; balloons, masts and towers do not', () => {
  const [width, height] = [192, 120]
  const skyAbove = (ground: number) => {
    const rgb = new Uint8Array(width * height * 3)
    for (let i = 0; i < width * height; i++) {
      const [x, y] = [i % width, Math.floor(i / width)]
      const within = (atX: number, atY: number, radius: number) => Math.hypot(x - atX, (y - atY) * 1.6) < radius
      // Bulges that are lit from above.
      const light = Math.sin(x / 2.5) * Math.cos(y / 2) > 0 ? 250 : 205
      let colour = [90, 140, 210]
      if (within(60, 30, 26)) colour = [light, light, light]
      if (within(140, 30, 12)) colour = [220, 60, 40]
      if (x > 150 && x < 170 && y > 40) colour = [245, 245, 245]
      if (x > 100 && x < 105 && y > 40 && y < 80) colour = [245, 245, 245]
      rgb.set(y > ground ? [60, 70, 30] : colour, i * 3)
    }
    const sky = findSky(rgb, width, height)!
    return (x: number, y: number) => sky.data[y * width + x]!
  }
  for (const ground of [90, height]) {
    const at = skyAbove(ground)
    assert.ok(at(60, 30) > 0.98 && at(38, 30) > 0.98, 'the cloud and its edge')
    assert.ok(at(140, 30) < 0.02, 'not the balloon')
    assert.ok(at(160, 60) < 0.02, 'not the tower')
    assert.ok(at(102, 60) < 0.5, 'not the mast')
  }
})

test('the sky of a dark sunset is found down to the hills, with its dark clouds; warm pictures without one have none', () => {
  const [width, height] = [192, 120]
  const mix = (a: number[], b: number[], share: number) => a.map((level, i) => level + (b[i]! - level) * share)
  const paint = (high: number[]) => {
    const rgb = new Uint8Array(width * height * 3)
    for (let i = 0; i < width * height; i++) {
      const [x, y] = [i % width, Math.floor(i / width)]
      const hills = 60 + 6 * Math.sin(x / 20)
      // A cloud as dark as the hills.
      const cloud = Math.max(0, 1 - ((x - 60) / 50) ** 2 - ((y - 24) / 12) ** 2)
      const sky = mix(mix(high, [250, 170, 80], Math.min(1, y / 58) ** 2), [50, 45, 48], Math.min(1, 2 * cloud))
      rgb.set(y < hills ? sky : [38, 36, 30], i * 3)
    }
    return findSky(rgb, width, height)
  }
  const sky = paint([70, 90, 150])
  const at = (x: number, y: number) => sky!.data[y * width + x]!
  assert.ok(sky, 'found')
  assert.ok(at(60, 24) > 0.98, 'its dark cloud')
  assert.ok(at(100, 70) < 0.02, 'not the hills')
  assert.equal(paint([130, 70, 40]), null, 'warm up to the top')
})
