// Results that are not what was ordered, seen from outside: a failed attempt with its reason, then another attempt or the
// fallback; what is sold is the ordered video.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { StandIn } from '../../support/generators/stand-in.ts'
import { variantA, variantB } from '../../support/service/api.ts'
import type { TestService } from '../../support/service/service.ts'
import { type GeneratorService, startWithGenerators } from '../../support/service/with-generators.ts'

describe('a result that is refused', { timeout: 120_000 }, () => {
  let at: GeneratorService
  let generator: StandIn
  let service: TestService
  let image: string
  before(async () => {
    at = await startWithGenerators(({ generator, spare }) => ({
      // Two engines on one server, so that the failures of a test do not count against the next one's engine.
      engines: { gpu: generator, lone: generator, spare },
      models: { [variantA]: { engines: ['lone'] }, [variantB]: { engines: ['gpu'], fallback: ['spare'] } },
    }))
    ;({ generator, service, image } = at)
    generator.set('finish')
  })
  after(() => at?.stop())

  const create = (model: string, input: object) => at.create(model, input)
  const attemptsOf = (taskId: string) =>
    service.app.db.all<{ engine: string; outcome: string; reason: string | null }>(
      'select engine, outcome, reason from task_attempts where task_id = ? order by number',
      [taskId],
    )

  test('a still is a failed attempt with its reason, and the video of the fallback is sold', async () => {
    generator.results('still')
    const answer = await create(variantB, { image_urls: [image] })
    const record = await service.api.until(answer.body.data.taskId, ['success', 'fail'], 20_000)
    assert.equal(record.state, 'success', JSON.stringify(record))
    assert.equal((record.video as { engine: string }).engine, 'spare')
    const [first, second] = await attemptsOf(answer.body.data.taskId)
    assert.deepEqual(
      [first!.engine, first!.outcome, second!.engine, second!.outcome],
      ['gpu', 'failed', 'spare', 'succeeded'],
    )
    assert.match(first!.reason!, /a still image/)
  })

  test('without a fallback it is attempted again, then the task fails with the reason and costs nothing', async () => {
    generator.results('still')
    const credit = async () => (await service.api.get('/api/v1/account/credit')).body.data
    const before = await credit()
    const answer = await create(variantA, { image_url: image })
    const { taskId } = answer.body.data
    const record = await service.api.until(taskId, ['success', 'fail'], 60_000)
    assert.deepEqual([record.state, record.failReason], ['fail', 'engine_failed'])
    assert.match(record.failMsg as string, /delivered no usable video: it is a still image/)
    const attempts = await attemptsOf(taskId)
    assert.deepEqual(
      attempts.map(({ engine, outcome }) => [engine, outcome]),
      Array.from({ length: 3 }, () => ['lone', 'failed']),
    )
    assert.equal(await credit(), before)
  })

  test('an engine that refuses the task is not asked again: the fallback gets it', async () => {
    generator.quirks.add('wrong key')
    const before = generator.requests.length
    const answer = await create(variantB, { image_urls: [image] })
    const record = await service.api.until(answer.body.data.taskId, ['success', 'fail'], 20_000)
    generator.quirks.delete('wrong key')
    assert.equal((record.video as { engine: string } | null)?.engine, 'spare', JSON.stringify(record))
    const posts = generator.requests.slice(before).filter((request) => request.startsWith('POST'))
    assert.equal(posts.length, 1, posts.join())
    const [first] = await attemptsOf(answer.body.data.taskId)
    assert.match(first!.reason!, /\(401\)/)
  })
})
