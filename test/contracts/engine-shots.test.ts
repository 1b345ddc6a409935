// Shots on engines that know only single clips: one after the other, each submitted once, joined into one video.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startOpenaiVideos } from '../support/generators/openai-videos.ts'
import type { StandIn } from '../support/generators/stand-in.ts'
import { untilTrue } from '../support/until.ts'
import { type Bench, openBench, openTools } from './engine-subjects.ts'

describe('shots on an engine for clips', { timeout: 60_000 }, () => {
  let generator: StandIn
  let bench: Bench
  const tools = openTools()
  const shots = [
    { prompt: 'wide', seconds: 2 },
    { prompt: 'close', seconds: 3 },
  ]
  before(async () => {
    generator = await startOpenaiVideos()
    bench = await openBench(generator, { type: 'openai-videos', pollEvery: '20ms' }, tools)
  })
  after(async () => {
    await bench?.close()
    await tools.close()
    await generator?.close()
  })
  const requests = () => [...generator.jobs.values()].map(({ request }) => request)

  test('each is a clip of its own, and the next starts from where the last one ended', async () => {
    generator.set('finish')
    const result = await bench.run({ plan: { shots } })
    assert.deepEqual(
      requests().map(({ prompt, seconds }) => [prompt, seconds]),
      [
        ['a boat. wide', '2'],
        ['a boat. close', '3'],
      ],
    )
    const [first, second] = requests()
    assert.notEqual(first!.imageBytes, second!.imageBytes)
    assert.equal(result.seconds, 5)
    assert.ok(result.adjusted!.includes('joined from 2 clips'), String(result.adjusted))
  })

  test('a crash in the second follows both again and submits neither twice', async () => {
    generator.forget()
    generator.set('finish')
    const before = generator.submissions()
    const crash = new AbortController()
    const plan = { ...bench.plan, shots }
    const context = await bench.context({ signal: crash.signal })
    const handle = await bench.start(plan, context)
    const following = bench.engine.follow(handle, plan, {
      ...context,
      async keep(kept) {
        await context.keep(kept)
        generator.set('hold')
        crash.abort(new Error('crash'))
      },
    })
    await assert.rejects(following)
    await untilTrue('both are there', () => generator.submissions() === before + 2)
    generator.set('finish')
    const result = await bench.engine.follow(context.kept.at(-1)!, plan, await bench.context())
    assert.equal(result.seconds, 5)
    assert.equal(generator.submissions(), before + 2)
  })

  test('cancel reaches every clip', async () => {
    generator.forget()
    generator.set('finish')
    const context = await bench.context()
    await bench.run({ plan: { shots } })
    const jobs = [...generator.jobs.keys()].map((id) => ({ id }))
    await bench.engine.cancel({ jobs: JSON.stringify(jobs) })
    assert.equal(generator.canceled(), 2)
    assert.equal(context.kept.length, 0)
  })
})
