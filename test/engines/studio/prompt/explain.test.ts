// What is read from prompts, as a table: effects in eleven languages, strength, exclusion, phases, and what is not done.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { explainPrompt } from '../../../../src/engines/studio/prompt/explain.ts'
import { readPrompt } from '../../../../src/engines/studio/prompt/read-prompt.ts'
import { startOneService } from '../../../support/service/one-service.ts'

const effectsOf = (prompt: string, negative = '') => readPrompt(prompt, negative).effects
const names = (prompt: string, negative = '') => effectsOf(prompt, negative).map(({ name }) => name)

test('effects are read in every language of the grammar', () => {
  const table: [string, string[]][] = [
    ['heavy rain falls on the street', ['rain']],
    ['Regen und Nebel', ['rain', 'fog']],
    ['la pluie tombe', ['rain']],
    ['nieva sobre el pueblo', ['snow']],
    ['nebbia al mattino', ['fog']],
    ['a chuva cai', ['rain']],
    ['下雪了,薄雾弥漫', ['snow', 'fog']],
    ['雨が降る', ['rain']],
    ['비가 내린다', ['rain']],
    ['идёт снег', ['snow']],
    ['مطر غزير', ['rain']],
    ['steam rises from the cup', ['steam']],
    ['god rays through the trees, fireflies', ['sunrays', 'fireflies']],
    ['clouds drifting over gentle waves', ['clouds', 'water']],
    ['leaves rustling in the breeze', ['foliage']],
    ['clouds slowly drift, the leaves begin to rustle', ['clouds', 'foliage']],
    ['the water is gently flowing', ['water']],
    ['the day turns to night, lightning', ['dusk', 'lightning']],
    ['turn day into night', ['dusk']],
    ['Tag wird zur Nacht', ['dusk']],
    ['el sol se pone', ['dusk']],
    ['northern lights dance in the sky', []],
    ['neon lights flickering', ['flicker']],
    ['Zeitraffer der Wolken', ['clouds']],
    ['云朵延时摄影', ['clouds']],
    ['warm morning light on the cup', ['warm']],
    ['阳光透过树林,微风吹动树叶', ['sunrays', 'foliage']],
    ['der See glitzert', ['water']],
    ['the wind blows petals across the scene', ['petals']],
    ['a train in the mountains', []],
    ['snow-capped peaks under a rainbow', []],
    ['she waves at us', []],
    ['a boat rocks on the waves', ['water']],
    ['confetti rains down', ['confetti']],
    ['a heavy storm at sea', ['rain']],
    ['storm clouds rolling across the sky', ['clouds']],
    ['waves under a stormy sky', ['water']],
    ['嵐の海', ['rain']],
    ['tempête de neige', ['snow']],
    ['雨夜霓虹', ['rain']],
    ['no rain, just fog', ['fog']],
    ['a smiling woman', []],
  ]
  for (const [prompt, effects] of table) {
    assert.deepEqual(names(prompt), effects, prompt)
  }
  assert.deepEqual(names('rain and fog', 'rain'), ['fog'])
})

test('lens, film, light and falling things are read in every language of the grammar', () => {
  const table: [string, string[]][] = [
    ['rack focus, film grain', ['rackFocus', 'grain']],
    ['geringe Schärfentiefe, Zeitlupe', ['shallowFocus', 'slowMotion']],
    ['noir et blanc, feuilles qui tombent', ['blackAndWhite', 'leaves']],
    ['blanco y negro, pétalos que caen', ['blackAndWhite', 'petals']],
    ['alba, sfondo sfocato', ['sunrise', 'shallowFocus']],
    ['preto e branco, poeira', ['blackAndWhite', 'dust']],
    ['黑白,落叶,淡出', ['blackAndWhite', 'leaves', 'fadeOut']],
    ['桜吹雪、スローモーション', ['petals', 'slowMotion']],
    ['흑백, 낙엽', ['blackAndWhite', 'leaves']],
    ['чёрно-белое, листопад', ['blackAndWhite', 'leaves']],
    ['أبيض وأسود، غبار', ['blackAndWhite', 'dust']],
    ['vintage look with film grain', ['vintage']],
    ['golden hour, stars twinkle, fade to black', ['warm', 'stars', 'fadeOut']],
    ['beach at sunset', ['warm']],
    ['cinematic lens flare', ['flare']],
    ['Seifenblasen steigen auf', ['bubbles']],
    ['a cup of bubble tea', []],
    ['レンズフレア', ['flare']],
    ['Sonnenuntergang am Meer', ['warm']],
    ['夕焼けの海', ['warm']],
    ['the sun sets', ['dusk']],
    ['fairy dust and glowing particles', ['fireflies']],
    ['a campfire crackles', ['flicker']],
    ['time-lapse of clouds', ['clouds']],
    ['the man waves, a bowl of leaves', []],
    ['a glitch, VHS tape, letterbox, vignette', ['glitch', 'vhs', 'letterbox', 'vignette']],
  ]
  for (const [prompt, effects] of table) assert.deepEqual(names(prompt), effects, prompt)
  assert.equal(effectsOf('golden hour light')[0]!.amount, 1)
  assert.deepEqual(effectsOf('flickering neon sign'), [{ name: 'flicker', amount: 1, electric: true }])
  assert.deepEqual(effectsOf('candlelight'), [{ name: 'flicker', amount: 1 }])
})

test('a clip freezes where that is all that a clause says; a lake does not', () => {
  const names = (prompt: string) => readPrompt(prompt, '').effects.map(({ name }) => name)
  for (const prompt of ['push in, freeze', 'push in, then freeze', 'Push in. Then it freezes.', 'freeze frame']) {
    assert.deepEqual(names(prompt), ['freeze'], prompt)
  }
  assert.deepEqual(names('the lake freezes'), [])
})

test('times and "then" say when', () => {
  const timed = readPrompt('0-2s: push in, 2-5s: pan left in the rain', '')
  assert.ok(timed.phases.length === 2 && timed.phases[0]!.zoom > 0 && timed.phases[1]!.pan < 0)
  assert.deepEqual(timed.effects, [{ name: 'rain', amount: 1, from: 0.5 }])
  assert.equal(readPrompt('A street. After 2 seconds it starts raining', '').effects[0]!.from, 0.5)
  assert.equal(readPrompt('камера приближается, затем идёт снег', '').effects[0]!.from, 0.5)
  assert.equal(readPrompt('the score is 2-1: rain', '').effects[0]!.from, undefined)
  assert.ok(readPrompt('push in, slow motion', '').phases[0]!.speed < 1)
})

test('adverbs say how strongly', () => {
  const amount = (prompt: string) => effectsOf(prompt)[0]!.amount
  assert.ok(amount('heavy rain') > amount('rain') && amount('rain') > amount('light rain'))
  assert.ok(amount('sudden dense fog') > 1 && amount('a soft mist') < 1)
})

test('adverbs belong to the word beside them', () => {
  for (const prompt of [
    'many people in the rain',
    'a huge castle in the rain',
    'a fortress in the rain',
    'some trees in the rain',
  ]) {
    assert.equal(effectsOf(prompt)[0]!.amount, 1, prompt)
  }
  for (const prompt of [
    'thick morning fog',
    'it snows heavily',
    'starker Regen',
    '大雨',
    'llueve con fuerza',
    'густой туман',
  ]) {
    assert.ok(effectsOf(prompt)[0]!.amount > 1, prompt)
  }
})

test('a shift of focus says from what to what', () => {
  const table: [string, string | null, string | null][] = [
    ['the camera racks focus from the counter to her face', null, 'face'],
    ['rack focus from the flowers in the foreground to the woman in the background', 'near', 'far'],
    ['pull focus to the skyline', null, 'far'],
    ['rack focus', null, null],
  ]
  for (const [prompt, from, to] of table) assert.deepEqual(readPrompt(prompt, '').focus, { from, to }, prompt)
  assert.equal(readPrompt('push in', '').focus, null)
})

test('"then" splits a clip into phases', () => {
  const { phases } = readPrompt('the camera zooms in, then pans left, then tilts up', '')
  assert.equal(phases.length, 3)
  assert.ok(phases[0]!.zoom > 0 && phases[0]!.pan === 0)
  assert.ok(phases[1]!.pan < 0 && phases[1]!.zoom === 0)
  assert.ok(phases[2]!.tilt > 0)
  assert.equal(readPrompt('a cat sleeps, then wakes', '').phases.length, 1)
})

test('an explanation says what is played and what is not', () => {
  assert.deepEqual(explainPrompt('Slow push in, close-up of her face, she smiles while heavy snow falls', ''), {
    moves: ['slow push in'],
    effects: ['snow'],
    framing: 'close-up',
    notDone: ['she smiles'],
  })
  assert.deepEqual(explainPrompt('flames, then a time-lapse', '').notDone, ['flames', 'a time-lapse'])
  const clouds = explainPrompt('drifting clouds', '', ['clouds'])
  assert.deepEqual([clouds.effects, clouds.notDone], [[], ['drifting clouds (no place found in the picture)']])
  assert.deepEqual(explainPrompt('static shot of a lake', '').moves, ['static'])
  assert.deepEqual(explainPrompt('tripod', '').moves, ['locked off'])
  assert.deepEqual(explainPrompt('', ''), { moves: [], effects: [], framing: null, notDone: [] })
  assert.deepEqual(explainPrompt('a bird flying, the man walks', '').notDone, ['a bird flying', 'the man walks'])
})

test('wind sways foliage; a picture without foliage has no wind', () => {
  const windy = (missed: string[]) => explainPrompt('A strong wind in her hair', '', missed)
  assert.deepEqual(windy([]).effects, ['swaying foliage'])
  assert.deepEqual(windy([]).notDone, ['A strong wind in her hair'])
  assert.deepEqual(windy(['foliage']).effects, [])
  assert.deepEqual(windy(['foliage']).notDone, ['wind', 'A strong wind in her hair'])
  assert.ok(effectsOf('strong wind')[0]!.amount > effectsOf('a soft breeze')[0]!.amount)
  assert.deepEqual(effectsOf('strong wind', 'rustling leaves'), [])
  assert.deepEqual(names('wheat waves in the wind'), ['foliage'])
})

test('a push-in whose goal is a face ends close to it', () => {
  const table: [string, boolean][] = [
    ['slow zoom on the eyes', true],
    ['The camera slowly zooms in on his face while he smiles', true],
    ['push in towards her eyes', true],
    ['Die Kamera zoomt langsam auf das Gesicht', true],
    ['La caméra zoome lentement sur ses yeux', true],
    ['la cámara se acerca lentamente a los ojos', true],
    ['镜头缓缓推进到眼睛', true],
    ['slow push in', false],
    ['a smile on her face, slow push in', false],
    ['zoom out from her eyes', false],
    ['slow zoom in, she covers her face', false],
  ]
  for (const [prompt, close] of table) assert.equal(readPrompt(prompt, '').close, close, prompt)
})

test('over HTTP, effects have plain names, however strong they are, and stillness is understood', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'explain-'))
  const service = await startOneService({ DAILIES_DATA: folder, TEST_ENGINE: 'studio' })
  try {
    const prompt = 'slow push in, heavy rain and light fog, embers'
    const answer = await service.api.post('/api/v1/prompts/explain', { prompt })
    assert.deepEqual(answer.body.data.effects, ['rain', 'fog', 'embers'])
    for (const still of ['camera movement: none', 'no movement at all', 'Kamera bleibt stehen, Schnee fällt']) {
      const { body } = await service.api.post('/api/v1/prompts/explain', { prompt: still })
      assert.deepEqual(body.data.moves, ['static'], still)
    }
  } finally {
    await service.stop()
    await rm(folder, { recursive: true })
  }
})
