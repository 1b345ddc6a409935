// A service that is killed or stopped while a generator works for it: one submission there, one video here, one charge. A
// stop does not wait for the generator.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/open.ts'
import { remoteSubjects } from '../contracts/engine-subjects.ts'
import { places } from '../support/places/places.ts'
import { uploadImage } from '../support/service/chain.ts'
import { configured, engineFile } from '../support/service/engine-file.ts'
import { startProcess } from '../support/service/process.ts'
import { untilTrue } from '../support/until.ts'
import { within } from '../support/within.ts'

async function handleOf(env: Record<string, string>, taskId: string): Promise<string | null> {
  const db = await openDatabase(loadConfig(env))
  const row = db.one<{ handle: string | null }>('select handle from tasks where id = ?', [taskId])
  return (await row.finally(() => db.close()))!.handle
}

/** Far below the grace that work of its own gets. */
const stopMsMax = 5_000

const ends = [
  { signal: 'SIGKILL', exitCode: null, note: 'the worker crashed' },
  { signal: 'SIGTERM', exitCode: 0, note: 'the worker was stopped' },
] as const
type End = (typeof ends)[number]
type RemoteSubject = (typeof remoteSubjects)[number]

for (const end of ends) {
  describe(`${end.signal} between submission and result`, { timeout: 240_000 }, () => {
    for (const subject of remoteSubjects) testEnd(subject, end)
  })
}

function testEnd({ name, startGenerator, settings, idempotent }: RemoteSubject, { signal, exitCode, note }: End): void {
  test(`${name}: one submission, one result`, async () => {
    const generator = await startGenerator()
    const config = await configured(engineFile({ ...settings, url: generator.url }))
    const place = await places[0].create()
    const env = { ...place.env, ...config.env }
    let service = await startProcess(env)
    try {
      const image_url = await uploadImage(service)
      const credit = async () => (await service.api.get('/api/v1/account/credit')).body.data
      const before = await credit()
      const taskId = await service.api.createTask('a boat', { image_url })
      await untilTrue('the generator has the job', () => generator.submissions() === 1, 20_000)
      // Where the generator cannot be asked to take a submission only once, it must be noted before the kill.
      await untilTrue('the job is noted', async () => idempotent || (await handleOf(place.env, taskId)) !== null)
      const code = await within(stopMsMax, 'the end of the process', service.kill(signal))
      assert.equal(code, exitCode)
      service = await startProcess(env)
      await service.api.until(taskId, ['generating'], 20_000)
      generator.set('finish')
      const record = await service.api.until(taskId, ['success', 'fail'], 60_000)
      assert.equal(record.state, 'success', JSON.stringify(record))
      assert.equal(generator.submissions(), 1)
      assert.equal(await credit(), before - 42)
      const { items } = (await service.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)).body.data
      const notes = items.flatMap(({ note }: { note: string | null }) => note?.match(/the worker .*/)?.[0] ?? [])
      assert.deepEqual(notes, [note])
    } finally {
      await service.kill('SIGKILL')
      await generator.close()
      await config.remove()
      await place.stop()
    }
  })
}
