// A service that stops while a task only waits for its generator, for room there, for a clip or for any response: the stop
// does not wait, the task goes on after the next start, and nothing is submitted twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOpenaiVideos } from '../../support/generators/openai-videos.ts'
import { places } from '../../support/places/places.ts'
import { uploadImage } from '../../support/service/chain.ts'
import { configured, engineFile } from '../../support/service/engine-file.ts'
import { startOneService, testKey } from '../../support/service/one-service.ts'
import { startService } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'
import { within } from '../../support/within.ts'

/** As long as in production: a stop that waited for the task would take this long. */
const stopGraceMs = 20_000

interface BusyGenerator {
  settings: object
  makeRoom(): Promise<unknown>
  close(): Promise<void>
}

async function withoutQuota(): Promise<BusyGenerator> {
  const { url, set, quirks, close } = await startOpenaiVideos()
  set('finish')
  quirks.add('quota')
  const settings = { type: 'openai-videos', url, pollEvery: '20ms' }
  return { settings, makeRoom: async () => quirks.delete('quota'), close }
}

/** Refuses uploads, which come before the task. */
async function inMaintenance(): Promise<BusyGenerator> {
  const { url, api, stop } = await startService()
  const switchTo = (on: boolean) => api.post('/api/v1/operator/maintenance', { on })
  await switchTo(true)
  const settings = { type: 'upstream', url, key: testKey, pollEvery: '20ms' }
  return { settings, makeRoom: () => switchTo(false), close: stop }
}

/** Accepts uploads, but no further task. */
async function withAnotherTask(): Promise<BusyGenerator> {
  const { url, api, stop } = await startService({ DAILIES_OPEN_TASKS: '1' })
  const taskId = await api.createTask('script: stall')
  const settings = { type: 'upstream', url, key: testKey, pollEvery: '20ms' }
  return { settings, makeRoom: () => api.post('/api/v1/jobs/cancelTask', { taskId }), close: stop }
}

for (const startBusy of [withoutQuota, inMaintenance, withAnotherTask]) {
  for (const { name, create } of places) {
    test(`a stop does not wait for a generator that is busy, ${startBusy.name} (${name})`, async () => {
      await using opened = new AsyncDisposableStack()
      const busy = opened.adopt(await startBusy(), ({ close }) => close())
      const config = opened.adopt(await configured(engineFile(busy.settings)), ({ remove }) => remove())
      const place = opened.adopt(await create(), ({ stop }) => stop())
      const env = { ...place.env, ...config.env, TEST_ENGINE: 'studio' }
      const first = await startOneService(env, { stopGraceMs })
      const taskId = await first.api.createTask('a boat', { image_url: await uploadImage(first) })
      await untilTrue('it waits for room', async () => {
        const { engines } = (await first.api.get('/api/v1/operator/status')).body.data
        return engines.some(({ busy }: { busy: string | null }) => busy !== null)
      })
      await within(stopGraceMs / 4, 'the stop', first.stop())
      await busy.makeRoom()
      const second = opened.adopt(await startOneService(env, { stopGraceMs }), ({ stop }) => stop())
      const record = await second.api.until(taskId, ['success', 'fail'])
      assert.deepEqual([record.state, record.failMsg], ['success', ''])
    })
  }
}

for (const { name, create } of places) {
  test(`a stop does not wait for the second clip of a video, and no clip is made twice (${name})`, async () => {
    await using opened = new AsyncDisposableStack()
    const generator = opened.adopt(await startOpenaiVideos(), ({ close }) => close())
    const settings = { type: 'openai-videos', url: generator.url, pollEvery: '20ms', seconds: [5] }
    const config = opened.adopt(await configured(engineFile(settings)), ({ remove }) => remove())
    const place = opened.adopt(await create(), ({ stop }) => stop())
    const env = { ...place.env, ...config.env, TEST_ENGINE: 'studio' }
    const first = await startOneService(env, { stopGraceMs })
    const taskId = await first.api.createTask('a boat', { image_url: await uploadImage(first), duration: '10' })
    await untilTrue('the first clip is ordered', () => generator.submissions() === 1, 20_000)
    const [clip] = generator.jobs.values()
    clip!.state = 'done'
    await untilTrue('the second clip is ordered', () => generator.submissions() === 2, 20_000)
    await within(stopGraceMs / 4, 'the stop', first.stop())
    const second = opened.adopt(await startOneService(env, { stopGraceMs }), ({ stop }) => stop())
    await second.api.until(taskId, ['generating'])
    generator.set('finish')
    const record = await second.api.until(taskId, ['success', 'fail'], 60_000)
    assert.deepEqual([record.state, record.failMsg], ['success', ''])
    assert.equal(generator.submissions(), 2)
  })
}

test('a stop does not wait for a generator that hangs while its job is looked at', async () => {
  await using opened = new AsyncDisposableStack()
  const generator = opened.adopt(await startOpenaiVideos(), ({ close }) => close())
  const settings = { type: 'openai-videos', url: generator.url, pollEvery: '20ms' }
  const config = opened.adopt(await configured(engineFile(settings)), ({ remove }) => remove())
  const place = opened.adopt(await places[0].create(), ({ stop }) => stop())
  const env = { ...place.env, ...config.env, TEST_ENGINE: 'studio' }
  const first = await startOneService(env, { stopGraceMs })
  const taskId = await first.api.createTask('a boat', { image_url: await uploadImage(first) })
  await untilTrue('it is ordered', () => generator.submissions() === 1, 20_000)
  generator.silent(true)
  const before = generator.requests.length
  await untilTrue('its state is requested', () => generator.requests.length > before)
  await within(stopGraceMs / 4, 'the stop', first.stop())
  generator.silent(false)
  generator.set('finish')
  const second = opened.adopt(await startOneService(env, { stopGraceMs }), ({ stop }) => stop())
  const record = await second.api.until(taskId, ['success', 'fail'], 60_000)
  assert.deepEqual([record.state, record.failMsg], ['success', ''])
  assert.equal(generator.submissions(), 1)
})
