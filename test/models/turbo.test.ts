// Every field of the model `videomodel/v2-5-turbo-image-to-video-pro`, as tables of values and what is said of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkField, omni, problemsFor, requestFor, turbo, urlRows } from './requests.ts'

test('prompt is required and has up to 2500 characters, counted as sent', () => {
  checkField(turbo, 'prompt', [
    [undefined, 'is required'],
    [null, 'is required'],
    [7, 'must be a string'],
    [['a'], 'must be a string'],
    ['', 'must not be empty'],
    [' \t\n\u00a0', 'must not be empty'],
    [' a '],
    ['a'.repeat(2500)],
    ['a'.repeat(2501), 'must be at most 2500 characters (it has 2501)'],
    ['😀'.repeat(2500)],
    ['😀'.repeat(2501), 'must be at most 2500 characters (it has 2501)'],
    // Counted as sent: white space around counts, and so does each part of a composed emoji.
    [`${' '.repeat(2500)}a`, 'must be at most 2500 characters (it has 2501)'],
    ['👨‍👩‍👧'.repeat(500)],
    ['👨‍👩‍👧'.repeat(501), 'must be at most 2500 characters (it has 2505)'],
    ['a\0b', 'must not contain the character U+0000'],
    ['\ud800 alone'],
  ])
})

test('image_url is one required URL', () => {
  checkField(turbo, 'image_url', [
    [undefined, 'is required'],
    [null, 'is required'],
    ['', 'must be an absolute http or https URL'],
    [['https://example.com/a.png'], 'must be a string'],
    ...urlRows,
  ])
})

test('tail_image_url is an optional URL of the last frame', () => {
  checkField(turbo, 'tail_image_url', [[undefined], [null], [''], [5, 'must be a string'], ...urlRows])
  assert.equal(requestFor(turbo, { tail_image_url: '' }).lastFrame, null)
  assert.equal(requestFor(turbo, { tail_image_url: null }).lastFrame, null)
  assert.deepEqual(requestFor(turbo, { tail_image_url: 'https://example.com/b.png' }).lastFrame, {
    url: 'https://example.com/b.png',
    bytesMax: 10 * 2 ** 20,
    ratio: null,
  })
})

test('duration is 5 or 10, as a number or a numeric string, and 5 when left out', () => {
  const problem = 'must be "5" or "10"'
  checkField(turbo, 'duration', [
    ...[undefined, null, 5, 10, '5', '10', '5.0', '10.00', 5.0].map((value): [unknown] => [value]),
    ...[' 5', '5 ', '5s', '0x5', '1e1', '5.5', '05', '+5', '-5', '5.', '.5', '5,0', '５', 'NaN'].map(
      (value): [unknown, string] => [value, problem],
    ),
    ...[0, 4, 6, 5.5, -5, 15, true, [5], ['5'], {}, `5.${'0'.repeat(40)}`].map((value): [unknown, string] => [
      value,
      problem,
    ]),
    [Number.NaN, problem],
  ])
  assert.equal(requestFor(turbo).seconds, 5)
  assert.equal(requestFor(turbo, { duration: null }).seconds, 5)
  assert.equal(requestFor(turbo, { duration: '10.0' }).seconds, 10)
})

test('negative_prompt is optional and has up to 500 characters', () => {
  checkField(turbo, 'negative_prompt', [
    [undefined],
    [null],
    [''],
    ['  '],
    [false, 'must be a string'],
    ['😀'.repeat(500)],
    ['😀'.repeat(501), 'must be at most 500 characters (it has 501)'],
  ])
  assert.equal(requestFor(turbo).negativePrompt, '')
  assert.equal(requestFor(turbo, { negative_prompt: null }).negativePrompt, '')
  assert.equal(requestFor(turbo, { negative_prompt: ' blur ' }).negativePrompt, ' blur ')
})

test('cfg_scale is 0 to 1 in steps of 0.1, and 0.5 when left out', () => {
  const problem = 'must be a number from 0 to 1 in steps of 0.1'
  checkField(turbo, 'cfg_scale', [
    ...[undefined, null, 0, 1, 0.1, 0.3, 0.1 * 3, 0.7, 0.1 + 0.7, '0', '1', '0.3', '0.50', '1.0', -0].map(
      (value): [unknown] => [value],
    ),
    ...['.5', '0,5', '0.55', '1.1', '-0.1', '5e-1', ' 0.5', 0.55, 0.301, 1.1, -0.1, 2, true, [0.5], {}].map(
      (value): [unknown, string] => [value, problem],
    ),
  ])
  assert.equal(requestFor(turbo).guidance, 0.5)
  assert.equal(requestFor(turbo, { cfg_scale: 0.1 * 3 }).guidance, 0.3)
  assert.equal(requestFor(turbo, { cfg_scale: '1.0' }).guidance, 1)
  assert.ok(Object.is(requestFor(turbo, { cfg_scale: -0 }).guidance, 0))
})

test('seed is a whole number of 32 bits, and left to the engine when left out', () => {
  const problem = 'must be a whole number from 0 to 4294967295'
  for (const model of [turbo, omni]) {
    checkField(model, 'seed', [
      ...[undefined, null, '', 0, 7, 2 ** 32 - 1].map((value): [unknown] => [value]),
      ...[-1, 0.5, 2 ** 32, Number.NaN, '7', true, [7], {}].map((value): [unknown, string] => [value, problem]),
    ])
    assert.equal(requestFor(model, { seed: 0 }).seed, 0)
    assert.ok(!('seed' in requestFor(model, { seed: null })))
  }
})

test('every wrong field is named at once, in the order of the schema', () => {
  assert.deepEqual(
    problemsFor(turbo, {
      cfg_scale: 3,
      duration: 7,
      negative_prompt: 1,
      tail_image_url: 'x',
      prompt: null,
      image_url: 1,
    }),
    [
      'input.prompt: is required',
      'input.image_url: must be a string',
      'input.tail_image_url: must be an absolute http or https URL',
      'input.duration: must be "5" or "10"',
      'input.negative_prompt: must be a string',
      'input.cfg_scale: must be a number from 0 to 1 in steps of 0.1',
    ],
  )
})

test('a request is normalised', () => {
  assert.deepEqual(requestFor(turbo, { prompt: ' a boat ' }), {
    prompt: ' a boat ',
    negativePrompt: '',
    guidance: 0.5,
    seconds: 5,
    size: { shortSide: 720, ratio: 'auto' },
    firstFrame: { url: 'https://example.com/boat.jpg', bytesMax: 10_485_760, ratio: null },
    lastFrame: null,
    shots: [],
    planShots: false,
    elements: [],
    audio: false,
  })
})
