// The sweeper in front of files in a folder that cannot be deleted.
import assert from 'node:assert/strict'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createManualClock } from '../support/manual-clock.ts'
import { startService, type TestService } from '../support/service/service.ts'

const day = 86_400_000
const clock = createManualClock(Date.parse('2026-01-01T00:00:00Z'))
let service: TestService
before(async () => {
  service = await startService({}, { clock })
})
after(() => service?.stop())

async function videoUrlOf(prompt: string): Promise<string> {
  const taskId = await service.api.createTask(prompt)
  await service.api.until(taskId, ['success'])
  return (await service.api.get(`/api/v1/video/recordInfo?taskId=${taskId}`)).body.data.videoInfo.videoUrl
}

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(service.filesDir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

test('a file that cannot be deleted does not keep the bytes of later ones', async () => {
  const token = new URL(await videoUrlOf('a file that stays')).pathname.split('/')[2]!
  const path = (await storedFiles()).find((file) => file.endsWith(token))!
  await rm(path)
  await mkdir(path)
  clock.advance(1000)
  await videoUrlOf('a file that expires later')
  clock.advance(14 * day + 1000)
  assert.ok((await storedFiles()).length > 0)
  await assert.rejects(service.app.upkeep(), { code: 'ERR_FS_EISDIR' })
  await assert.rejects(service.app.upkeep(), { code: 'ERR_FS_EISDIR' })
  assert.deepEqual(await storedFiles(), [])
  await rm(path, { recursive: true })
  await service.app.upkeep()
})
