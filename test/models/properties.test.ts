// What holds for every request: nothing from outside throws, what keeps to the rules is accepted, and an accepted
// order can be priced, stored and played.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseCreateTask, videoModels } from '../../src/models/catalogue.ts'
import { parseExtend } from '../../src/models/extend-request.ts'
import { featureNames, featuresOf } from '../../src/models/features.ts'
import type { VideoRequest } from '../../src/models/model.ts'
import { defaultPrices, priceOf } from '../../src/models/prices.ts'
import { lengthOfShots, tooShort } from '../../src/models/shots.ts'
import { problemsText, problemText } from '../../src/schema/problem.ts'
import { characterCount } from '../../src/schema/validation.ts'
import { catalogue, omni, turbo } from './requests.ts'

const text = (max: number) =>
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .filter((value) => value.trim() !== '' && !value.includes('\0') && characterCount(value) <= max)
const url = fc.webUrl({ withQueryParameters: true, withFragments: true }).filter((value) => value.length <= 2048)
/** A field that may be missing, null, or (for texts) empty. */
const maybe = <T>(value: fc.Arbitrary<T>, ...empty: unknown[]) =>
  fc.oneof(
    { weight: 3, arbitrary: value as fc.Arbitrary<unknown> },
    fc.constantFrom<unknown>(undefined, null, ...empty),
  )
const spelled = (values: number[]) =>
  fc.constantFrom(...values.flatMap((value) => [value, `${value}`, value.toFixed(2)]))

const turboInput = fc.record({
  prompt: text(2500),
  image_url: url,
  tail_image_url: maybe(url, ''),
  duration: maybe(spelled([5, 10])),
  negative_prompt: maybe(text(500), ''),
  seed: maybe(fc.integer({ min: 0, max: 2 ** 32 - 1 })),
  cfg_scale: maybe(spelled([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])),
})

const shot = fc.record({ prompt: text(512), duration: fc.double({ min: 1, max: 15, noNaN: true }) })
const element = fc
  .record({
    name: fc.oneof(fc.constantFrom('dog', 'cat', '__proto__'), text(256)),
    description: text(3072),
    element_input_urls: fc.array(url, { minLength: 2, maxLength: 4 }),
    element_input_audio_urls: maybe(fc.array(url, { maxLength: 3 })),
    start_time: maybe(fc.integer({ min: 0, max: 100_000 })),
    windowMs: fc.option(fc.integer({ min: 3000, max: 8000 })),
  })
  .map(({ windowMs, ...fields }) =>
    windowMs === null
      ? fields
      : { ...fields, end_time: ((fields.start_time as number | null | undefined) ?? 0) + windowMs },
  )
const shotFields = fc.oneof(
  fc.record({
    customize_multi_shots: fc.constant(true),
    prefer_multi_shots: maybe(fc.constant(false)),
    multi_prompt: fc.array(shot, { minLength: 1, maxLength: 6 }),
    aspect_ratio: maybe(fc.constantFrom('16:9', '9:16', '1:1', 'auto')),
  }),
  fc.record({
    customize_multi_shots: maybe(fc.constant(false)),
    prefer_multi_shots: maybe(fc.boolean()),
    multi_prompt: maybe(fc.array(shot, { maxLength: 6 })),
    aspect_ratio: maybe(fc.constant('auto')),
  }),
)
const omniInput = fc
  .record({
    spelling: fc.constantFrom(['image_url'], ['image_urls'], ['image_url', 'image_urls']),
    urls: fc.array(url, { minLength: 1, maxLength: 2 }),
    shots: shotFields,
    rest: fc.record({
      prompt: text(3072),
      duration: maybe(spelled([3, 4, 5, 9, 14, 15])),
      resolution: maybe(fc.constantFrom('720p', '1080p', '4k')),
      elements: maybe(fc.array(element, { maxLength: 3 })),
      audio: maybe(fc.boolean()),
    }),
  })
  .map(({ spelling, urls, shots, rest }) => ({
    ...rest,
    ...shots,
    ...Object.fromEntries(spelling.map((name) => [name, urls])),
  }))
  .filter(keepsShots)

/** Shots that are used may not be shrunk below a second. */
function keepsShots(input: Record<string, unknown>): boolean {
  const shots = (input.multi_prompt ?? []) as { duration: number }[]
  if (input.customize_multi_shots !== true || shots.length === 0) return true
  const seconds = input.duration === undefined || input.duration === null ? null : Number(input.duration)
  return tooShort(shots, seconds ?? lengthOfShots(shots, { min: 3, max: 15 })) === null
}

const validBody = fc.oneof(
  fc.record({ model: fc.constant(turbo), input: turboInput, callBackUrl: maybe(url, '') }),
  fc.record({ model: fc.constant(omni), input: omniInput, callBackUrl: maybe(url, '') }),
) as fc.Arbitrary<{ model: string; input: Record<string, unknown>; callBackUrl: unknown }>

test('input that keeps to the rules is accepted and becomes a sound request', () => {
  fc.assert(
    fc.property(validBody, (body) => {
      const result = parseCreateTask(catalogue, JSON.parse(JSON.stringify(body)))
      assert.ok(result.ok, result.ok ? '' : problemsText(result.problems))
      const { model, request, ignoredFields } = result.value
      assert.equal(model.id, body.model)
      assert.deepEqual(ignoredFields, [])
      checkRequest(request, model.id)
      assert.equal(request.prompt, body.input.prompt)
    }),
    { numRuns: 400 },
  )
})

function checkRequest(request: VideoRequest, modelId: string): void {
  assert.deepEqual(JSON.parse(JSON.stringify(request)), request)
  assert.ok(request.seconds >= 3 && request.seconds <= 15)
  const price = priceOf(request, catalogue.get(modelId)!, defaultPrices(videoModels))
  assert.ok(Number.isSafeInteger(price) && price > 0)
  for (const feature of featuresOf(request, modelId)) assert.ok(featureNames(catalogue.ids()).includes(feature))
  if (request.shots.length > 0) {
    const sum = request.shots.reduce((total, each) => total + each.seconds, 0)
    assert.ok(Math.abs(sum - request.seconds) < 1e-6)
    for (const each of request.shots) assert.ok(each.seconds > 0)
  }
  assert.equal(new Set(request.elements.map((each) => each.name)).size, request.elements.length)
}

const anything = fc.jsonValue({ maxDepth: 4 })
const strange = fc.oneof(
  anything,
  fc.constantFrom<unknown>(
    '',
    ' ',
    '5',
    '5.5',
    '1e1',
    5,
    Number.POSITIVE_INFINITY,
    -1,
    true,
    null,
    [],
    [[]],
    {},
    '\0',
    'http://',
    [null],
  ),
)

/** A good request with some of its fields, at any depth, replaced, removed or added. */
const brokenBody = fc
  .tuple(validBody, fc.array(fc.tuple(fc.nat(), fc.nat(), strange, fc.boolean()), { minLength: 1, maxLength: 4 }))
  .map(([body, changes]) => {
    const copy = JSON.parse(JSON.stringify(body))
    for (const [pickNode, pickKey, value, remove] of changes) {
      const nodes = objectsIn(copy)
      const node = nodes[pickNode % nodes.length]!
      const keys = [...Object.keys(node), 'added']
      const key = keys[pickKey % keys.length]!
      if (remove && !Array.isArray(node)) delete node[key]
      else node[key === 'added' && Array.isArray(node) ? node.length : key] = structuredClone(value)
    }
    return copy
  })

// biome-ignore lint/suspicious/noExplicitAny: any JSON
function objectsIn(value: any): any[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}

function checkAnswer(result: ReturnType<typeof parseCreateTask> | ReturnType<typeof parseExtend>): void {
  if (result.ok) {
    assert.ok(result.value.ignoredFields.length <= 100)
    return
  }
  assert.ok(result.problems.length > 0)
  const paths = result.problems.map(({ field }) => field)
  assert.equal(new Set(paths).size, paths.length, 'one problem for each field')
  for (const problem of result.problems.map(problemText)) {
    assert.match(problem, /^(body|model|input|callBackUrl|taskId|prompt|duration)[\w.[\]]*: [a-z]/)
    assert.ok(problem.length < 300 && !problem.includes('undefined') && !problem.includes('nvalid input'), problem)
  }
}

test('no JSON makes it throw, and every refusal names fields', () => {
  fc.assert(
    fc.property(anything, (body) => {
      checkAnswer(parseCreateTask(catalogue, body))
      checkAnswer(parseExtend(body))
      for (const model of catalogue.ids()) checkAnswer(parseCreateTask(catalogue, { model, input: body }))
    }),
    { numRuns: 500 },
  )
})

test('a good request with broken parts is either still good or refused with a clear message', () => {
  fc.assert(
    fc.property(brokenBody, (body) => {
      const result = parseCreateTask(catalogue, body)
      checkAnswer(result)
      if (result.ok) checkRequest(result.value.request, result.value.model.id)
    }),
    { numRuns: 1000 },
  )
})
