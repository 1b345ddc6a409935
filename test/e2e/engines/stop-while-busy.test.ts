// A service that stops while a task waits for room at its generator: nothing was submitted, so the stop does not wait, and
// the task goes on after the next start.
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
