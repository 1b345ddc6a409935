// Reading whole bodies: creation and extension, and what the catalogue, prices and features say of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { widestLimits } from '../../src/contract/limits.ts'
import { parseEngineSetup } from '../../src/engines/setup/engine-setup.ts'
import { parseCreateTask, videoModels } from '../../src/models/catalogue.ts'
import { extendBody, extendRequest, parseExtend } from '../../src/models/extend-request.ts'
import { featureNames, featuresOf } from '../../src/models/features.ts'
import { creditUsd, defaultPrices, listProblems, priceOf } from '../../src/models/prices.ts'
import { problemText } from '../../src/schema/problem.ts'
import type { Parsed } from '../../src/schema/validation.ts'
import { catalogue, inputFor, omni, requestFor, turbo } from './requests.ts'

const a = 'https://example.com/a.png'

function problemsOf(body: unknown): string[] {
  const result = parseCreateTask(catalogue, body)
  return result.ok ? [] : result.problems.map(problemText)
}

test('the catalogue knows its models', () => {
  assert.deepEqual(catalogue.ids(), [turbo, omni])
  assert.equal(catalogue.get(turbo)?.id, turbo)
  for (const id of ['', 'x', '__proto__', 'constructor']) assert.equal(catalogue.get(id), undefined)
})

test('a creation is read', () => {
  const input = inputFor(turbo, { foo: 1 })
  const result = parseCreateTask(catalogue, { model: turbo, input, callBackUrl: a, extra: true })
  assert.deepEqual(result, {
    ok: true,
    value: {
      model: catalogue.get(turbo),
      request: requestFor(turbo),
      body: { model: turbo, input: inputFor(turbo), callBackUrl: a },
      callBackUrl: a,
      ignoredFields: ['input.foo', 'extra'],
    },
  })
  for (const callBackUrl of [undefined, null, '']) {
    const read = parseCreateTask(catalogue, { model: turbo, input, callBackUrl })
    assert.ok(read.ok && read.value.callBackUrl === null)
  }
})

test('a field of the other model is ignored, and listed', () => {
  const result = parseCreateTask(catalogue, { model: turbo, input: inputFor(turbo, { image_urls: 5, audio: 'x' }) })
  assert.ok(result.ok)
  assert.deepEqual(result.value.ignoredFields, ['input.image_urls', 'input.audio'])
})

test('everything wrong with a creation is said at once', () => {
  const allowed = `model: must be "${turbo}" or "${omni}"`
  for (const body of [null, undefined, 5, 'x', [], [{}]])
    assert.deepEqual(problemsOf(body), ['body: must be a JSON object'])
  assert.deepEqual(problemsOf({}), ['model: is required', 'input: is required'])
  assert.deepEqual(problemsOf({ model: null, input: null }), ['model: is required', 'input: is required'])
  for (const model of ['x', '', 5, [turbo], `${turbo} `, '__proto__']) {
    assert.deepEqual(problemsOf({ model, input: {} }), [allowed])
  }
  assert.deepEqual(problemsOf({ model: 'x', input: [], callBackUrl: 'nowhere' }), [
    allowed,
    'input: must be a JSON object',
    'callBackUrl: must be an absolute http or https URL',
  ])
  assert.deepEqual(problemsOf({ model: turbo, input: 'x' }), ['input: must be a JSON object'])
  assert.deepEqual(problemsOf({ model: omni, callBackUrl: 5 }), ['input: is required', 'callBackUrl: must be a string'])
  assert.deepEqual(problemsOf({ model: turbo, input: inputFor(turbo, { duration: 7 }), callBackUrl: 'ftp://x/' }), [
    'input.duration: must be "5" or "10"',
    'callBackUrl: must be an absolute http or https URL',
  ])
})

test('each length, size and sound has its price', () => {
  const price = (model: string, changes: Record<string, unknown>) =>
    priceOf(requestFor(model, changes), catalogue.get(model)!, defaultPrices(videoModels))
  assert.equal(price(turbo, {}), 42)
  assert.equal(price(turbo, { duration: '10' }), 84)
  const perSecond = { '720p': [14, 18], '1080p': [18, 23], '4k': [67, 67] }
  for (const [resolution, [silent, sound]] of Object.entries(perSecond)) {
    for (const duration of [3, 5, 15]) {
      assert.equal(price(omni, { resolution, duration }), silent! * duration)
      assert.equal(price(omni, { resolution, duration, audio: true }), sound! * duration)
    }
  }
  const shots = {
    customize_multi_shots: true,
    multi_prompt: [
      { prompt: 'x', duration: 1.1 },
      { prompt: 'y', duration: 2.2 },
    ],
  }
  assert.equal(price(omni, shots), Math.ceil(46.2))
  // 3.5 s × 18 credits is whole: rounding up must not add one for floating-point noise.
  assert.equal(price(omni, { ...shots, resolution: '1080p', multi_prompt: [{ prompt: 'x', duration: 3.5 }] }), 63)
  assert.equal(creditUsd, 0.005)
})

test('an operator’s prices change what they name', () => {
  const { prices } = parseEngineSetup({
    path: 'dailies.config.json',
    content: { models: { [turbo]: { prices: { 5: 40 } }, [omni]: { prices: { '4k+audio': 99 } } } },
  })
  const { defaults } = catalogue.get(omni)!.tariff
  assert.deepEqual(prices, { [turbo]: { 5: 40, 10: 84 }, [omni]: { ...defaults, '4k+audio': 99 } })
  const large = requestFor(omni, { resolution: '4k', audio: true, duration: 3 })
  assert.equal(priceOf(large, catalogue.get(omni)!, prices), 297)
})

test('wrong prices are named, all of them', () => {
  const message = (list: Record<string, unknown>) =>
    listProblems(turbo, list, catalogue.get(turbo)!.tariff.defaults).join('; ')
  const all = message({ 5: 1.5, 7: 1 })
  assert.match(all, /"5" of "videomodel\/v2-5-turbo-image-to-video-pro" must be a whole number of credits/)
  assert.match(all, /"7" of "videomodel\/v2-5-turbo-image-to-video-pro" is not a price \(there are "5", "10"\)/)
  for (const credits of [0, -1, '42', null, 1e9]) assert.match(message({ 5: credits }), /whole number/)
})

test('a request needs its model and the features that it uses', () => {
  const shots = { customize_multi_shots: true, multi_prompt: [{ prompt: 'x', duration: 5 }] }
  const element = { name: 'x', description: 'y', element_input_urls: [a, a] }
  const cases: [model: string, changes: Record<string, unknown>, features: string[]][] = [
    [turbo, {}, []],
    [turbo, { tail_image_url: a }, ['last_frame']],
    [omni, {}, []],
    [omni, { resolution: '1080p' }, ['1080p']],
    [omni, { resolution: '4k', audio: true }, ['4k', 'audio']],
    [omni, shots, ['multi_shots']],
    [omni, { prefer_multi_shots: true }, ['multi_shots']],
    [omni, { elements: [element], image_url: [a, a] }, ['elements', 'last_frame']],
  ]
  for (const [model, changes, features] of cases) {
    const found = featuresOf(requestFor(model, changes), model)
    assert.deepEqual(found, [model, ...features])
    for (const feature of found) assert.ok(featureNames(catalogue.ids()).includes(feature))
  }
  for (const name of ['extend', 'uploads', 'inference']) assert.ok(featureNames(catalogue.ids()).includes(name))
})

test('an extension is read', () => {
  assert.deepEqual(parseExtend({ taskId: 't', prompt: 'and then', duration: '5', callBackUrl: a, foo: 1 }), {
    ok: true,
    value: {
      taskId: 't',
      prompt: 'and then',
      duration: '5',
      body: { taskId: 't', prompt: 'and then', duration: '5', callBackUrl: a },
      callBackUrl: a,
      ignoredFields: ['foo'],
    },
  })
  const bare = parseExtend({ taskId: 't', prompt: 'p', duration: null, callBackUrl: '' })
  assert.ok(bare.ok)
  const { body: _, ...read } = bare.value
  assert.deepEqual(read, { taskId: 't', prompt: 'p', duration: null, callBackUrl: null, ignoredFields: [] })
  const textsOf = (parsed: Parsed<unknown>) => (parsed.ok ? [] : parsed.problems.map(problemText))
  assert.deepEqual(textsOf(parseExtend({ duration: '5s', callBackUrl: 'x' })), [
    'taskId: is required',
    'prompt: is required',
    'duration: must be a whole number of seconds from 3 to 15',
    'callBackUrl: must be an absolute http or https URL',
  ])
  assert.deepEqual(textsOf(parseExtend(null)), ['body: must be a JSON object'])
})

test('requests that do not name a model accept whatever one of them accepts', () => {
  const { promptCharacters, negativePromptCharacters, secondsMin, secondsMax } = widestLimits
  for (const id of catalogue.ids()) {
    const {
      prompt,
      negative_prompt: negative,
      duration,
    } = catalogue.get(id)!.inputSchema.shape as Record<string, z.ZodType>
    assert.ok(!prompt!.safeParse('a'.repeat(promptCharacters + 1)).success, id)
    assert.ok(!negative?.safeParse('a'.repeat(negativePromptCharacters + 1)).success, id)
    assert.ok(!duration!.safeParse(secondsMin - 1).success && !duration!.safeParse(secondsMax + 1).success, id)
  }
})

test('an extension plays on by the rules of its model', () => {
  const model = catalogue.get(omni)!
  const parent = requestFor(omni, {
    image_url: [a, a],
    resolution: '1080p',
    audio: true,
    customize_multi_shots: true,
    multi_prompt: [{ prompt: 'x', duration: 9 }],
    elements: [{ name: 'x', description: 'y', element_input_urls: [a, a] }],
  })
  const result = extendRequest(
    model,
    parent,
    { prompt: 'and then', duration: '7' },
    { url: 'https://example.com/last.png' },
  )
  assert.deepEqual(result, {
    ok: true,
    value: {
      ...parent,
      prompt: 'and then',
      seconds: 7,
      firstFrame: { url: 'https://example.com/last.png', bytesMax: 50 * 2 ** 20, ratio: null },
      lastFrame: null,
      shots: [],
      planShots: false,
    },
  })
  const short = extendRequest(model, parent, { prompt: 'p', duration: null }, { url: a })
  assert.ok(short.ok && short.value.seconds === 5)
  const wrong = extendRequest(
    catalogue.get(turbo)!,
    requestFor(turbo),
    { prompt: 'a'.repeat(2501), duration: 7 },
    { url: a },
  )
  assert.deepEqual(wrong, {
    ok: false,
    problems: [
      { field: 'prompt', message: 'must be at most 2500 characters (it has 2501)' },
      { field: 'duration', message: 'must be "5" or "10"' },
    ],
  })
})

test('each wire schema becomes JSON Schema with descriptions, limits and defaults', () => {
  for (const id of catalogue.ids()) {
    const model = catalogue.get(id)!
    for (const io of ['input', 'output'] as const) {
      const { properties } = z.toJSONSchema(model.inputSchema, { io }) as {
        properties: Record<string, { description?: string }>
      }
      assert.deepEqual(Object.keys(properties), Object.keys(model.inputSchema.shape))
      for (const [name, field] of Object.entries(properties)) assert.ok(field.description, `${id} ${name}`)
    }
    assert.deepEqual(model.parse(model.example).ok, true)
    // The example shows no field that would be ignored.
    const read = parseCreateTask(catalogue, { model: id, input: model.example })
    assert.ok(read.ok && read.value.ignoredFields.length === 0)
  }
  const text = JSON.stringify(z.toJSONSchema(catalogue.createTaskSchema, { io: 'input' }))
  for (const part of [
    '"maxLength":2500',
    '"maxLength":3072',
    '"maxLength":512',
    '"maxItems":6',
    '"maxItems":3',
    '"minItems":2',
    '"maxItems":4',
    '"enum":["5","10",5,10]',
    '"enum":["720p","1080p","4k"]',
    '"default":"720p"',
    '"multipleOf":0.1',
    '"examples":[{"model":"videomodel/v2-5-turbo-image-to-video-pro"',
  ]) {
    assert.ok(text.includes(part), `${part} in ${text}`)
  }
  const extension = z.toJSONSchema(extendBody, { io: 'input' })
  assert.deepEqual(extension.required, ['taskId', 'prompt'])
})
