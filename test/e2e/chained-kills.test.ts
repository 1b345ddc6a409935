// Two services in a row as processes: killing the back one in the middle loses nothing and generates once.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { uploadImage } from '../support/chain.ts'
import { configured, engineFile } from '../support/engine-file.ts'
import { startProcess } from '../support/process.ts'
import { startService, testKey } from '../support/service.ts'
import { untilTrue } from '../support/until.ts'

test('a task survives the death of the service behind', { timeout: 120_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-back-'))
  let back = await startProcess({ DAILIES_DATA: dataDir })
  const env = { DAILIES_DATA: dataDir, DAILIES_PORT: new URL(back.url).port }
  const config = await configured(engineFile({ type: 'upstream', url: back.url, key: testKey, pollEvery: '100ms' }))
  const front = await startService(config.env)
  try {
    const image_url = await uploadImage(front)
    const taskId = await front.api.createTask('a boat script: progress 20, wait 1500ms', { image_url })
    const backTasks = async () => (await back.api.get('/api/v1/jobs/list')).body.data.items
    const working = async () => (await backTasks())[0]?.state === 'generating'
    await untilTrue('the back works', working, 20_000)
    await back.kill('SIGKILL')
    back = await startProcess(env)
    const record = await front.api.until(taskId, ['success', 'fail'], 60_000)
    assert.equal(record.state, 'success', JSON.stringify(record))
    assert.equal((await backTasks()).length, 1)
  } finally {
    await front.stop()
    await back.kill('SIGKILL')
    await config.remove()
    await rm(dataDir, { recursive: true, force: true })
  }
})
