// Suites about files, unchanged, on PostgreSQL and S3; and a real video whose material and result go through S3.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { variantA } from '../support/api.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startS3 } from '../support/s3.ts'
import { startService } from '../support/service.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

test('files, uploads and material behave the same', async (t) => {
  const files = ['../e2e/files.test.ts', '../e2e/material.test.ts'].map(here)
  const { NODE_TEST_CONTEXT: _own, ...env } = process.env
  const { failed, output } = await new Promise<{ failed: boolean; output: string }>((resolve) => {
    const options = { env: { ...env, TEST_PLACE: 'postgres-s3' }, maxBuffer: 2 ** 24 }
    execFile(process.execPath, ['--test', '--test-reporter=tap', ...files], options, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    )
  })
  assert.ok(!failed, output)
  const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1])
  assert.ok(passed >= 15, `only ${passed} tests ran`)
  t.diagnostic(`${passed} tests`)
})

test('the studio reads its material from S3 and leaves its video there', async (t) => {
  const database = await createTestDatabase()
  const s3 = await startS3()
  const dataDir = await mkdtemp(join(tmpdir(), 'dailies-test-'))
  const service = await startService({
    DAILIES_DATA: dataDir,
    DAILIES_DATABASE_URL: database.url,
    DAILIES_STORAGE_URL: s3.storageUrl(),
    DAILIES_ENGINE: 'studio',
    DAILIES_MODERATION: 'off',
    DAILIES_RENDER_SLOTS: '1',
  })
  t.after(async () => {
    await service.stop()
    await Promise.all([s3.stop(), database.stop()])
    await rm(dataDir, { recursive: true, force: true })
  })
  const picture = await sharp({ create: { width: 320, height: 320, channels: 3, background: '#478' } })
    .png()
    .toBuffer()
  const upload = await service.api.post('/api/v1/files/upload', { base64Data: picture.toString('base64') })
  assert.equal(upload.status, 200, upload.text)
  const input = { prompt: 'a slow push in', image_url: upload.body.data.downloadUrl, duration: '5' }
  const created = await service.api.post('/api/v1/jobs/createTask', { model: variantA, input })
  assert.equal(created.status, 200, created.text)
  const { taskId } = created.body.data
  const end = await service.api.until(taskId, ['success', 'fail'], 120_000)
  assert.equal(end.state, 'success', JSON.stringify(end))
  const record = await service.api.get(`/api/v1/video/recordInfo?taskId=${taskId}`)
  const video = await fetch(record.body.data.videoInfo.videoUrl, { headers: { range: 'bytes=4-7' } })
  assert.equal(video.status, 206)
  assert.equal(await video.text(), 'ftyp')
})
