// What an effect's own file says is all that anybody else knows of it: how it is read, explained, heard and documented.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { effectNames, effects, namesOf } from '../../../../src/engines/studio/effects/all.ts'
import type { AirEffect } from '../../../../src/engines/studio/effects/declaration.ts'
import { explainPrompt } from '../../../../src/engines/studio/prompt/explain.ts'
import { hashSeed } from '../../../../src/video/random.ts'
import { ambience } from '../../../../src/video/sound/ambience.ts'
import { soundTrack } from '../../../../src/video/sound/sound-track.ts'

for (const name of effectNames) {
  test(`${name} is understood from its sample's prompt`, () => {
    const { label, sample } = effects[name]
    const { effects: read, notDone } = explainPrompt(sample.prompt, '')
    assert.deepEqual(read, [label])
    assert.deepEqual(notDone, [])
  })
}

test('the documentation lists every effect', () => {
  const page = readFileSync(new URL('../../../../docs/engines.md', import.meta.url), 'utf8')
  for (const kinds of [['air'], ['region'], ['focus', 'time', 'film']] as const) {
    const list = namesOf(...kinds).map((name) => effects[name].label)
    assert.ok(page.includes(`: ${list.join(', ')}\n`), `docs/engines.md lists: ${list.join(', ')}`)
  }
})

test('a sandstorm is one effect in every language, and neither rain nor dust', () => {
  for (const prompt of [
    'a dust storm rises',
    'Sandsturm',
    'tempête de sable',
    'tormenta de arena',
    '砂嵐',
    'песчаная буря',
  ]) {
    const { effects: read, notDone } = explainPrompt(prompt, '')
    assert.deepEqual({ read, notDone }, { read: ['sandstorm'], notDone: [] }, prompt)
  }
})

test('what is drawn is heard', async () => {
  const prompt = 'tempête de sable'
  const [sound] = [effects.sandstorm.sound!]
  assert.deepEqual(await soundTrack([], prompt, 0.5, [sound]), ambience('wind', hashSeed(prompt), 0.5))
})

test('the type checker names what a new effect does not say', () => {
  const { sound: _, ...silent } = effects.sandstorm
  // @ts-expect-error: how it sounds is missing
  const effect: AirEffect = silent
  assert.ok(effect)
})
