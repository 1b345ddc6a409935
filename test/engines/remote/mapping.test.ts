// Plans as each generator's requests, and its responses as ours, in tables.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { promptIdOf, readHistory, readProgress, readQueue, savedFiles } from '../../../src/engines/comfyui/mapping.ts'
import { fillPlaces, fillTemplate, missingPlaces } from '../../../src/engines/comfyui/workflow.ts'
import type { Plan } from '../../../src/engines/engine.ts'
import {
  formFields,
  imageFields,
  readJob,
  readSubmitted,
  secondsFor,
  sizeFor,
} from '../../../src/engines/openai-videos/mapping.ts'
import { openaiVideosSettings } from '../../../src/engines/openai-videos/settings.ts'
import { clipList } from '../../../src/engines/remote/clip-list.ts'
import { clipFrames, clipSize } from '../../../src/engines/remote/clip-size.ts'
import type { ClipPlan } from '../../../src/engines/remote/generator.ts'
import * as sdcpp from '../../../src/engines/sdcpp/mapping.ts'
import { sdcppSettings } from '../../../src/engines/sdcpp/settings.ts'
import { failureOf, inputFilesOf, readCreated, readRecord, wireRequest } from '../../../src/engines/upstream/mapping.ts'
import { createCatalogue, parseCreateTask } from '../../../src/models/catalogue.ts'
import { coverSize } from '../../../src/video/normalise/cover.ts'
import { fitTime } from '../../../src/video/normalise/fit-time.ts'
import { variantA, variantB } from '../../support/service/api.ts'

const plan: Plan = {
  model: variantA,
  prompt: 'a boat',
  negativePrompt: 'blur',
  guidance: 0.7,
  seed: 7,
  seconds: 10,
  size: { shortSide: 720, ratio: 'auto' },
  firstFrame: { file: 'a', kind: 'image', width: 1600, height: 900 },
  lastFrame: { file: 'b', kind: 'image' },
  shots: [],
  planShots: false,
  elements: [],
  audio: false,
}
const omniPlan: Plan = {
  ...plan,
  model: variantB,
  negativePrompt: '',
  guidance: 0.5,
  seconds: 8,
  size: { shortSide: 1080, ratio: '9:16' },
  shots: [
    { prompt: 'wide', seconds: 3 },
    { prompt: 'close', seconds: 5 },
  ],
  elements: [
    {
      name: 'dog',
      description: 'a dog',
      material: [
        { file: 'c', kind: 'video', startMs: 0, endMs: 5000 },
        { file: 'd', kind: 'image' },
      ],
      audio: [{ file: 'e', kind: 'audio' }],
    },
  ],
  audio: true,
}
const urlOf = ({ file }: { file: string }) => `https://generator.example/files/${file}`

describe('upstream', () => {
  for (const [name, each] of [
    ['turbo', plan],
    ['omni', omniPlan],
    ['omni, one shot', { ...omniPlan, shots: [], planShots: true, size: { shortSide: 2160, ratio: 'auto' } }],
    ['omni, a length from its shots', { ...omniPlan, seconds: 7.5, shots: [{ prompt: 'x', seconds: 7.5 }] }],
  ] as [string, Plan][]) {
    test(`a plan comes back as it was through the generator's own reading: ${name}`, () => {
      const catalogue = createCatalogue()
      const input = catalogue.get(each.model)!.toWire(wireRequest(each, urlOf))
      const parsed = parseCreateTask(catalogue, { model: each.model, input })
      assert.ok(parsed.ok, JSON.stringify(parsed))
      const { request, ignoredFields } = parsed.value
      assert.deepEqual(ignoredFields, [])
      const carried = [
        'prompt',
        'negativePrompt',
        'guidance',
        'seed',
        'seconds',
        'shots',
        'planShots',
        'audio',
      ] as const
      for (const key of carried) {
        assert.deepEqual(request[key], each[key], key)
      }
      assert.deepEqual(request.size, each.size)
      assert.equal(request.firstFrame.url, urlOf(each.firstFrame))
      assert.equal(request.lastFrame?.url, each.lastFrame && urlOf(each.lastFrame))
      assert.deepEqual(
        request.elements.map(({ name: element, urls, audioUrls }) => [element, urls.length, audioUrls.length]),
        each.elements.map(({ name: element, material, audio }) => [element, material.length, audio.length]),
      )
    })
  }

  test('input files are sent once each', () => {
    assert.deepEqual(
      inputFilesOf(omniPlan).map(({ file }) => file),
      ['a', 'b', 'c', 'd', 'e'],
    )
    assert.equal(inputFilesOf({ ...plan, lastFrame: plan.firstFrame }).length, 1)
  })

  test('records are read', () => {
    assert.deepEqual(readRecord({ state: 'generating', progress: 40 }), { state: 'under way', percent: 40 })
    assert.deepEqual(readRecord({ state: 'success', resultJson: '{"resultUrls":["u"]}' }), {
      state: 'success',
      videoUrl: 'u',
    })
    assert.deepEqual(readRecord({ state: 'success', videoInfo: { videoUrl: 'v' } }), {
      state: 'success',
      videoUrl: 'v',
    })
    for (const odd of [null, 'x', {}, { state: 'odd' }, { state: 'success', resultJson: '' }])
      assert.equal(readRecord(odd), null)
  })

  const failures: [code: string, reason: string, wanted: string | null, retryable: boolean, blame: string][] = [
    ['422', 'nsfw_image', 'nsfw_image', false, 'task'],
    ['451', '', 'image_fetch_failed', false, 'task'],
    ['422', '', 'inappropriate_content', false, 'task'],
    ['408', 'upstream_silent', 'upstream_silent', false, 'engine'],
    ['501', 'engine_failed', null, false, 'engine'],
    ['501', 'canceled', null, true, 'engine'],
    ['500', 'internal', null, true, 'engine'],
  ]
  for (const [code, reason, wanted, retryable, blame] of failures) {
    test(`the failure ${code} ${reason} is carried through`, () => {
      const error = failureOf('remote', { state: 'fail', code, reason, message: 'its own words' })
      assert.deepEqual(
        [error.reason, error.retryable, error.blame, error.message],
        [wanted, retryable, blame, 'its own words'],
      )
    })
  }

  test('responses to a creation are understood', () => {
    assert.deepEqual(readCreated('remote', 200, { code: 200, data: { taskId: 't' } }), { taskId: 't' })
    for (const busy of [429, 455, 408, 503]) assert.equal(readCreated('remote', busy, { code: busy, msg: '' }), 'busy')
    for (const odd of [undefined, 'x', { code: 200 }]) assert.equal(readCreated('remote', 200, odd), null)
    for (const [code, blame] of [
      [401, 'engine'],
      [402, 'engine'],
      [505, 'engine'],
      [422, 'task'],
    ] as const) {
      const answer = readCreated('remote', code, { code, msg: 'no' })
      assert.ok(answer !== null && answer !== 'busy' && 'failure' in answer && answer.failure.blame === blame)
    }
  })
})

const clip: ClipPlan = {
  prompt: 'a boat',
  negativePrompt: 'blur',
  seconds: 5,
  width: 1280,
  height: 720,
  firstFramePath: 'a',
  lastFramePath: null,
  seed: 7,
  submission: 's',
}

describe('openai-videos', () => {
  const settings = (more: object = {}) =>
    openaiVideosSettings.parse({ type: 'openai-videos', url: 'http://127.0.0.1:1', ...more })

  test('a clip becomes a form', () => {
    assert.deepEqual(formFields(clip, settings({ model: 'wan' })), {
      prompt: 'a boat',
      model: 'wan',
      seconds: '5',
      size: '1280x720',
    })
    const extra = formFields(clip, settings({ extraFields: true, fields: { fps: 16 } }))
    assert.deepEqual([extra.negative_prompt, extra.width, extra.seed, extra.fps], ['blur', '1280', '7', '16'])
  })
  test('lengths and sizes are those that the server makes', () => {
    assert.deepEqual(
      [5, 8, 20].map((seconds) => secondsFor(seconds, [12, 4, 8])),
      [8, 8, 12],
    )
    assert.equal(secondsFor(4.2, undefined), 5)
    assert.deepEqual(sizeFor({ width: 1080, height: 720 }, settings()), { width: 1088, height: 720 })
    assert.deepEqual(sizeFor({ width: 1920, height: 1080 }, settings({ shortSide: 480 })), { width: 848, height: 480 })
    const sizes = ['720x1280', '1280x720', '1792x1024']
    assert.deepEqual(sizeFor({ width: 1920, height: 1080 }, settings({ sizes })), { width: 1792, height: 1024 })
    assert.deepEqual(sizeFor({ width: 700, height: 1280 }, settings({ sizes })), { width: 720, height: 1280 })
  })
  test('a last frame goes where the server takes one', () => {
    const frames = { firstFramePath: 'a', lastFramePath: 'b' }
    const fields = (more: object, lastFramePath: string | null = 'b') =>
      imageFields({ ...frames, lastFramePath }, settings(more)).map(({ field }) => field)
    assert.deepEqual(fields({}), ['input_reference'])
    assert.deepEqual(fields({ lastFrameField: 'last_image' }), ['input_reference', 'last_image'])
    assert.deepEqual(fields({ framesField: 'input_references' }), ['input_references', 'input_references'])
    assert.deepEqual(fields({ framesField: 'input_references' }, null), ['input_reference'])
  })
  test('jobs are read', () => {
    assert.deepEqual(readJob({ status: 'in_progress', progress: 30 }), { status: 'under way', percent: 30 })
    assert.deepEqual(readJob({ status: 'failed', error: { code: 'x', message: 'y' } }), {
      status: 'failed',
      code: 'x',
      message: 'y',
    })
    for (const odd of [null, {}, { status: 'odd' }, []]) assert.equal(readJob(odd), null)
    assert.deepEqual(readSubmitted('remote', 200, { id: 'v' }), { id: 'v' })
    assert.equal(readSubmitted('remote', 429, {}), 'busy')
    assert.equal(readSubmitted('remote', 200, {}), null)
  })

  test('a refused submission says whose fault it is, and why where the server does', () => {
    const refused = (status: number, body: unknown) => {
      const submitted = readSubmitted('remote', status, body)
      assert.ok(submitted !== null && submitted !== 'busy' && 'failure' in submitted)
      const { message, retryable, blame, reason } = submitted.failure
      return { message, retryable, blame, reason }
    }
    const noCredits = refused(402, { error: { message: 'Top up' } })
    assert.match(noCredits.message, /\(402\): Top up$/)
    assert.deepEqual([noCredits.retryable, noCredits.blame], [false, 'engine'])
    const moderated = refused(400, { error: { code: 'content_policy_violation', message: 'rejected' } })
    assert.deepEqual([moderated.retryable, moderated.reason], [false, 'inappropriate_content'])
    assert.match(refused(500, undefined).message, /did not accept the video \(500\)\.$/)
  })
})

test('sdcpp: a clip becomes a request with frames that the server keeps', () => {
  const settings = sdcppSettings.parse({
    type: 'sdcpp',
    url: 'http://127.0.0.1:1',
    fields: { sample_params: { sample_steps: 4 } },
  })
  const body = sdcpp.vidGenBody(clip, settings, { first: 'F', last: null })
  assert.deepEqual([body.width, body.height, body.video_frames, body.fps], [848, 480, 81, 16])
  assert.deepEqual([body.init_image, body.end_image, body.sample_params], ['F', null, { sample_steps: 4 }])
  assert.deepEqual(sdcpp.readJob({ status: 'completed', result: { b64_json: 'AA' } }), {
    status: 'completed',
    base64: 'AA',
  })
  assert.equal(sdcpp.readJob({ status: 'completed', result: {} }), null)
})

describe('comfyui', () => {
  const workflow = {
    '1': { class_type: 'LoadImage', inputs: { image: '{{lastFrame}}' } },
    '2': { class_type: 'Text', inputs: { text: '{{prompt}}' }, _meta: { title: 'Positive' } },
    '3': { class_type: 'Video', inputs: { end: ['1', 0], text: ['2', 0], width: '{{width}}' } },
  }
  test('placeholders are filled with values of their own type, and what has none goes', () => {
    const values = { prompt: 'say "{{width}}"', width: 832, lastFrame: null }
    assert.deepEqual(fillTemplate(workflow, values), {
      '2': { class_type: 'Text', inputs: { text: 'say "{{width}}"' }, _meta: { title: 'Positive' } },
      '3': { class_type: 'Video', inputs: { text: ['2', 0], width: 832 } },
    })
    assert.throws(() => fillTemplate(workflow, { prompt: 'x', width: 1 }), /asks for \{\{lastFrame\}\}/)
  })
  test("an operator's own workflow is filled at named nodes", () => {
    const places = { prompt: ['Positive.text'], firstFrame: ['1.image'] }
    assert.deepEqual(missingPlaces(workflow, places), [])
    const filled = fillPlaces(workflow, places, { prompt: 'x', firstFrame: 'a.jpg', width: 3 })
    assert.deepEqual([filled['2']!.inputs.text, filled['1']!.inputs.image], ['x', 'a.jpg'])
    assert.deepEqual(missingPlaces(workflow, { prompt: ['9.text'], firstFrame: ['1.picture'] }), [
      'nodes.prompt: the workflow has no node "9"',
      'nodes.firstFrame: the node "1" has no input "picture"',
    ])
  })
  test('history, queue and progress are read', () => {
    const file = (filename: string, type = 'output') => ({ filename, subfolder: '', type })
    assert.deepEqual(readHistory({}, 'p', null), { state: 'unknown' })
    assert.deepEqual(savedFiles({ 9: { images: [file('a.png', 'temp')] }, 8: { gifs: [file('b.mp4')] } }, null), [
      file('b.mp4'),
    ])
    assert.equal(savedFiles({ 9: { images: [file('a.png'), file('b.png')] } }, null).length, 2)
    const two = { 3: { images: [file('draft.mp4')] }, 9: { gifs: [file('final.mp4')] } }
    assert.deepEqual(savedFiles(two, null), [file('final.mp4')])
    assert.deepEqual(savedFiles(two, '3'), [file('draft.mp4')])
    assert.deepEqual(savedFiles({ 9: { images: [file('preview.png', 'temp')] } }, null), [])
    const error = { status_str: 'error', messages: [['execution_error', { node_type: 'K', exception_message: 'oom' }]] }
    assert.deepEqual(readHistory({ p: { status: error } }, 'p', null), {
      state: 'failed',
      message: 'K: oom',
      interrupted: false,
    })
    assert.equal(readQueue({ queue_running: [[0, 'p']], queue_pending: [] }, 'p'), 'running')
    assert.equal(readQueue({ queue_running: [], queue_pending: [] }, 'p'), 'absent')
    assert.equal(readQueue({}, 'p'), null)
    // A loader that is done and half of a sampler's 20 steps are 11 of 22 parts.
    const weights = new Map([
      ['loader', 1],
      ['sampler', 20],
      ['save', 1],
    ])
    const nodes = { loader: { value: 1, max: 1 }, sampler: { value: 10, max: 20 } }
    assert.equal(readProgress({ type: 'progress_state', data: { prompt_id: 'p', nodes } }, 'p', weights), 50)
    assert.equal(readProgress({ type: 'status' }, 'p', weights), null)
    assert.match(
      promptIdOf('0123456789abcdef'.repeat(4)),
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })
})

describe('what generators have in common', () => {
  test('a plan becomes clips', () => {
    const clips = (more: Partial<Plan>, secondsMax = 5, shotsFrom: 'previous' | 'first' = 'previous') =>
      clipList({ ...plan, lastFrame: null, ...more }, { secondsMax, shotsFrom }).map(
        ({ seconds, from, endsInLast }) => [seconds, from, endsInLast],
      )
    assert.deepEqual(clips({ seconds: 5 }), [[5, 'first', false]])
    assert.deepEqual(clips({ seconds: 10 }), [
      [5, 'first', false],
      [5, 'previous', false],
    ])
    assert.deepEqual(clips({ ...omniPlan }), [
      [3, 'first', false],
      [5, 'previous', true],
    ])
    assert.deepEqual(clips({ ...omniPlan }, 4, 'first'), [
      [3, 'first', false],
      [2.5, 'first', false],
      [2.5, 'previous', true],
    ])
  })
  test('sizes and frames are what they take', () => {
    assert.deepEqual(clipSize({ width: 1280, height: 720 }, 480, 16), { width: 848, height: 480 })
    assert.deepEqual(clipSize({ width: 320, height: 240 }, 480, 16), { width: 320, height: 240 })
    assert.deepEqual([clipFrames(5, 16, 4), clipFrames(5.2, 16, 4), clipFrames(4, 24, 8)], [81, 85, 97])
  })
  const fits: [own: number, wanted: number, keepsEnd: boolean, seconds: number, speed: number][] = [
    [5.06, 5, false, 5, 1],
    [8, 5, false, 5, 1],
    [8, 5, true, 5, 1.6],
    [4.5, 5, false, 5, 0.9],
  ]
  for (const [own, wanted, keepsEnd, seconds, speed] of fits) {
    test(`${own} s for ${wanted} s${keepsEnd ? ' with a last frame' : ''}`, () => {
      assert.deepEqual(fitTime(own, wanted, keepsEnd), { seconds, speed })
    })
  }
  test('pictures cover the frame', () => {
    assert.deepEqual(coverSize({ width: 832, height: 480 }, { width: 1280, height: 720 }), { width: 1280, height: 738 })
    assert.deepEqual(coverSize({ width: 100, height: 100 }, { width: 64, height: 36 }), { width: 64, height: 64 })
  })
})
