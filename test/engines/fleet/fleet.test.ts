// Queued tasks and engines that have had enough for now: they wait, or go to another engine of their model.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Engine } from '../../../src/engines/engine.ts'
import { createFleet } from '../../../src/engines/fleet/fleet.ts'
import { parseEngineSetup } from '../../../src/engines/setup/engine-setup.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createScriptedEngine } from '../../support/engines/scripted.ts'
import { variantA } from '../../support/service/api.ts'
import { untilTrue } from '../../support/until.ts'

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
  const againInMs = (placed: object) =>
    'againInMs' in placed ? (placed.againInMs as number) : assert.fail('it was placed')

  test('waits for the rate of its engine', async () => {
    const { fleet } = fleetOf({ rate: '1/300ms' })
    assert.deepEqual(await fleet.place('gpu', task), { engine: 'gpu' })
    const waitMs = againInMs(await fleet.place('gpu', task))
    assert.ok(waitMs > 200 && waitMs <= 300, `${waitMs}`)
    await untilTrue('it is placed', async () => 'engine' in (await fleet.place('gpu', task)))
  })

  test('waits for the rate also when others were claimed with it', async () => {
    const { fleet } = fleetOf({ rate: '2/1d', slots: 4 })
    const entered = await Promise.all(Array.from({ length: 4 }, () => fleet.enter('gpu')))
    assert.deepEqual(entered, [true, true, false, false])
    const { fleet: other } = fleetOf({ rate: '2/1d', slots: 4 })
    const placed = await Promise.all(Array.from({ length: 4 }, () => other.place('gpu', task)))
    assert.equal(placed.filter((each) => 'engine' in each).length, 2)
  })

  test('waits for a rate of many tasks, too', async () => {
    const requests = 10_001
    const { fleet } = fleetOf({ rate: `${requests}/1d` })
    for (let count = 0; count < requests; count++) assert.ok(await fleet.enter('gpu'))
    assert.equal(await fleet.enter('gpu'), false)
  })

  test('goes to the fallback when the credits of its engine are used up', async () => {
    const used = fleetOf({ creditsMax: '100/1d' }, { fallback: ['studio'], credits: 100 })
    assert.deepEqual(await used.fleet.place('gpu', task), { engine: 'studio' })
    const left = fleetOf({ creditsMax: '100/1d' }, { fallback: ['studio'], credits: 99 })
    assert.deepEqual(await left.fleet.place('gpu', task), { engine: 'gpu' })
  })

  test('is looked at seldom while its engine is unreachable', async () => {
    const { fleet, there } = fleetOf({})
    assert.equal(await fleet.pauseMs('gpu'), 0)
    there(false)
    await fleet.check()
    await fleet.check()
    assert.equal(againInMs(await fleet.place('gpu', task)), 2000)
    assert.equal(await fleet.pauseMs('gpu'), 0)
    const pauseMs = await fleet.pauseMs('gpu')
    assert.ok(pauseMs > 500 && pauseMs <= 1000, `${pauseMs}`)
    assert.equal(await fleet.pauseMs('studio'), 0)
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
    assert.ok('againInMs' in (await fleet.place('gpu', task)))
    fleet.report('gpu', 'succeeded')
    assert.deepEqual(await fleet.place('gpu', task), { engine: 'gpu' })
    assert.equal(await fleet.pauseMs('gpu'), 0)
  })
})
