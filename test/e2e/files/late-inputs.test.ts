// Input files that a worker has fetched when their task has ended: it learns of the end only when it wants to store them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createScriptedEngine } from '../../support/engines/scripted.ts'
import { places } from '../../support/places/places.ts'
import { uploadImage } from '../../support/service/chain.ts'
import { startService } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'

/** Plays scripts, but under a name of its own, so that input files are gathered for it. */
const engine = { ...createScriptedEngine(), name: 'quick' }

for (const { name, create } of places) {
  for (const isDeleted of [false, true]) {
    const ended = isDeleted ? 'canceled and deleted' : 'canceled'
    test(`are deleted when the task was ${ended} meanwhile (${name})`, async () => {
      await using opened = new AsyncDisposableStack()
      const place = opened.adopt(await create(), ({ stop }) => stop())
      const hasBegun = Promise.withResolvers<void>()
      const hasEnded = Promise.withResolvers<void>()
      const gathered = Promise.withResolvers<void>()
      const service = opened.adopt(
        await startService(
          { ...place.env, DAILIES_MODERATION: 'off' },
          {
            engine,
            async fetchInputs(task, { job }, usual) {
              hasBegun.resolve()
              await hasEnded.promise
              // Another machine hears of the end a moment later.
              return usual(task, { job, signal: new AbortController().signal }).finally(gathered.resolve)
            },
          },
        ),
        ({ stop }) => stop(),
      )
      const { api, app } = service
      const taskId = await api.createTask('a boat', { image_url: await uploadImage(service) })
      await hasBegun.promise
      assert.equal((await api.post('/api/v1/jobs/cancelTask', { taskId })).status, 200)
      if (isDeleted) assert.equal((await api.delete(`/api/v1/jobs/${taskId}`)).status, 200)
      hasEnded.resolve()
      await gathered.promise
      await untilTrue('no input file is left', async () => {
        await app.upkeep()
        return (await app.db.all(`select token from files where purpose = 'input'`)).length === 0
      })
    })
  }
}
