// The fields of the model `videomodel-3.0-omni/image-to-video` and the rules between them. Subjects have a file of
// their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkField, omni, problemsFor, requestFor, urlRows } from './requests.ts'

const a = 'https://example.com/a.png'
const b = 'https://example.com/b.png'
const shot = (duration: unknown, prompt: unknown = 'a shot') => ({ prompt, duration })

test('prompt is required and has up to 3072 characters', () => {
  checkField(omni, 'prompt', [
    [undefined, 'is required'],
    [null, 'is required'],
    ['', 'must not be empty'],
    ['  \n', 'must not be empty'],
    [{}, 'must be a string'],
    ['😀'.repeat(3072)],
    ['😀'.repeat(3073), 'must be at most 3072 characters (it has 3073)'],
  ])
})

test('image_url and image_urls are one field with two spellings', () => {
  const missing = 'is required (also spelled image_urls)'
  const array = 'must be an array of 1 or 2 URLs'
  checkField(omni, 'image_url', [
    [undefined, missing],
    [null, missing],
    [a, array],
    ['', missing],
    ['x'.repeat(200), array],
    [{ 0: a }, array],
    [[], 'must have 1 or 2 URLs (it has 0)'],
    [[a]],
    [[a, b]],
    [[a, a]],
    [[a, b, a], 'must have 1 or 2 URLs (it has 3)'],
  ])
  checkField(omni, 'image_urls', [[[a]], [[a, b]], [a, array], [[], 'must have 1 or 2 URLs (it has 0)']], {
    image_url: undefined,
  })
  for (const [url, problem] of urlRows) {
    const expected = problem === undefined ? [] : [`input.image_urls[1]: ${problem}`]
    assert.deepEqual(problemsFor(omni, { image_url: null, image_urls: [a, url] }), expected)
  }
  assert.deepEqual(problemsFor(omni, { image_url: [a, null] }), ['input.image_url[1]: must be a string'])
  assert.deepEqual(problemsFor(omni, { image_url: [a, ''] }), [
    'input.image_url[1]: must be an absolute http or https URL',
  ])
  const different = ['input.image_urls: must be the same as image_url, or one of the two left out']
  assert.deepEqual(problemsFor(omni, { image_url: [a], image_urls: [b] }), different)
  assert.deepEqual(problemsFor(omni, { image_url: [a, b], image_urls: [b, a] }), different)
  assert.deepEqual(problemsFor(omni, { image_url: [a], image_urls: [a, b] }), different)
  assert.deepEqual(problemsFor(omni, { image_url: [a, b], image_urls: [a, b] }), [])
  assert.deepEqual(problemsFor(omni, { image_url: [a], image_urls: null }), [])
  assert.deepEqual(problemsFor(omni, { image_url: [a], image_urls: a }), [`input.image_urls: ${array}`])
})

test('frames carry what their images must keep to', () => {
  const limits = { bytesMax: 50 * 2 ** 20, ratio: { min: 0.4, max: 2.5 } }
  const request = requestFor(omni, { image_url: undefined, image_urls: [a, b] })
  assert.deepEqual(request.firstFrame, { url: a, ...limits })
  assert.deepEqual(request.lastFrame, { url: b, ...limits })
  assert.equal(requestFor(omni).lastFrame, null)
})

test('duration is a whole number from 3 to 15, and 5 when left out', () => {
  const problem = 'must be a whole number of seconds from 3 to 15'
  checkField(omni, 'duration', [
    ...[undefined, null, 3, 15, '3', '15', '7.0'].map((value): [unknown] => [value]),
    ...[2, 16, '2', '16', 3.5, '3.5', ' 5', '5s', '0x5', '1e1', '03', true, ['5']].map((value): [unknown, string] => [
      value,
      problem,
    ]),
  ])
  assert.equal(requestFor(omni).seconds, 5)
  assert.equal(requestFor(omni, { duration: '12' }).seconds, 12)
})

test('resolution is 720p, 1080p or 4k, and 720p when left out', () => {
  const problem = 'must be "720p", "1080p" or "4k"'
  checkField(omni, 'resolution', [
    [undefined],
    [null],
    ['720p'],
    ['1080p'],
    ['4k'],
    [''],
    ['4K', problem],
    [1080, problem],
  ])
  const shortSide = (resolution: unknown) => requestFor(omni, { resolution }).size.shortSide
  assert.deepEqual([undefined, null, '720p', '1080p', '4k'].map(shortSide), [720, 720, 720, 1080, 2160])
})

test('aspect_ratio: a fixed one needs shots of one’s own', () => {
  const custom = { customize_multi_shots: true, multi_prompt: [shot(5)] }
  checkField(omni, 'aspect_ratio', [
    [undefined],
    [null],
    ['auto'],
    ['16:9', 'must be "auto" unless customize_multi_shots is true (it is "16:9")'],
    ['1:1', 'must be "auto" unless customize_multi_shots is true (it is "1:1")'],
    ['4:3', 'must be "16:9", "9:16", "1:1" or "auto"'],
    [''],
  ])
  checkField(omni, 'aspect_ratio', [[undefined], [null], ['auto'], ['16:9'], ['9:16'], ['1:1']], custom)
  assert.equal(requestFor(omni).size.ratio, 'auto')
  assert.equal(requestFor(omni, custom).size.ratio, '16:9')
  assert.equal(requestFor(omni, { ...custom, aspect_ratio: 'auto' }).size.ratio, 'auto')
  assert.equal(requestFor(omni, { ...custom, aspect_ratio: '9:16' }).size.ratio, '9:16')
})

test('booleans are booleans', () => {
  for (const field of ['prefer_multi_shots', 'audio', 'customize_multi_shots']) {
    checkField(omni, field, [
      [undefined],
      [null],
      [false],
      ['true', 'must be true or false'],
      [1, 'must be true or false'],
      [''],
    ])
  }
  assert.equal(requestFor(omni).audio, false)
  assert.equal(requestFor(omni, { audio: true }).audio, true)
  assert.equal(requestFor(omni, { prefer_multi_shots: true }).planShots, true)
})

test('planned and given shots exclude each other', () => {
  const both = { customize_multi_shots: true, prefer_multi_shots: true }
  const exclusive = 'input.prefer_multi_shots: must not be true together with customize_multi_shots'
  assert.deepEqual(problemsFor(omni, { ...both, multi_prompt: [shot(5)] }), [exclusive])
  assert.deepEqual(problemsFor(omni, both), [
    exclusive,
    'input.multi_prompt: must have 1 to 6 shots when customize_multi_shots is true',
  ])
})

test('multi_prompt is checked whenever it is not empty', () => {
  for (const base of [{}, { customize_multi_shots: true }]) {
    const check = (multi_prompt: unknown) => problemsFor(omni, { ...base, multi_prompt })
    assert.deepEqual(check([shot(1), shot(14)]), [])
    assert.deepEqual(check([shot(2.5, '😀'.repeat(512))]), [])
    assert.deepEqual(check(Array(6).fill(shot(1))), [])
    assert.deepEqual(check(Array(7).fill(shot(1))), ['input.multi_prompt: must have at most 6 shots (it has 7)'])
    assert.deepEqual(check('a'), ['input.multi_prompt: must be an array of at most 6 shots'])
    assert.deepEqual(check([shot(5), null, 'x']), [
      'input.multi_prompt[1]: must be a JSON object',
      'input.multi_prompt[2]: must be a JSON object',
    ])
    assert.deepEqual(check([shot(5), shot(0.5, 'a'.repeat(600)), {}]), [
      'input.multi_prompt[1].prompt: must be at most 512 characters (it has 600)',
      'input.multi_prompt[1].duration: must be a number from 1 to 15',
      'input.multi_prompt[2].prompt: is required',
      'input.multi_prompt[2].duration: is required',
    ])
    for (const duration of ['5', 0.99, 15.01, -1, true, [5], '']) {
      assert.deepEqual(check([shot(duration)]), ['input.multi_prompt[0].duration: must be a number from 1 to 15'])
    }
    assert.deepEqual(check([shot(5, ' ')]), ['input.multi_prompt[0].prompt: must not be empty'])
  }
  checkField(omni, 'multi_prompt', [[undefined], [null], [[]]])
  const needed = 'must have 1 to 6 shots when customize_multi_shots is true'
  checkField(
    omni,
    'multi_prompt',
    [
      [undefined, needed],
      [null, needed],
      [[], needed],
    ],
    { customize_multi_shots: true },
  )
})

test('shots count only when they are asked for, and share the length of the video', () => {
  const lengths = (changes: Record<string, unknown>) => {
    const request = requestFor(omni, { customize_multi_shots: true, ...changes })
    return [request.seconds, request.shots.map((each) => each.seconds)]
  }
  assert.deepEqual(lengths({ customize_multi_shots: false, multi_prompt: [shot(9)] }), [5, []])
  assert.deepEqual(lengths({ multi_prompt: [shot(3), shot(4)] }), [7, [3, 4]])
  assert.deepEqual(lengths({ multi_prompt: [shot(1)] }), [3, [3]])
  assert.deepEqual(lengths({ multi_prompt: [shot(1), shot(1)] }), [3, [1.5, 1.5]])
  assert.deepEqual(lengths({ multi_prompt: [shot(15), shot(15)] }), [15, [7.5, 7.5]])
  assert.deepEqual(lengths({ multi_prompt: [shot(3), shot(1)], duration: '8' }), [8, [6, 2]])
  assert.deepEqual(lengths({ multi_prompt: [shot(1.1), shot(2.2)] }), [3.3, [1.1, 2.2]])
  assert.deepEqual(lengths({ multi_prompt: [shot(1), shot(1), shot(1)], duration: 10 }), [10, [3.333, 3.334, 3.333]])
  assert.deepEqual(requestFor(omni, { customize_multi_shots: true, multi_prompt: [shot(5, ' x ')] }).shots, [
    { prompt: ' x ', seconds: 5 },
  ])
})

test('rules between fields are reported together with everything else', () => {
  assert.deepEqual(
    problemsFor(omni, {
      prompt: '',
      image_url: [a],
      image_urls: [b],
      duration: '99',
      aspect_ratio: '1:1',
      multi_prompt: [shot('5')],
      elements: Array(4)
        .fill({ name: 'x', description: 'y', element_input_urls: [a, 'x'], end_time: 5 })
        .slice(0, 1),
      audio: 'yes',
    }),
    [
      'input.prompt: must not be empty',
      'input.image_urls: must be the same as image_url, or one of the two left out',
      'input.duration: must be a whole number of seconds from 3 to 15',
      'input.aspect_ratio: must be "auto" unless customize_multi_shots is true (it is "1:1")',
      'input.multi_prompt[0].duration: must be a number from 1 to 15',
      'input.elements[0].element_input_urls[1]: must be an absolute http or https URL',
      'input.elements[0].end_time: must be 3000 to 8000 ms after start_time (the window is 5 ms)',
      'input.audio: must be true or false',
    ],
  )
  assert.deepEqual(
    problemsFor(omni, {
      image_url: [`${a}${'a'.repeat(3000)}`],
      customize_multi_shots: true,
      prefer_multi_shots: true,
      multi_prompt: [...Array(6).fill(shot(5)), shot(0)],
    }),
    [
      'input.image_url[0]: must be at most 2048 characters (it has 3025)',
      'input.prefer_multi_shots: must not be true together with customize_multi_shots',
      'input.multi_prompt: must have at most 6 shots (it has 7)',
      'input.multi_prompt[6].duration: must be a number from 1 to 15',
    ],
  )
})
