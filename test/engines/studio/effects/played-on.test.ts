// What an extension knows of the effects of the video before it: which it ends, how long they have played, where waves were.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playedEffects, playOn } from '../../../../src/engines/studio/effects/played-on.ts'
import { after, ripple, wavesOf } from '../../../../src/engines/studio/effects/waves.ts'
import { refusedEffects } from '../../../../src/engines/studio/prompt/read-prompt.ts'

test('effects that a prompt ends are told from those that it asks for', () => {
  for (const prompt of [
    'the rain stops',
    'the rain has stopped',
    'rain slowly clears',
    'the rain is over',
    'no rain',
    '大雨停了',
  ]) {
    assert.deepEqual(refusedEffects(prompt, ''), ['rain'], prompt)
  }
  for (const prompt of ['rain at the bus stop', 'heavy rain', 'rain, the car stops', 'rain over the sea']) {
    assert.deepEqual(refusedEffects(prompt, ''), [], prompt)
  }
  assert.deepEqual(refusedEffects('push in', 'snow'), ['snow'])
})

test('an effect carries its age through several extensions; fades and focus belong to their shot', () => {
  const moment = { seed: 7, second: 5, seconds: 5, rate: 1 }
  const wishes = [{ name: 'rain', amount: 1.4, from: 0.5 } as const, { name: 'fadeOut', amount: 1 } as const]
  const first = playedEffects(wishes, moment)
  assert.deepEqual(first, { effectSeed: 7, rain: 2.5, rainAmount: 1.4 })
  const next = playOn([{ name: 'rain', amount: 1, from: 0.5 }], [], first)
  assert.deepEqual(next, [{ name: 'rain', amount: 1, from: 0, before: { seconds: 2.5, amount: 1.4 } }])
  assert.deepEqual(playedEffects(next, moment), { effectSeed: 7, rain: 7.5, rainAmount: 1 })
})

test('waves go on in a picture that shows them as they were, also after a push-in', () => {
  const aspect = 16 / 9
  const waves = wavesOf(
    { x: 100, y: 80, width: 320, height: 180 },
    { x: 0, y: 0, width: 640, height: 360 },
    { x: 0, y: 0, width: 1, height: 1 },
  )
  assert.deepEqual(waves, { x: 100 / 640, y: 80 / 360, width: 0.5, height: 0.5 })
  const at = (second: number) => (x: number, y: number, to: Float64Array) => {
    to.fill(0)
    ripple(waves.x + x * waves.width, waves.y + y * waves.height, second, 1, to)
    to.forEach((by, i) => {
      to[i] = by / waves.width
    })
  }
  const [by, shown, wanted] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)]
  for (const second of [0, 0.04, 1, 4]) {
    const move = after(at(3), at(3 + second), aspect)
    for (const [x, y] of [
      [0.2, 0.3],
      [0.5, 0.8],
    ] as const) {
      move(x, y, by)
      if (second === 0) assert.ok(Math.hypot(by[0]!, by[1]!) < 1e-4, 'the first frame is the picture')
      // The place that it takes its pixel from shows, in that picture, what the waves of the moment show here.
      at(3)(x + by[0]!, y + by[1]! * aspect, shown)
      at(3 + second)(x, y, wanted)
      const [errorX, errorY] = [0, 1].map((axis) => by[axis]! + shown[axis]! - wanted[axis]!)
      assert.ok(Math.hypot(errorX!, errorY!) < 4e-4, `${errorX}, ${errorY} widths after ${second} s`)
    }
  }
})
