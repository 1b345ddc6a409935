// Which part of a picture a shot shows because of the heads in it, and how near a push-in may come to them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cameraPath, sourcePoint } from '../../../src/engines/studio/camera/path.ts'
import { aimAt, firstArea, focusAt, focusOf, shotArea } from '../../../src/engines/studio/framing.ts'
import type { PictureAnalysis } from '../../../src/engines/studio/picture-analysis.ts'
import { readMoves } from '../../../src/engines/studio/prompt/read-prompt.ts'
import type { Area } from '../../../src/video/picture/output-size.ts'

const picture = { width: 1600, height: 1000 }
const tall = { width: 720, height: 1280 }
const anywhere = { x: 0.5, y: 0.5 }

const seen = (...heads: Area[]): PictureAnalysis => ({
  width: 160,
  height: 100,
  rgb: new Uint8Array(160 * 100 * 3),
  subject: null,
  heads,
  depth: null,
  sky: null,
  marks: null,
})

const middleOf = ({ x, width }: Area) => x + width / 2

test('a head that is wider than the frame is cropped around its middle, not at its left edge', () => {
  const head = { x: 0.1, y: 0, width: 0.6, height: 1 }
  const area = firstArea(picture, tall, seen(head), anywhere)
  assert.ok(Math.abs(middleOf(area) - middleOf(head) * picture.width) < 2, `${middleOf(area)}`)
})

test('a frame that has room for a whole person shows the feet too, not only room above the head', () => {
  const photo = { width: 548, height: 342 }
  const head = { x: 0.39, y: 0.22, width: 0.1, height: 0.19 }
  const bounds = { x: 0.12, y: 0.18, width: 0.71, height: 0.8 }
  const analysis = (body: Area): PictureAnalysis => ({
    ...seen(head),
    subject: { bounds: body } as PictureAnalysis['subject'],
  })
  const area = firstArea(photo, { width: 1280, height: 720 }, analysis(bounds), anywhere)
  assert.ok(area.y <= bounds.y * photo.height, 'the head is whole')
  assert.ok(area.y + area.height > 0.98 * photo.height - 1, `it ends at ${area.y + area.height}`)
  // Of a body that does not fit, the head decides.
  const large = firstArea(photo, { width: 1280, height: 720 }, analysis({ ...bounds, y: 0, height: 1 }), anywhere)
  assert.equal(large.y, 0)
})

test('of heads that do not fit together, the largest is shown whole', () => {
  const [small, large] = [
    { x: 0.1, y: 0.3, width: 0.15, height: 0.3 },
    { x: 0.7, y: 0.2, width: 0.2, height: 0.4 },
  ]
  const area = firstArea(picture, tall, seen(small, large), anywhere)
  assert.ok(area.x <= large.x * picture.width && area.x + area.width >= (large.x + large.width) * picture.width)
})

test('a push-in comes nearer to a head close to the upper edge, and to one that fills the frame, and keeps faces whole', () => {
  const area = { x: 0, y: 0, ...picture }
  const zoomFor = (head: Area) => {
    const { target, zoomMax, closeZoom } = aimAt(focusOf(seen(head), area, picture), area, picture)
    assert.ok(target.y < 0, 'it aims at the eyes')
    return Math.min(zoomMax, closeZoom)
  }
  // Portraits rarely have much room above the hair.
  assert.ok(zoomFor({ x: 0.3, y: 0.03, width: 0.28, height: 0.36 }) > 1.4)
  assert.ok(zoomFor({ x: 0.1, y: 0, width: 0.7, height: 1 }) >= 1.15)
  // A head in the lower corner cannot come to the middle.
  const corner = focusOf(seen({ x: 0.75, y: 0.6, width: 0.25, height: 0.39 }), area, picture)
  const { zoomMax } = aimAt(corner, area, picture)
  assert.ok(zoomMax < 2.4, `${zoomMax}`)
})

test('a push-in to a place goes to the heads there, else to the place itself', () => {
  const area = { x: 0, y: 0, ...picture }
  const heads = [
    { x: 0.1, y: 0.3, width: 0.15, height: 0.3 },
    { x: 0.7, y: 0.2, width: 0.2, height: 0.4 },
  ]
  const targetOf = (x: -1 | 1 | null, y: -1 | 1 | null, ...shown: Area[]) =>
    aimAt(focusAt({ x, y }, seen(...shown), area, picture), area, picture).target
  assert.ok(Math.abs(targetOf(1, null, ...heads).x - 0.6) < 0.01)
  assert.ok(Math.abs(targetOf(-1, null, ...heads).x + 0.65) < 0.01)
  const corner = targetOf(1, 1, ...heads)
  assert.ok(corner.x > 0.6 && corner.y > 0.6, 'no head is there')
  assert.deepEqual(targetOf(-1, null).y, 0)
})

test('a pan or tilt does not leave a face', () => {
  const area = { x: 0, y: 0, ...picture }
  const low = { x: 0.4, y: 0.55, width: 0.2, height: 0.35 }
  for (const [prompt, head] of [
    ['tilt up', low],
    ['tilt down', { ...low, y: 0.05 }],
    ['pan left', { ...low, x: 0.75 }],
    ['truck right', { ...low, x: 0.02 }],
  ] as const) {
    const options = {
      guidance: 1,
      seed: 1,
      seconds: 5,
      aspect: 1.6,
      ...aimAt(focusOf(seen(head), area, picture), area, picture),
    }
    const camera = cameraPath(readMoves(prompt, ''), { ...options, closeZoom: null })(1)
    const [from, to] = [sourcePoint(camera, -1, -1, 1.6), sourcePoint(camera, 1, 1, 1.6)]
    const lost = (least: number, share: number, length: number) => Math.max(0, (least - (share * 2 - 1)) / (2 * length))
    const shares = [
      lost(from.x, head.x, head.width),
      lost(-to.x, 1 - head.x - head.width, head.width),
      lost(from.y, head.y, head.height),
      lost(-to.y, 1 - head.y - head.height, head.height),
    ]
    assert.ok(Math.max(...shares) < 0.2, `${prompt}: ${shares}`)
    assert.ok(Math.abs(camera.x) + Math.abs(camera.y) > 0.03, `${prompt} still moves`)
  }
})

test('neither a push-in nor a planned shot cuts off what stands against the sky', () => {
  const sky = new Float32Array(160 * 100)
  // Mountains whose peak is a quarter of the height from the top.
  for (let i = 0; i < sky.length; i++) sky[i] = Math.floor(i / 160) < 25 + Math.abs((i % 160) - 80) / 2 ? 1 : 0
  const analysis = { ...seen(), sky: { data: sky, width: 160, height: 100 } }
  const area = { x: 0, y: 0, ...picture }
  const focus = focusOf(analysis, area, picture)
  for (const zoom of [1.25, 1.6]) {
    const { y } = shotArea(area, { x: 0, y: 1, zoom }, { ...focus, point: { x: 0.5, y: 0.7 } }, picture)
    assert.ok(y < 0.27 * picture.height, `a shot at ${zoom} begins at ${y}`)
  }
  const aim = aimAt({ ...focus, point: { x: 0.5, y: 0.8 }, top: 0.1 }, area, picture)
  const camera = cameraPath(readMoves('push in', ''), {
    guidance: 0.5,
    seed: 1,
    seconds: 5,
    aspect: 1.6,
    ...aim,
    closeZoom: null,
  })(1)
  assert.ok(sourcePoint(camera, 0, -1, 1.6).y < 0.1 * 2 - 1 + 0.02)
})
