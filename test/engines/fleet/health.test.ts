// The breaker, the caps and the choice of an engine, as tables.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Breaker,
  type BreakerEvent,
  closedBreaker,
  isOpen,
  nextBreaker,
  openMs,
} from '../../../src/engines/fleet/breaker.ts'
import { nextSpendingMs, nextStartMs, windowStartMs } from '../../../src/engines/fleet/caps.ts'
import { assignEngine, placeTask, unmetNeeds } from '../../../src/engines/fleet/routing.ts'

const after = (events: [BreakerEvent, atMs: number][], from: Breaker = closedBreaker) =>
  events.reduce((breaker, [event, atMs]) => nextBreaker(breaker, event, atMs), from)

describe('the breaker', () => {
  const cases: [string, [BreakerEvent, number][], open: boolean][] = [
    ['is closed at first', [], false],
    [
      'bears two failures',
      [
        ['failed', 0],
        ['failed', 1],
      ],
      false,
    ],
    [
      'opens at the third',
      [
        ['failed', 0],
        ['failed', 1],
        ['failed', 2],
      ],
      true,
    ],
    [
      'forgets failures after a success',
      [
        ['failed', 0],
        ['failed', 1],
        ['succeeded', 2],
        ['failed', 3],
      ],
      false,
    ],
    ['bears one probe without answer', [['probe unanswered', 0]], false],
    [
      'opens at the second',
      [
        ['probe unanswered', 0],
        ['probe unanswered', 1],
      ],
      true,
    ],
    [
      'not if one was answered between',
      [
        ['probe unanswered', 0],
        ['probe answered', 1],
        ['probe unanswered', 2],
      ],
      false,
    ],
    [
      'stays open for a while',
      [
        ['failed', 0],
        ['failed', 0],
        ['failed', 0],
        ['probe answered', 4999],
      ],
      true,
    ],
    [
      'then a probe closes it',
      [
        ['failed', 0],
        ['failed', 0],
        ['failed', 0],
        ['probe answered', 5000],
      ],
      false,
    ],
    [
      'on trial',
      [
        ['failed', 0],
        ['failed', 0],
        ['failed', 0],
        ['probe answered', 5000],
        ['failed', 5001],
      ],
      true,
    ],
    [
      'a success closes it at once',
      [
        ['failed', 0],
        ['failed', 0],
        ['failed', 0],
        ['succeeded', 1],
      ],
      false,
    ],
  ]
  for (const [name, events, open] of cases) test(name, () => assert.equal(isOpen(after(events)), open))

  test('stays open longer each time, up to five minutes', () => {
    assert.deepEqual([1, 2, 3, 4, 10].map(openMs), [5000, 10_000, 20_000, 40_000, 300_000])
    const twice = after([
      ['failed', 0],
      ['failed', 0],
      ['failed', 0],
      ['probe answered', 5000],
      ['failed', 6000],
    ])
    assert.equal(twice.retryAtMs, 16_000)
    assert.equal(nextBreaker(twice, 'probe unanswered', 16_000).retryAtMs, 36_000)
  })
})

test('caps give the time at which the next task fits', () => {
  const rate = { requests: 2, perMs: 1000 }
  assert.equal(nextStartMs(null, [1, 2, 3], 3), null)
  assert.equal(nextStartMs(rate, [0, 500], 900), 1000)
  assert.equal(nextStartMs(rate, [0, 500], 1000), null)
  // The clock was set back by an hour.
  assert.equal(nextStartMs(rate, [3_600_000, 3_600_500], 900), null)
  assert.equal(windowStartMs(rate, 2500), 2000)
  assert.equal(nextSpendingMs(rate, 1, 2500), null)
  assert.equal(nextSpendingMs(rate, 2, 2500), 3000)
})

describe('the choice of an engine', () => {
  const plain = { lastFrame: false, elements: false }
  const abilities = (name: string) => (name === 'studio' ? undefined : { lastFrame: name === 'wan', elements: false })
  const route = {
    engines: [
      { name: 'wan', weight: 3 },
      { name: 'ltx', weight: 1 },
    ],
    fallback: ['studio'],
    unsupported: 'refuse' as const,
  }
  const assign = (
    needs: typeof plain,
    ill: string[],
    random: number,
    unsupported: 'refuse' | 'studio' = 'refuse',
    fallback = route.fallback,
  ) =>
    assignEngine(
      { ...route, unsupported, fallback },
      needs,
      { abilities, healthy: (name) => !ill.includes(name) },
      random,
    )

  test('goes by weight', () => {
    assert.deepEqual(assign(plain, [], 0), { engine: 'wan' })
    assert.deepEqual(assign(plain, [], 0.74), { engine: 'wan' })
    assert.deepEqual(assign(plain, [], 0.75), { engine: 'ltx' })
  })
  test('leaves out engines that are unhealthy or not able', () => {
    assert.deepEqual(assign(plain, ['wan'], 0), { engine: 'ltx' })
    assert.deepEqual(assign({ ...plain, lastFrame: true }, [], 0.99), { engine: 'wan' })
    assert.deepEqual(assign(plain, ['wan', 'ltx'], 0), { engine: 'studio' })
    assert.deepEqual(assign({ ...plain, elements: true }, [], 0), { engine: 'studio' })
  })
  test('says why no engine is left', () => {
    assert.deepEqual(assign(plain, ['wan', 'ltx'], 0, 'refuse', []), { refusal: 'unhealthy', engines: ['wan', 'ltx'] })
    assert.deepEqual(assign({ ...plain, elements: true }, [], 0, 'refuse', []), {
      refusal: 'unsupported',
      unmet: ['elements'],
    })
    assert.deepEqual(assign({ ...plain, elements: true }, [], 0, 'studio', []), { engine: 'studio' })
  })
  test('names what is not met', () => {
    assert.deepEqual(unmetNeeds({ lastFrame: true, elements: true }, abilities('ltx')), ['a last frame', 'elements'])
    assert.deepEqual(unmetNeeds({ lastFrame: true, elements: true }, undefined), [])
  })

  const place = (current: string, ready: string[], failed: string[] = []) =>
    placeTask(route, plain, current, {
      abilities,
      ready: (name) => ready.includes(name),
      failed: (name) => failed.includes(name),
    })
  const cases: [string, string | null, string | null][] = [
    ['stays where it is', place('wan', ['wan', 'ltx']), 'wan'],
    ['moves on to another of the model', place('wan', ['ltx', 'studio']), 'ltx'],
    ['and then to the fallback', place('wan', ['studio']), 'studio'],
    ['leaves an engine that failed it', place('wan', ['wan', 'ltx', 'studio'], ['wan', 'ltx']), 'studio'],
    ['goes back to one rather than wait', place('wan', ['wan'], ['wan']), 'wan'],
    ['waits when there is none', place('wan', []), null],
  ]
  for (const [name, found, wanted] of cases) test(`a queued task ${name}`, () => assert.equal(found, wanted))
})
