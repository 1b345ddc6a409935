import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { placeElements } from '../../../../src/engines/studio/elements/element-layout.ts'
import { type Area, overlapArea } from '../../../../src/video/picture/output-size.ts'

const frames = [
  { width: 1280, height: 720 },
  { width: 720, height: 1280 },
  { width: 720, height: 720 },
  { width: 1800, height: 720 },
  { width: 720, height: 1800 },
  { width: 3840, height: 2160 },
]
const anyFrame = fc.oneof(
  fc.constantFrom(...frames),
  fc
    .tuple(fc.integer({ min: 360, max: 2160 }), fc.double({ min: 0.4, max: 2.5, noNaN: true }))
    .map(([short, ratio]) => ({
      width: Math.round(ratio >= 1 ? short * ratio : short),
      height: Math.round(ratio >= 1 ? short : short / ratio),
    })),
)
const anyAspects = fc.array(fc.double({ min: 0.4, max: 2.5, noNaN: true }), { minLength: 1, maxLength: 3 })
const anySubject = fc.option(
  fc
    .tuple(...Array.from({ length: 4 }, () => fc.double({ min: 0, max: 1, noNaN: true })))
    .map(([x, y, w, h]) => [x, y, w, h]),
  { nil: null },
)

function subjectIn(frame: { width: number; height: number }, shares: (number | undefined)[] | null): Area | null {
  if (!shares) return null
  const [x, y, w, h] = shares as [number, number, number, number]
  const rect = { x: Math.floor(x * frame.width * 0.9), y: Math.floor(y * frame.height * 0.9), width: 0, height: 0 }
  rect.width = Math.max(1, Math.floor(w * (frame.width - rect.x)))
  rect.height = Math.max(1, Math.floor(h * (frame.height - rect.y)))
  return rect
}

test('elements stand inside the margins, apart from each other, in their own ratio', () => {
  fc.assert(
    fc.property(anyAspects, anyFrame, anySubject, (aspects, frame, shares) => {
      const places = placeElements(aspects, frame, subjectIn(frame, shares))
      assert.equal(places.length, aspects.length)
      const margin = Math.min(frame.width, frame.height) * 0.05
      for (const [i, place] of places.entries()) {
        for (const value of Object.values(place)) assert.ok(Number.isInteger(value))
        assert.ok(place.x >= margin && place.x + place.width <= frame.width - margin, JSON.stringify(place))
        assert.ok(place.y >= margin && place.y + place.height <= frame.height - margin, JSON.stringify(place))
        // Whole pixels bend a ratio by at most a pixel on either side.
        const ratio = aspects[i]!
        assert.ok(Math.abs(place.width - place.height * ratio) <= 1 + ratio, `${JSON.stringify(place)} for ${ratio}`)
        for (const other of places.slice(i + 1)) assert.equal(overlapArea(place, other), 0)
      }
    }),
    { numRuns: 2000 },
  )
})

test('elements are large enough to be seen', () => {
  for (const frame of frames) {
    for (const aspects of [[1], [0.5], [2.4], [1, 1], [0.5, 2], [1, 1, 1], [0.45, 0.45, 0.45], [2.4, 2.4, 2.4]]) {
      const places = placeElements(aspects, frame, null)
      assert.equal(places.length, aspects.length)
      for (const place of places) {
        const share = (place.width * place.height) / (frame.width * frame.height)
        assert.ok(share > 0.03 && share <= 0.35, `${aspects} in ${frame.width}×${frame.height}: ${share}`)
      }
    }
  }
})

test('the subject of the picture is left free where there is room beside it', () => {
  for (const frame of frames) {
    for (const [x, y] of [
      [0.38, 0.38],
      [0.05, 0.05],
      [0.65, 0.65],
      [0.65, 0.1],
    ] as const) {
      const subject = {
        x: x * frame.width,
        y: y * frame.height,
        width: frame.width * 0.24,
        height: frame.height * 0.24,
      }
      for (const aspects of [[0.6], [1, 1], [1.5, 0.7, 1]]) {
        const places = placeElements(aspects, frame, subject)
        assert.equal(places.length, aspects.length)
        for (const place of places) assert.equal(overlapArea(place, subject), 0)
        assert.ok(places.every((place) => place.width * place.height > 0.008 * frame.width * frame.height))
      }
    }
  }
})

test('a subject that fills the frame does not shrink elements to nothing', () => {
  for (const frame of frames) {
    const places = placeElements([1, 0.7], frame, { x: 0, y: 0, ...frame })
    assert.equal(places.length, 2)
    for (const place of places) {
      assert.ok(place.width * place.height > 0.03 * frame.width * frame.height)
    }
  }
})

test('a lone element without a rival stands in the middle; none gives none', () => {
  const [place] = placeElements([1], { width: 1280, height: 720 }, null)
  assert.ok(Math.abs(place!.x + place!.width / 2 - 640) <= 1)
  assert.deepEqual(placeElements([], { width: 1280, height: 720 }, null), [])
})
