// Which workers there are, as an operator sees it: listed while a process works, with what it does, and removed when it
// has stopped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liveWorkers } from '../../../src/queue/workers.ts'
import { places } from '../../support/places/places.ts'
import { startService } from '../../support/service/service.ts'

for (const { name, create } of places) {
  test(`the operator sees workers, their slots and their load (${name})`, async (t) => {
    const place = await create()
    const service = await startService({ ...place.env, DAILIES_RENDER_SLOTS: '3' })
    t.after(async () => {
      await service.stop()
      await place.stop()
    })
    const taskId = await service.api.createTask('a boat script: stall')
    await service.api.until(taskId, ['generating'])
    await service.app.upkeep()
    const { workers } = (await service.api.get('/api/v1/operator/status')).body.data
    const own = workers.filter(({ worker }: { worker: string }) => worker.endsWith(`:${process.pid}`))
    const generate = own.find(
      ({ queue, running }: { queue: string; running: number }) => queue.startsWith('generate:') && running > 0,
    )
    assert.deepEqual([generate.slots, generate.running], [3, 1])
    assert.ok(own.some(({ queue }: { queue: string }) => queue === 'prepare'))
    await service.api.post('/api/v1/jobs/cancelTask', { taskId })

    const shownUntilMs = generate.seenAt + 15_000
    assert.ok((await liveWorkers(service.app.db, shownUntilMs)).length > 0)
    assert.deepEqual(await liveWorkers(service.app.db, shownUntilMs + 10_000), [])
  })
}
