// /livez, /readyz and /metrics: open to every client, and without a word about accounts.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { png } from '../support/files/image-files.ts'
import { createApi } from '../support/service/api.ts'
import { newCaller } from '../support/service/callers.ts'
import { startService } from '../support/service/service.ts'
import { describeService } from '../support/service/suite.ts'
import { untilStatus, untilTrue } from '../support/until.ts'

describeService('health', {}, (service) => {
  test('needs no key', async () => {
    const api = service().as(null)
    assert.equal((await api.get('/livez')).text, '{"code":200,"msg":"success","data":{"status":"alive"}}')
    assert.deepEqual((await api.get('/readyz')).body.data, {
      status: 'ready',
      storage: 'up',
      release: packageJson.version,
    })
  })

  test('is ready while files cannot be stored, and says so', async () => {
    const api = service().as(null)
    const storage = async () => (await api.get('/readyz')).body.data.storage
    const measured = async () => /^dailies_storage_up (\d)$/m.exec((await api.get('/metrics')).text)?.[1]
    assert.equal(await measured(), '1')
    await rm(service().filesDir, { recursive: true, force: true })
    await writeFile(service().filesDir, 'in the way')
    await untilTrue('the storage is down', async () => (await storage()) === 'down')
    assert.equal(await measured(), '0')
    assert.equal((await api.get('/readyz')).status, 200)
    await rm(service().filesDir)
    await untilTrue('the storage is up', async () => (await storage()) === 'up')
  })

  test('makes the folder for unfinished files again when it was deleted', async () => {
    await rm(join(service().dataDir, 'tmp'), { recursive: true })
    const base64Data = (await png(64, 48)).toString('base64')
    const checkAndUpload = async () => {
      await service().as(null).get('/readyz')
      return service().api.post('/api/v1/files/upload', { base64Data })
    }
    await untilStatus(checkAndUpload, 200, 5_000)
  })

  test('measures without naming accounts, keys, tasks or URLs', async () => {
    const caller = await newCaller(service(), 1000)
    const taskId = await caller.api.createTask()
    await caller.api.until(taskId, ['success'])
    await caller.api.delete(`/api/v1/jobs/${taskId}`)
    const { status, headers, text } = await service().as(null).get('/metrics')
    assert.equal(status, 200)
    assert.match(headers.get('content-type')!, /^text\/plain/)
    assert.match(text, new RegExp(`^dailies_build_info\\{version="${packageJson.version}",revision="unknown",`, 'm'))
    assert.match(text, /^dailies_http_requests_total\{.*createTask.*\} 1$/m)
    for (const secret of [caller.key, caller.keyId, caller.accountId, taskId, '127.0.0.1', 'caller ']) {
      assert.ok(!text.includes(secret), secret)
    }
  })
})

test('with a token set, metrics require it', async () => {
  const service = await startService({ DAILIES_METRICS_TOKEN: 'a token' })
  try {
    for (const [authorization, status] of [
      ['Bearer a token', 200],
      ['bearer a token', 200],
      ['Bearer another', 401],
      ['a token', 401],
      ['Bearer ', 401],
    ] as const) {
      const answer = await createApi(service.url, null).get('/metrics', { headers: { authorization } })
      assert.equal(answer.status, status, authorization)
      assert.equal(answer.headers.get('www-authenticate'), status === 401 ? 'Bearer' : null)
    }
    assert.equal((await service.api.get('/metrics')).status, 401, 'an API key is no token')
  } finally {
    await service.stop()
  }
})
