// Servers with the OpenAI videos API as they really behave, and LightX2V and stable-diffusion.cpp where they differ.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { EngineError, type Finding } from '../../../src/engines/engine.ts'
import { type Bench, openBench, openTools } from '../../contracts/engine-subjects.ts'
import { startLightx2v } from '../../support/generators/lightx2v.ts'
import { startOpenaiVideos } from '../../support/generators/openai-videos.ts'
import { startSdcpp } from '../../support/generators/sdcpp.ts'
import type { StandIn } from '../../support/generators/stand-in.ts'
import { untilTrue } from '../../support/until.ts'

const messagesOf = (findings: Finding[]) => findings.map(({ message }) => message).join()

const signal = () => AbortSignal.timeout(5000)
const lastFrame = { file: 'first.jpg', kind: 'image' as const }

const tools = openTools()
after(() => tools.close())

function withServer(start: () => Promise<StandIn>, settings: object) {
  const benches: Bench[] = []
  const world = {
    server: null as unknown as StandIn,
    async open(more: object = {}): Promise<Bench> {
      const bench = await openBench(world.server, { ...settings, pollEvery: '20ms', ...more }, tools)
      benches.push(bench)
      return bench
    },
  }
  before(async () => {
    world.server = await start()
  })
  afterEach(() => {
    world.server.quirks.clear()
    world.server.set('hold')
    world.server.results('video')
  })
  after(async () => {
    for (const bench of benches) await bench.close()
    await world.server?.close()
  })
  return world
}

describe('a server with the OpenAI videos API', { timeout: 60_000 }, () => {
  const world = withServer(startOpenaiVideos, { type: 'openai-videos' })

  test('a failed job is read although it comes with HTTP 500', async () => {
    const bench = await world.open()
    world.server.quirks.add('failed with 500')
    world.server.set('fail')
    const began = performance.now()
    await assert.rejects(bench.run(), (error) => {
      assert.ok(error instanceof EngineError)
      assert.match(error.message, /CUDA out of memory/)
      return true
    })
    assert.ok(performance.now() - began < 5000)
  })

  test('a job that takes too long ends the attempt, also where the server cannot be reached to cancel it', async () => {
    const bench = await world.open({ jobTime: '600ms' })
    const context = await bench.context()
    const handle = await bench.start(bench.plan, context)
    await world.server.down()
    try {
      await assert.rejects(bench.engine.follow(handle, bench.plan, context), (error) => {
        assert.ok(error instanceof EngineError)
        assert.match(error.message, /was not done after 1 s/)
        assert.equal(error.retryable, false)
        return true
      })
    } finally {
      await world.server.up()
    }
  })

  test('a server without room is asked again when it says, and its reason is the message', async () => {
    const bench = await world.open({ jobTime: '2500ms' })
    world.server.quirks.add('quota')
    const before = world.server.requests.length
    const reasons: (string | null)[] = []
    const context = { ...(await bench.context()), waiting: (reason: string | null) => void reasons.push(reason) }
    await assert.rejects(bench.start(bench.plan, context), /had no room for the video: it responded with 429: .*Quota/)
    const asked = world.server.requests.slice(before).filter((line) => line === 'POST /v1/videos')
    assert.equal(asked.length, 1, 'Retry-After was not followed')
    assert.deepEqual(reasons.slice(1), [null], 'the end of the wait is reported')
    assert.match(reasons[0]!, /Quota exceeded/)
    assert.ok(context.reported.length >= 2, 'a heartbeat while it waits')
  })

  test('a video in cloud storage is fetched from its URL', async () => {
    const bench = await world.open()
    world.server.quirks.add('url')
    world.server.set('finish')
    assert.equal((await bench.run()).seconds, 5)
  })

  test('sizes are multiples of 16', async () => {
    const bench = await world.open()
    world.server.quirks.add('steps of 16')
    world.server.set('finish')
    const result = await bench.run({ plan: { size: { width: 1080, height: 720 } } })
    assert.deepEqual([result.width, result.height], [1080, 720])
    assert.ok(result.adjusted!.some((phrase) => phrase.startsWith('scaled from')))
  })

  test('first and last frame go together where the server wants them so', async () => {
    const bench = await world.open({ framesField: 'input_references' })
    world.server.quirks.add('references stand alone')
    world.server.set('finish')
    await bench.run({ plan: { lastFrame } })
    const images = [...world.server.jobs.values()].at(-1)!.request.images as { field: string }[]
    assert.deepEqual(
      images.map(({ field }) => field),
      ['input_references', 'input_references'],
    )
  })

  test('health is asked of the models, else of the videos', async () => {
    const bench = await world.open()
    world.server.quirks.add('lists fail')
    await bench.engine.probe!(signal())
    world.server.quirks.add('no models')
    await assert.rejects(bench.engine.probe!(signal()), /500/)
    world.server.quirks.delete('lists fail')
    await bench.engine.probe!(signal())
  })

  test('a stored video is deleted there', async () => {
    const bench = await world.open()
    world.server.quirks.add('delete forgets')
    world.server.set('finish')
    const context = await bench.context()
    const handle = await bench.start(bench.plan, context)
    await bench.engine.follow(handle, bench.plan, context)
    const [{ id }] = JSON.parse(String(handle.jobs))
    assert.equal(world.server.jobs.has(id), true)
    await bench.engine.discard!(handle)
    assert.equal(world.server.jobs.has(id), false)
  })
})

describe("stable-diffusion.cpp's server", { timeout: 60_000 }, () => {
  const world = withServer(startSdcpp, { type: 'sdcpp', shortSide: 64 })

  test('a build without the format is unhealthy, and an unknown sampler is reported', async () => {
    const bench = await world.open({ fields: { sample_params: { sample_method: 'magic' } } })
    await bench.engine.probe!(signal())
    assert.match(messagesOf(await bench.engine.inspect!(signal())), /sample_method: "magic" is not one of euler/)
    world.server.quirks.add('no webm')
    await assert.rejects(bench.engine.probe!(signal()), /cannot write webm; set "format" to one of webp, avi/)
  })

  test('a job that cannot be canceled any more is left to end', async () => {
    const bench = await world.open()
    world.server.quirks.add('generating cannot be canceled')
    const handle = await bench.start(bench.plan, await bench.context())
    await bench.engine.cancel(handle)
  })
})

describe("LightX2V's server", { timeout: 60_000 }, () => {
  const world = withServer(startLightx2v, { type: 'lightx2v', shortSide: 64, lastFrame: true })

  test('a last frame goes by the form, and a repeated submission finds its task', async () => {
    const bench = await world.open()
    world.server.set('finish')
    const before = world.server.submissions()
    const plan = { ...bench.plan, lastFrame }
    const submission = 'with-a-last-frame'
    const handles = [
      await bench.start(plan, await bench.context({ submission })),
      await bench.start(plan, await bench.context({ submission })),
    ]
    assert.deepEqual(handles[0], handles[1])
    assert.equal(world.server.submissions(), before + 1)
    assert.equal([...world.server.jobs.values()].at(-1)!.request.last_frame_file, 'file')
    const result = await bench.engine.follow(handles[0]!, plan, await bench.context({ submission }))
    assert.equal(result.seconds, 5)
  })

  test('a full queue is waited for', async () => {
    const bench = await world.open()
    world.server.quirks.add('queue full')
    const stop = new AbortController()
    const context = await bench.context({ signal: stop.signal })
    const starting = bench.start(bench.plan, context)
    starting.catch(() => {})
    await untilTrue('it waits for a place', () => context.reported.length > 0)
    stop.abort(new Error('enough'))
    await assert.rejects(starting, { name: 'AbortError' })
  })
})
