// The contract of every engine that works elsewhere: start, follow, progress, cancel, a crash in between, a generator that
// is silent, fails, restarts, forgets, or gives something that is no video. And of those in our own process, as far as
// it concerns them.
import assert from 'node:assert/strict'
import { mkdtemp, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError, type Handle } from '../../src/engines/engine.ts'
import { createStudio } from '../../src/engines/studio/studio.ts'
import { createScriptedEngine } from '../support/engines/scripted.ts'
import { jpeg } from '../support/files/image-files.ts'
import type { Result, StandIn } from '../support/generators/stand-in.ts'
import { untilTrue } from '../support/until.ts'
import { type Bench, benchOf, openBench, openTools, remoteSubjects } from './engine-subjects.ts'

/** A generator that is there gives several signs in this time. */
const silenceMs = 200

const failsWith = (pattern: RegExp, retryable: boolean) => (error: unknown) => {
  assert.ok(error instanceof EngineError, String(error))
  assert.match(error.message, pattern)
  assert.equal(error.retryable, retryable, error.message)
  return true
}

const tools = openTools()
after(() => tools.close())

for (const subject of remoteSubjects) {
  describe(`the engine ${subject.name}`, { timeout: 120_000 }, () => {
    let generator: StandIn
    let bench: Bench
    before(async () => {
      generator = await subject.startGenerator()
      bench = await openBench(generator, subject.settings, tools)
    })
    afterEach(() => {
      generator.set('hold')
      generator.results('video')
      generator.percent(0)
    })
    after(async () => {
      await bench?.close()
      await generator?.close()
    })

    /** Starts, and follows until the generator has it. */
    async function underWay(signal?: AbortSignal) {
      const before = generator.submissions()
      const context = await bench.context(signal ? { signal } : {})
      const handle = await bench.start(bench.plan, context)
      const following = bench.engine.follow(handle, bench.plan, context)
      following.catch(() => {})
      await untilTrue('the generator has the job', () => generator.submissions() === before + 1)
      return { context, following, latest: () => context.kept.at(-1) ?? handle, handle }
    }

    test('makes a video, a thumbnail and a last frame', async () => {
      generator.set('finish')
      const result = await bench.run()
      for (const path of [result.videoPath, result.thumbnailPath, result.lastFramePath]) {
        assert.ok((await stat(path)).size > 200, path)
      }
      assert.ok(result.width >= 32)
      assert.ok(Math.abs(result.seconds - bench.plan.seconds) < 0.1, String(result.seconds))
      assert.deepEqual([result.codec, Array.isArray(result.adjusted)], ['h264', true])
      assert.ok(result.fps! > 1, String(result.fps))
    })

    test('reports progress, and heartbeats while there is none', async () => {
      const { context, following } = await underWay()
      // A stream of events says something only when there is something, or every 15 s.
      await untilTrue('heartbeats', () => context.reported.length > (subject.name === 'upstream' ? 0 : 5))
      generator.percent(50)
      if (subject.name === 'upstream' || subject.name === 'openai-videos') {
        await untilTrue('the number', () => context.reported.some((percent) => percent >= 40 && percent <= 50))
      }
      generator.set('finish')
      await following
    })

    test('is followed again after a crash, and submitted once', async () => {
      const crash = new AbortController()
      const { following, latest, context } = await underWay(crash.signal)
      const before = generator.submissions()
      crash.abort(new Error('crash'))
      await assert.rejects(following)
      generator.set('finish')
      const { submission } = context
      const result = await bench.engine.follow(latest(), bench.plan, await bench.context({ submission }))
      assert.ok((await stat(result.videoPath)).size > 200)
      assert.equal(generator.submissions(), before)
    })

    test('is submitted once though a crash made it forget that it was', { skip: !subject.idempotent }, async () => {
      const before = generator.submissions()
      const submission = `twice-${subject.name}`
      const first = await bench.context({ submission })
      const handle = await bench.start(bench.plan, first)
      const crashed = { ...first, keep: () => Promise.reject(new Error('crash')) }
      const following = bench.engine.follow(handle, bench.plan, { ...crashed, signal: AbortSignal.timeout(1500) })
      await assert.rejects(following)
      await untilTrue('the generator has the job', () => generator.submissions() === before + 1)
      generator.set('finish')
      const again = await bench.context({ submission })
      // One that stores its handle only later starts over; the others go on with what they have.
      const found = subject.name === 'upstream' ? handle : await bench.start(bench.plan, again)
      await bench.engine.follow(found, bench.plan, again)
      assert.equal(generator.submissions(), before + 1)
    })

    // A service in front of another submits while it follows; e2e/chained cancels at every moment of that.
    const submitsAtStart = subject.name !== 'upstream'
    test('an abort at any moment leaves no accepted job whose id is unknown', { skip: !submitsAtStart }, async () => {
      const before = generator.submissions()
      const known: Handle[] = []
      for (let afterMs = 0; afterMs < 40; afterMs += 2) {
        const stop = new AbortController()
        const context = await bench.context({ signal: stop.signal })
        setTimeout(() => stop.abort(new Error('canceled')), afterMs)
        const handle = await bench.start(bench.plan, context).catch(() => null)
        if (handle) known.push(handle)
      }
      await untilTrue('the generator has what we know of', () => generator.submissions() - before === known.length)
      for (const handle of known) await bench.engine.cancel(handle)
    })

    test('cancels at the generator', async () => {
      const before = generator.canceled()
      const stop = new AbortController()
      const { following, latest } = await underWay(stop.signal)
      await untilTrue('the handle is kept', () => subject.name !== 'upstream' || 'taskId' in latest())
      stop.abort(new Error('canceled'))
      await assert.rejects(following, /canceled/)
      await bench.engine.cancel(latest())
      await untilTrue('the generator stops', () => generator.canceled() === before + 1)
    })

    test('waits while the generator is away, and goes on when it is back', async () => {
      const { context, following } = await underWay()
      await untilTrue('heartbeats', () => context.reported.length > 0)
      await generator.down()
      generator.set('finish')
      try {
        // Silence is what the watchdog must see, once what had arrived before has been read.
        await untilTrue('silence', async () => {
          const signs = context.reported.length
          await sleep(silenceMs)
          return context.reported.length === signs
        })
      } finally {
        await generator.up()
      }
      await following
    })

    test('gives up at once when it is aborted, also while the generator is silent', async () => {
      const stop = new AbortController()
      const { following } = await underWay(stop.signal)
      generator.silent(true)
      const began = performance.now()
      stop.abort(new Error('silence'))
      await assert.rejects(following, /silence/)
      assert.ok(performance.now() - began < 1000)
      generator.silent(false)
    })

    test('reports a failure of the generator in its own words', async () => {
      generator.set('fail')
      await assert.rejects(bench.run(), failsWith(/out of memory/, subject.name !== 'upstream'))
    })

    test('asks for another attempt when the generator has forgotten the job', async () => {
      const { following } = await underWay()
      await generator.forget()
      await assert.rejects(following, failsWith(/no longer knows/, true))
    })

    test('is unavailable, without having lost anything, when the server is not there', async () => {
      await generator.down()
      const starting = bench.run()
      await assert.rejects(starting, (error) => error instanceof EngineError && error.unavailable && error.retryable)
      await assert.rejects(bench.engine.probe!(AbortSignal.timeout(2000)))
      await generator.up()
      await bench.engine.probe!(AbortSignal.timeout(2000))
    })

    test('gives up when the generator responds with an HTML page', async () => {
      const { following } = await underWay()
      generator.page('<!doctype html><title>502</title>')
      await assert.rejects(following, failsWith(/instead of|makes no sense|responded with 200/, false))
      generator.page(null)
    })

    // What was delivered whole but is not the ordered video may be better the next time.
    const bad: [Result, RegExp, retryable: boolean][] = [
      ['garbage', /no usable video: it is .*not a video/, true],
      ['html', /an HTML page/, true],
      ['nothing', /an empty file|has no|responded/, true],
      ['endless', /larger than allowed|longer than/, false],
      ['gzip bomb', /encoding gzip|larger than allowed|longer than/, false],
      ['short', /it lasts 1\.3 s instead of 5 s/, true],
      ['still', /a still image/, true],
      ['frozen', /it is frozen/, true],
    ]
    // Another service has checked its videos, and a locked-off shot stands still.
    const refused = bad.filter(([kind]) => !(subject.name === 'upstream' && kind === 'frozen'))
    for (const [kind, words, retryable] of refused) {
      test(`ends with a reason when the video is: ${kind}`, async () => {
        generator.set('finish')
        generator.results(kind)
        await assert.rejects(bench.run(), (error) => {
          assert.ok(error instanceof EngineError && error.blame === 'engine')
          return failsWith(words, retryable)(error)
        })
      })
    }
  })
}

describe('the engines of our own process', { timeout: 120_000 }, () => {
  const studio = createStudio({ slots: 1, threadsPerSlot: 1, depth: false })
  const benches = new Map<string, Bench>()
  before(async () => {
    for (const engine of [createScriptedEngine(), studio]) {
      const folder = await mkdtemp(join(tmpdir(), 'dailies-engine-'))
      await writeFile(join(folder, 'first.jpg'), await jpeg(64, 36))
      await writeFile(join(folder, 'broken.jpg'), 'not an image')
      benches.set(
        engine.name,
        benchOf(engine, folder, async () => {}),
      )
    }
  })
  after(async () => {
    await studio.close()
    for (const bench of benches.values()) await bench.close()
  })

  for (const name of ['scripted', 'studio']) {
    test(`${name} makes a video, and makes it again from its handle`, async () => {
      const bench = benches.get(name)!
      const plan = { ...bench.plan, seconds: 0.5 }
      const context = await bench.context()
      const handle = await bench.start(plan, context)
      for (const each of [context, await bench.context()]) {
        const result = await bench.engine.follow(handle, plan, each)
        assert.ok((await stat(result.videoPath)).size > 200)
        assert.ok((await stat(result.lastFramePath)).size > 0)
      }
      await bench.engine.cancel(handle)
    })
  }

  test('studio reports progress and stops when it is aborted', async () => {
    const bench = benches.get('studio')!
    const stop = new AbortController()
    const context = await bench.context({ signal: stop.signal })
    const following = bench.engine.follow({}, { ...bench.plan, seconds: 60 }, context)
    await untilTrue('progress', () => context.reported.some((percent) => percent > 1), 20_000)
    stop.abort(new Error('enough'))
    await assert.rejects(following, /enough/)
  })

  test('studio reports input files that cannot be read, and asks for no other attempt', async () => {
    const bench = benches.get('studio')!
    const firstFrame = { file: 'broken.jpg', kind: 'image' as const }
    await assert.rejects(bench.run({ plan: { firstFrame } }), failsWith(/first frame cannot be read/, false))
  })
})
