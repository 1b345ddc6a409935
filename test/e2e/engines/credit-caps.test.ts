// The credits that may go to an engine, seen from outside: tasks that are claimed together do not exceed them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { variantA } from '../../support/service/api.ts'
import { startWithGenerators } from '../../support/service/with-generators.ts'
import { untilTrue } from '../../support/until.ts'

describe('an engine with creditsMax', { timeout: 120_000 }, () => {
  test('takes no task beyond them when many are claimed together', async (t) => {
    const at = await startWithGenerators(({ generator, spare }) => ({
      engines: { gpu: { ...generator, slots: 8, creditsMax: '60/365d' }, spare: { ...spare, slots: 8 } },
      models: { [variantA]: { engines: ['gpu'], fallback: ['spare'] } },
    }))
    t.after(at.stop)
    // None ends before all have started: every one of them is claimed while the cap has room.
    for (const standIn of [at.generator, at.spare]) standIn.set('hold')
    const created = await Promise.all(Array.from({ length: 8 }, () => at.create(variantA, { image_url: at.image })))
    for (const { status, text } of created) assert.equal(status, 200, text)
    const submitted = () => [at.generator.submissions(), at.spare.submissions()]
    await untilTrue('all are submitted', () => submitted()[0]! + submitted()[1]! === created.length, 90_000)
    // Each costs 42: the second one starts while credits are left, and uses them up.
    assert.deepEqual(submitted(), [2, 6])
  })
})
