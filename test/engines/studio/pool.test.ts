// The render processes: they are reused and low in priority, obey aborts and limits, crash alone and end with their
// parent.

import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { after, before, test } from 'node:test'
import { EngineError } from '../../../src/engines/engine.ts'
import { untilTrue } from '../../support/until.ts'
import { drawTexture, pngOf } from './support/pictures.ts'
import { type StudioRun, startStudio } from './support/studio-run.ts'

const long = { seconds: 15, size: { width: 960, height: 540 } }
let first: Buffer
let run: StudioRun

before(async () => {
  first = await pngOf(drawTexture(640, 360, 1), 640, 360)
  run = await startStudio()
  await run.put('first.png', first)
})
after(() => run.close())

/** Resolves with the running render when it has drawn its first frames. */
async function underWay(studio: StudioRun, signal?: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const rendering = studio.run(long, { signal, progress: (percent) => percent >= 6 && resolve() })
  // A render that ends before it got going fails the test here instead of waiting for ever.
  await Promise.race([promise, rendering])
  return { rendering }
}

test('one warm process serves one render after the other, at low priority', async () => {
  await run.run({})
  const [pid, ...others] = run.studio.pids()
  assert.equal(others.length, 0)
  assert.equal(getPriority(pid!), Math.min(19, getPriority() + 10))
  await run.run({})
  assert.deepEqual(run.studio.pids(), [pid])
})

test('processes can be started ahead', async () => {
  const warm = await startStudio({ slots: 2 })
  await warm.studio.warm()
  const pids = warm.studio.pids()
  assert.equal(pids.length, 2)
  await warm.put('first.png', first)
  await Promise.all([warm.run({}), warm.run({})])
  assert.deepEqual(warm.studio.pids(), pids)
  await warm.close()
})

test('memory stays flat from render to render', async () => {
  const rss = async () =>
    Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${run.studio.pids()[0]}/status`, 'utf8'))![1]) / 1024
  for (let i = 0; i < 4; i++) await run.run({})
  const early = await rss()
  for (let i = 0; i < 12; i++) await run.run({})
  const late = await rss()
  assert.ok(late < early + 40, `${early} MB, then ${late} MB`)
})

test('an abort ends a render within a second and keeps the process', async () => {
  const [pid] = run.studio.pids()
  const abort = new AbortController()
  const { rendering } = await underWay(run, abort.signal)
  const started = performance.now()
  abort.abort(new Error('enough'))
  await assert.rejects(rendering, /enough/)
  assert.ok(performance.now() - started < 1000)
  assert.deepEqual(run.studio.pids(), [pid])
  await run.run({})
})

test('a job that waits for a slot can be aborted too, and the next one gets it', async () => {
  const [stopOne, stopTwo] = [new AbortController(), new AbortController()]
  const { rendering: one } = await underWay(run, stopOne.signal)
  const two = run.run({}, { signal: stopTwo.signal })
  const three = run.run({})
  stopTwo.abort(new Error('left the queue'))
  await assert.rejects(two, /left the queue/)
  stopOne.abort(new Error('made room'))
  await assert.rejects(one, /made room/)
  assert.equal((await three).seconds, 1)
})

test('a process killed in the middle costs one attempt', async () => {
  const { rendering } = await underWay(run)
  process.kill(run.studio.pids()[0]!, 'SIGKILL')
  await assert.rejects(
    rendering,
    (error) => error instanceof EngineError && error.retryable && /SIGKILL/.test(error.message),
  )
  const result = await run.run({})
  assert.equal(result.seconds, 1)
})

test('a render that outgrows its memory is stopped', async () => {
  const small = await startStudio({ rssBytesMax: 60_000_000 })
  await small.put('first.png', first)
  await assert.rejects(
    small.run(long),
    (error) => error instanceof EngineError && !error.retryable && /60 MB/.test(error.message),
  )
  await small.close()
})

test('a render that takes too long is stopped', async () => {
  const hasty = await startStudio({ renderMsMax: 300 })
  await hasty.put('first.png', first)
  await assert.rejects(hasty.run(long), (error) => error instanceof EngineError && /300 ms/.test(error.message))
  await hasty.close()
})

test('closing stops what runs and leaves no process', async () => {
  const closing = await startStudio()
  await closing.put('first.png', first)
  const { rendering } = await underWay(closing)
  const [pid] = closing.studio.pids()
  const rejected = assert.rejects(rendering)
  await closing.close()
  await rejected
  assert.throws(() => process.kill(pid!, 0), { code: 'ESRCH' })
})

test('render processes end when their parent is killed', async () => {
  const parent = fork(new URL('support/doomed-parent.ts', import.meta.url), [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const [pid] = (await once(parent, 'message')) as [number]
  parent.kill('SIGKILL')
  await untilTrue('the render process ends with its parent', () => !isAlive(pid))
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
