// Subjects of a request: their fields, the capture window, and entries that share a name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { omni, problemsFor, type Row, requestFor } from './requests.ts'

const a = 'https://example.com/a.png'
const b = 'https://example.com/b.mp4'
const dog = (changes: Record<string, unknown> = {}) => ({
  name: 'dog',
  description: 'a brown dog',
  element_input_urls: [a, b],
  ...changes,
})

function checkRows(field: string, rows: readonly Row[], base: Record<string, unknown> = {}) {
  for (const [value, problem] of rows) {
    const expected = problem === undefined ? [] : [`input.elements[0].${field}: ${problem}`]
    const entry = JSON.parse(JSON.stringify(dog({ ...base, [field]: value })))
    assert.deepEqual(problemsFor(omni, { elements: [entry] }), expected, `${field} = ${JSON.stringify(value)}`)
  }
}

test('elements may be left out, and there are at most 3', () => {
  for (const elements of [undefined, null, []]) assert.deepEqual(requestFor(omni, { elements }).elements, [])
  assert.deepEqual(problemsFor(omni, { elements: [dog(), dog(), dog()] }), [])
  assert.deepEqual(problemsFor(omni, { elements: [dog(), dog(), dog(), {}] }), [
    'input.elements: must have at most 3 subjects (it has 4)',
    'input.elements[3].name: is required',
    'input.elements[3].description: is required',
    'input.elements[3].element_input_urls: is required',
  ])
  assert.deepEqual(problemsFor(omni, { elements: {} }), ['input.elements: must be an array of at most 3 subjects'])
  assert.deepEqual(problemsFor(omni, { elements: [null] }), ['input.elements[0]: must be a JSON object'])
})

test('fields of a subject', () => {
  for (const field of ['name', 'description']) {
    checkRows(field, [
      ['x'],
      [undefined, 'is required'],
      [null, 'is required'],
      ['', 'must not be empty'],
      [' ', 'must not be empty'],
      [1, 'must be a string'],
    ])
  }
  checkRows('element_input_urls', [
    [[a, b]],
    [[a, a, a, a]],
    [undefined, 'is required'],
    [null, 'is required'],
    [a, 'must be an array of 2 to 4 URLs'],
    [[], 'must have 2 to 4 URLs (it has 0)'],
    [[a], 'must have 2 to 4 URLs (it has 1)'],
    [[a, a, a, a, a], 'must have 2 to 4 URLs (it has 5)'],
  ])
  checkRows('element_input_audio_urls', [
    [undefined],
    [null],
    [[]],
    [[a]],
    [a, 'must be an array of at most 10 URLs'],
    [Array(11).fill(a), 'must have at most 10 URLs (it has 11)'],
  ])
  assert.deepEqual(problemsFor(omni, { elements: [dog({ element_input_audio_urls: ['x'] })] }), [
    'input.elements[0].element_input_audio_urls[0]: must be an absolute http or https URL',
  ])
})

test('the capture window is checked whenever it has an end', () => {
  const start = 'must be a number from 0 to 86400000'
  checkRows('start_time', [[undefined], [null], [0], [120_000], [-1, start], ['0', start], [1e9, start]])
  const end = (found: string) => `must be 3000 to 8000 ms after start_time (${found})`
  checkRows('end_time', [
    [undefined],
    [null],
    [3000],
    [8000],
    [2999, end('the window is 2999 ms')],
    [8001, end('the window is 8001 ms')],
    [0, end('it is not after it')],
    [-5, end('it is not after it')],
    ['5000', 'must be a number'],
    [''],
  ])
  checkRows('end_time', [[4000], [9000], [3999, end('the window is 2999 ms')], [500, end('it is not after it')]], {
    start_time: 1000,
  })
  // A wrong start leaves the window unknown: only what is certain is said.
  assert.deepEqual(problemsFor(omni, { elements: [dog({ start_time: 'x', end_time: 5 })] }), [
    `input.elements[0].start_time: ${start}`,
  ])
})

test('each URL carries its window', () => {
  assert.deepEqual(requestFor(omni, { elements: [dog({ start_time: 1000, end_time: 5000 })] }).elements, [
    {
      name: 'dog',
      description: 'a brown dog',
      urls: [
        { url: a, startMs: 1000, endMs: 5000 },
        { url: b, startMs: 1000, endMs: 5000 },
      ],
      audioUrls: [],
    },
  ])
})

test('entries with one name are one subject with the files of both', () => {
  const c = 'https://example.com/c.png'
  const request = requestFor(omni, {
    elements: [
      dog({ element_input_audio_urls: [a] }),
      dog({ name: 'cat', description: 'a cat' }),
      dog({ element_input_urls: [c, c], start_time: 2000, element_input_audio_urls: [b], description: 'red collar' }),
    ],
  })
  assert.deepEqual(request.elements, [
    {
      name: 'dog',
      description: 'a brown dog\nred collar',
      urls: [
        { url: a, startMs: 0, endMs: null },
        { url: b, startMs: 0, endMs: null },
        { url: c, startMs: 2000, endMs: null },
        { url: c, startMs: 2000, endMs: null },
      ],
      audioUrls: [a, b],
    },
    {
      name: 'cat',
      description: 'a cat',
      urls: [
        { url: a, startMs: 0, endMs: null },
        { url: b, startMs: 0, endMs: null },
      ],
      audioUrls: [],
    },
  ])
  const same = requestFor(omni, { elements: [dog(), dog()] }).elements
  assert.deepEqual(
    same.map((each) => [each.description, each.urls.length]),
    [['a brown dog', 4]],
  )
})
