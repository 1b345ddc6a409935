// Queued tasks and engines that have had enough for now: they wait, or go to another engine of their model.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Engine } from '../../../src/engines/engine.ts'
import { createFleet } from '../../../src/engines/fleet/fleet.ts'
import { parseEngineSetup } from '../../../src/engines/setup/engine-setup.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createScriptedEngine } from '../../support/engines/scripted.ts'
import { variantA } from '../../support/service/api.ts'

const task = { model: variantA, needs: { lastFrame: false, elements: false }, failedOn: [] }

function fleetOf(caps: object, options: { fallback?: string[]; credits?: number } = {}) {
  let there = true
  const gpu: Engine = {
    ...createScriptedEngine(),
    name: 'gpu',
    async probe() {
      if (!there) throw new Error('it is away')
    },
  }
  const content = {
    engines: { gpu: { type: 'sdcpp', url: 'http://127.0.0.1:1', ...caps } },
    models: { [variantA]: { engines: ['gpu'], fallback: options.fallback ?? [] } },
  }
  const fleet = createFleet({
    setup: parseEngineSetup({ path: 'test', content }),
    defaultEngine: { ...createScriptedEngine(), name: 'studio' },
    engines: new Map([['gpu', gpu]]),
    slots: 1,
    clock: systemClock,
    creditsSince: async () => options.credits ?? 0,
  })
  return {
    fleet,
    there: (value: boolean) => {
      there = value
    },
  }
}

describe('a queued task', () => {
  test('waits for the rate of its engine', async () => {
    const { fleet } = fleetOf({ rate: '1/300ms' })
    const began = performance.now()
    const signal = AbortSignal.timeout(5000)
    assert.equal(await fleet.place('gpu', task, signal), 'gpu')
    assert.equal(await fleet.place('gpu', task, signal), 'gpu')
    const tookMs = performance.now() - began
    assert.ok(tookMs >= 280, `${tookMs}`)
  })

  test('goes to the fallback when the credits of its engine are used up', async () => {
    const signal = AbortSignal.timeout(5000)
    const used = fleetOf({ creditsMax: '100/1d' }, { fallback: ['studio'], credits: 100 })
    assert.equal(await used.fleet.place('gpu', task, signal), 'studio')
    const left = fleetOf({ creditsMax: '100/1d' }, { fallback: ['studio'], credits: 99 })
    assert.equal(await left.fleet.place('gpu', task, signal), 'gpu')
  })

  test('waits for an engine that is away until it is told to stop', async () => {
    const { fleet, there } = fleetOf({})
    there(false)
    await fleet.check()
    await fleet.check()
    const stop = new AbortController()
    const placing = fleet.place('gpu', task, stop.signal)
    stop.abort(new Error('canceled'))
    await assert.rejects(placing, /canceled/)
    assert.deepEqual(
      fleet.status().map(({ name, type, healthy }) => [name, type, healthy]),
      [
        ['studio', 'studio', true],
        ['gpu', 'sdcpp', false],
      ],
    )
  })

  test('goes on as soon as a task that was under way there succeeds', async () => {
    const { fleet, there } = fleetOf({})
    there(false)
    await fleet.check()
    await fleet.check()
    const placing = fleet.place('gpu', task, AbortSignal.timeout(5000))
    fleet.report('gpu', 'succeeded')
    assert.equal(await placing, 'gpu')
  })
})
