// Processes that inspect input files and are killed: tasks try them again, and one that kills every process ends.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { killChildren } from '../../support/faults/kill-children.ts'
import { type BadServer, startBadServer } from '../../support/network/bad-server.ts'
import { type ServiceProcess, startProcess } from '../../support/service/process.ts'

const inspecting = 'media/child/inspect-main.ts'

let folder: string
let service: ServiceProcess
let server: BadServer

before(async () => {
  const body = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#456' } })
    .png()
    .toBuffer()
  server = await startBadServer({ files: { '/a.png': { body } } })
  folder = await mkdtemp(join(tmpdir(), 'dailies-killed-'))
  service = await startProcess({
    DAILIES_DATA: folder,
    DAILIES_MODERATION: 'off',
    TEST_ENGINE_WORKS: 'in process',
    TEST_GATHER_FROM: server.origin,
  })
})
after(async () => {
  await service?.kill('SIGKILL')
  await server?.close()
  await rm(folder, { recursive: true, force: true })
})

async function endOfTask(): Promise<{ record: Record<string, unknown>; notes: string[] }> {
  const taskId = await service.api.createTask('a boat', { image_url: `${server.origin}/a.png` })
  const record = await service.api.until(taskId, ['success', 'fail'], 60_000)
  const { items } = (await service.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)).body.data
  return { record, notes: items.map(({ note }: { note: string | null }) => note ?? '') }
}

test('a task whose inspecting process is killed is tried again', async () => {
  const killer = killChildren(service.child.pid!, inspecting, 1)
  try {
    const { record, notes } = await endOfTask()
    assert.equal(record.state, 'success', String(record.failMsg))
    assert.equal(killer.killed, 1)
    assert.ok(
      notes.some((note) => /^retry in .*crashed/.test(note)),
      notes.join('\n'),
    )
  } finally {
    await killer.stop()
  }
})

test('a task whose every inspecting process is killed ends after three attempts with a clear message', async () => {
  const killer = killChildren(service.child.pid!, inspecting)
  try {
    const { record, notes } = await endOfTask()
    assert.equal(record.state, 'fail')
    assert.match(String(record.failMsg), /crashed\. It was tried 3 times within \d+ s\.$/)
    assert.equal(record.creditsConsumed, 0)
    assert.equal(notes.filter((note) => note.startsWith('retry in')).length, 2)
  } finally {
    await killer.stop()
  }
  assert.equal((await endOfTask()).record.state, 'success')
})
