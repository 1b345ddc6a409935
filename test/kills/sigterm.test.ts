// SIGTERM under load. `node test/kills/sigterm-many.ts --times 50` does it often.
import { describe, test } from 'node:test'
import { places } from '../support/places/places.ts'
import { stopUnderLoad } from './stop-under-load.ts'

for (const { name, create } of places) {
  describe(`SIGTERM (${name})`, () => {
    test('under load responds to everything that was accepted, again and again', async (context) => {
      const database = await create()
      try {
        for (let i = 0; i < 2; i++) {
          const { tookMs, accepted, read } = await stopUnderLoad(database.env)
          context.diagnostic(`stopped in ${Math.round(tookMs)} ms; ${accepted} tasks and ${read} reads answered`)
        }
      } finally {
        await database.stop()
      }
    })
  })
}
