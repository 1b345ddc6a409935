// Which engine serves a task, seen from outside: the file that says so, fallbacks, what an engine cannot do, and what
// clients get while it is away.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { StandIn } from '../../support/generators/stand-in.ts'
import { variantA, variantB } from '../../support/service/api.ts'
import { commandJson, runCommand } from '../../support/service/command.ts'
import type { TestService } from '../../support/service/service.ts'
import { type GeneratorService, startWithGenerators } from '../../support/service/with-generators.ts'
import { untilTrue } from '../../support/until.ts'

describe('models served by a generator', { timeout: 120_000 }, () => {
  let at: GeneratorService
  let generator: StandIn
  let service: TestService
  let image: string
  before(async () => {
    at = await startWithGenerators((engines) => ({
      engines: { gpu: engines.generator, spare: engines.spare },
      models: {
        [variantA]: { engines: ['gpu'] },
        [variantB]: { engines: [{ name: 'gpu', weight: 1 }], fallback: ['spare'] },
        'acme/fast': { like: variantA, engines: ['gpu'], prices: { 5: 7 } },
        'acme/any': { like: variantB, engines: ['gpu'], unsupported: 'studio' },
      },
    }))
    ;({ generator, service, image } = at)
  })
  afterEach(() => generator.set('hold'))
  after(() => at?.stop())

  const create = (model: string, input: object) => at.create(model, input)
  const status = async () => {
    const { engines } = (await service.api.get('/api/v1/operator/status')).body.data
    return engines.find(({ name }: { name: string }) => name === 'gpu')
  }
  const away = async () => {
    await generator.down()
    for (let round = 0; round < 2; round++) await service.app.upkeep()
  }
  /** It may be tried again 5 s after it was first found away, and 10 s after the second time. */
  const back = async () => {
    await generator.up()
    const healthy = async () => {
      await service.app.upkeep()
      return (await status()).healthy
    }
    await untilTrue('the engine is found healthy', healthy, 30_000)
  }

  test('a declared model has its own name and price and the fields of another', async () => {
    generator.set('finish')
    const answer = await create('acme/fast', { image_url: image })
    assert.equal(answer.status, 200, answer.text)
    const record = await service.api.until(answer.body.data.taskId, ['success', 'fail'], 30_000)
    assert.deepEqual([record.state, record.model, record.creditsConsumed], ['success', 'acme/fast', 7])
    const models = (await service.api.get('/v1/models')).body.data.map(({ id }: { id: string }) => id)
    assert.ok(models.includes('acme/fast'))
    assert.equal((await create('acme/fast', {})).status, 422)
  })

  test('what the engine cannot do is refused by 505, before credits are looked at', async () => {
    const answer = await create(variantA, { image_url: image, tail_image_url: image })
    assert.equal(answer.status, 505)
    assert.match(answer.body.msg, /does not support a last frame/)
  })

  test('or is played by the studio, where the file says so', async () => {
    const answer = await create('acme/any', { image_urls: [image, image], duration: 3 })
    assert.equal(answer.status, 200, answer.text)
    const { taskId } = answer.body.data
    const row = await service.app.db.one<{ engine: string }>('select engine from tasks where id = ?', [taskId])
    assert.equal(row!.engine, 'studio')
    await service.api.post('/api/v1/jobs/cancelTask', { taskId })
  })

  test('an operator sees that the generator is busy, and what it said, until the task no longer waits for it', async () => {
    assert.equal((await status()).busy, null)
    generator.quirks.add('quota')
    const { taskId } = (await create(variantA, { image_url: image })).body.data
    await untilTrue('the status says so', async () => /429.*Quota exceeded/.test((await status()).busy))
    assert.equal((await status()).healthy, true)
    await service.api.post('/api/v1/jobs/cancelTask', { taskId })
    await untilTrue('the status says no longer so', async () => (await status()).busy === null)
    generator.quirks.delete('quota')
  })

  test('while the engine is away creation is 408 with Retry-After, or the fallback serves', async () => {
    await away()
    assert.equal((await status()).healthy, false)
    const refused = await create(variantA, { image_url: image })
    assert.equal(refused.status, 408)
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(seconds >= 1 && seconds <= 5, String(seconds))
    const served = await create(variantB, { image_urls: [image], duration: 3 })
    assert.equal(served.status, 200, served.text)
    const record = await service.api.until(served.body.data.taskId, ['success', 'fail'])
    assert.equal(record.state, 'success')
    await back()
  })

  test('a task that was accepted waits for its engine to come back, and loses no attempt', async () => {
    generator.set('finish')
    const before = generator.submissions()
    await generator.down()
    const accepted = await create(variantA, { image_url: image })
    assert.equal(accepted.status, 200, accepted.text)
    const { taskId } = accepted.body.data
    const timeline = async () => (await service.api.get(`/api/v1/jobs/timeline?taskId=${taskId}`)).text
    await untilTrue('it was tried', async () => (await timeline()).includes('was unavailable'), 10_000)
    for (let round = 0; round < 2; round++) await service.app.upkeep()
    // While no engine takes it, it waits in the queue without a slot of a worker.
    await untilTrue('it holds no slot', async () => {
      const { queues } = (await service.api.get('/api/v1/operator/status')).body.data
      const found = queues.find(({ queue }: { queue: string }) => queue === 'generate:gpu')
      return found?.waiting === 1 && found.running === 0
    })
    assert.equal((await service.api.record(taskId)).state, 'queueing')
    await back()
    const record = await service.api.until(taskId, ['success', 'fail'], 20_000)
    assert.equal(record.state, 'success', JSON.stringify(record))
    assert.equal(generator.submissions(), before + 1)
    // Each under a number of its own: what a worker that hung in an earlier one still writes does not count.
    const tries = await service.app.db.all<{ attempt: number }>(
      'select number as attempt from task_attempts where task_id = ? order by started_at, number',
      [taskId],
    )
    const numbers = tries.map(({ attempt }) => attempt)
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    )
  })

  test('a task that its engine failed goes to the fallback', async () => {
    generator.set('fail')
    const answer = await create(variantB, { image_urls: [image], duration: 3 })
    const record = await service.api.until(answer.body.data.taskId, ['success', 'fail'], 20_000)
    assert.equal(record.state, 'success', JSON.stringify(record))
  })

  test('the doctor reports each engine', async () => {
    const env = { ...at.env, DAILIES_PORT: '0' }
    const { checks } = await commandJson(['doctor'], env)
    const found = checks.find(({ name }: { name: string }) => name === 'engine gpu')
    assert.equal(found.status, 'ok', JSON.stringify(checks))
    await generator.down()
    const { code, stdout } = await runCommand(['doctor'], env)
    await generator.up()
    assert.equal(code, 1)
    assert.match(stdout, /engine gpu\s+openai-videos at .* could not be reached/)
  })
})
