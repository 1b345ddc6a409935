// POST createTask: what both variants accept, what it costs, what is kept of the body, and what can be switched off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFeature, setMaintenance } from '../../../src/accounts/switches.ts'
import { serviceActor } from '../../../src/audit/audit.ts'
import { startBadServer } from '../../support/network/bad-server.ts'
import { taskBody, variantA, variantB } from '../../support/service/api.ts'
import { balanceOf, newCaller } from '../../support/service/callers.ts'
import { startService } from '../../support/service/service.ts'
import { describeService } from '../../support/service/suite.ts'
import { untilStatus } from '../../support/until.ts'
import { within } from '../../support/within.ts'

const createPath = '/api/v1/jobs/createTask'
const image = 'http://127.0.0.1:9/a.png'
const inputA = { prompt: 'a boat', image_url: image }
const inputB = { prompt: 'a boat', image_url: [image] }
const element = { name: 'dog', description: 'a dog', element_input_urls: [image, `${image}?2`] }

/** Model, input, credits. */
const priced: [string, object, number][] = [
  [variantA, inputA, 42],
  [variantA, { ...inputA, duration: '5' }, 42],
  [variantA, { ...inputA, duration: 10, cfg_scale: '0.3', negative_prompt: 'rain', tail_image_url: image }, 84],
  [variantA, { ...inputA, duration: null, cfg_scale: 0.7, negative_prompt: '', tail_image_url: '' }, 42],
  [variantB, inputB, 5 * 14],
  [variantB, { prompt: 'a boat', image_urls: [image, image], duration: 3, elements: [] }, 3 * 14],
  [variantB, { ...inputB, duration: '15', resolution: '1080p' }, 15 * 18],
  [variantB, { ...inputB, resolution: '4k', aspect_ratio: 'auto' }, 5 * 67],
  [variantB, { ...inputB, audio: true }, 5 * 18],
  [variantB, { ...inputB, audio: true, resolution: '1080p', prefer_multi_shots: true }, 5 * 23],
  [variantB, { ...inputB, audio: true, resolution: '4k', elements: [element] }, 5 * 67],
  [
    variantB,
    {
      ...inputB,
      customize_multi_shots: true,
      aspect_ratio: '9:16',
      multi_prompt: [
        { prompt: 'one', duration: 2 },
        { prompt: 'two', duration: 4 },
      ],
    },
    6 * 14,
  ],
]

describeService('createTask', { overrides: () => ({ leaseMs: 5000 }) }, (service) => {
  test('accepts both variants at the listed prices and keeps the body as sent', async () => {
    const caller = await newCaller(service(), 1_000_000)
    let balance = 1_000_000
    for (const [model, input, credits] of priced) {
      const body = { model, input }
      const answer = await caller.api.post(createPath, body)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(Object.keys(answer.body.data), ['taskId'])
      balance -= credits
      assert.equal(await balanceOf(caller), balance, JSON.stringify(input))
      const record = await caller.api.record(answer.body.data.taskId)
      assert.deepEqual(JSON.parse(record.param as string), body)
      assert.equal(record.creditsConsumed, credits)
      assert.equal(record.model, model)
      assert.deepEqual(record.ignoredFields, [])
    }
  })

  test('what it accepts by default goes all the way', async () => {
    for (const body of [taskBody(), { model: variantB, input: inputB }]) {
      const answer = await service().api.post(createPath, body)
      const record = await service().api.until(answer.body.data.taskId, ['success'])
      assert.equal(record.progress, 100)
    }
  })

  test('unknown fields are ignored and listed', async () => {
    const input = { ...inputA, camera: 7, duration: '5' }
    const answer = await service().api.post(createPath, { model: variantA, input, priority: 'high' })
    const record = await service().api.record(answer.body.data.taskId)
    assert.deepEqual((record.ignoredFields as string[]).sort(), ['input.camera', 'priority'])
  })

  test('a request for a feature that is switched off is 505 and names it', async () => {
    const caller = await newCaller(service(), 1_000_000)
    const asks: Record<string, object> = {
      '4k': { model: variantB, input: { ...inputB, resolution: '4k' } },
      '1080p': { model: variantB, input: { ...inputB, resolution: '1080p' } },
      audio: { model: variantB, input: { ...inputB, audio: true } },
      elements: { model: variantB, input: { ...inputB, elements: [element] } },
      [variantA]: { model: variantA, input: inputA },
    }
    const plain = { model: variantB, input: inputB }
    for (const [feature, body] of Object.entries(asks)) {
      const set = (enabled: boolean) => service().api.post('/api/v1/operator/features', { name: feature, enabled })
      assert.equal((await set(false)).status, 200)
      const refused = await untilStatus(() => caller.api.post(createPath, body), 505)
      assert.ok(refused.body.msg.includes(feature), refused.text)
      assert.equal((await caller.api.post(createPath, plain)).status, 200)
      assert.equal((await set(true)).status, 200)
      await untilStatus(() => caller.api.post(createPath, body), 200)
    }
    const unknown = await service().api.post('/api/v1/operator/features', { name: 'teleport', enabled: false })
    assert.equal(unknown.status, 422)
    await service().app.db.transaction((tx) => setFeature(tx, serviceActor, 'audio', true, Date.now()))
  })

  test('maintenance stops creation alone; what runs ends', async () => {
    const running = await service().api.createTask('a boat script: wait 300ms')
    await service().app.db.transaction((tx) => setMaintenance(tx, serviceActor, true, Date.now()))
    try {
      const refused = await untilStatus(() => service().api.post(createPath, taskBody()), 455)
      assert.equal(refused.headers.get('retry-after'), '60')
      assert.equal((await service().api.get('/api/v1/jobs/list')).status, 200)
      assert.equal((await service().api.get('/readyz')).status, 200)
      await service().api.until(running, ['success'])
      assert.equal((await service().api.post('/api/v1/jobs/cancelTask', { taskId: running })).status, 422)
      assert.equal((await service().api.delete(`/api/v1/jobs/${running}`)).status, 200)
    } finally {
      await service().app.db.transaction((tx) => setMaintenance(tx, serviceActor, false, Date.now()))
    }
    await untilStatus(() => service().api.post(createPath, taskBody()), 200)
  })
})

test('createTask returns while the hosts of its image and its callback have not responded', async () => {
  const service = await startService({ TEST_ENGINE: 'studio', DAILIES_MODERATION: 'off' })
  const host = await startBadServer()
  try {
    const fetched = host.nextRequest()
    const body = taskBody('a boat', { image_url: `${host.origin}/hang` })
    const call = service.api.post(createPath, { ...body, callBackUrl: `${host.origin}/hang` })
    // The host never responds: a createTask that waited for it would not return either.
    const { status, body: answer } = await within(5000, 'createTask', call)
    assert.equal(status, 200)
    await within(20_000, 'the image to be requested', fetched)
    assert.equal((await service.api.record(answer.data.taskId)).state, 'wait')
    const unresolvable = await service.api.createTask('a boat', { image_url: 'http://no-such-host.invalid/a.png' })
    assert.equal((await service.api.until(unresolvable, ['fail'])).state, 'fail')
  } finally {
    await service.stop()
    await host.close()
  }
})
