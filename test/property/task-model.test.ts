// Walks random ways through the life of tasks, at every place, beside a model of ledger and state machine: after each
// step the balance, every state, every job and every record are what the model says. WALKS sets how many ways at each
// place, WALK_SEED repeats one.
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createManualClock } from '../support/manual-clock.ts'
import { places } from '../support/places/places.ts'
import { steps } from './commands.ts'
import { Model, type Rules } from './model.ts'
import { ServiceUnderTest } from './service-under-test.ts'

const walks = Number(process.env.WALKS ?? 6)
const seed = Number(process.env.WALK_SEED ?? Date.now() % 2 ** 31)
const stepsMax = 60
const hourMs = 3_600_000
const credits = 400

const rules: Omit<Rules, 'local'> = {
  slots: 2,
  attemptsMax: 3,
  crashesMax: 5,
  retryDelayMs: 1000,
  subLimit: 150,
  queueTimeoutMs: 24 * hourMs,
  videoTtlMs: 14 * 24 * hourMs,
  recordTtlMs: 90 * 24 * hourMs,
  idempotencyTtlMs: 24 * hourMs,
}

for (const { name, create } of places) {
  describe(`walks on ${name}`, () => {
    test('agree with the model at every step', async (t) => {
      t.diagnostic(`seed ${seed}`)
      await fc.assert(
        fc.asyncProperty(fc.commands(steps, { maxCommands: stepsMax, size: 'max' }), async (walk) => {
          const place = await create()
          const clock = createManualClock(Date.UTC(2026, 0, 1))
          const service = new ServiceUnderTest(
            { ...place.env, DAILIES_CREDITS: String(credits), DAILIES_RENDER_SLOTS: '2' },
            clock,
          )
          try {
            await service.start()
            await service.makeSubKey(rules.subLimit)
            const model = new Model({ ...rules, local: name === 'SQLite' }, credits, clock.now())
            await fc.asyncModelRun(() => ({ model, real: service }), walk)
          } finally {
            await service.end()
            await place.stop()
          }
        }),
        // Shrinking takes its time: it is for those who look into a failure (WALK_SEED), not for every run.
        { numRuns: walks, seed, endOnFailure: process.env.WALK_SEED === undefined, verbose: 0 },
      )
    })
  })
}
