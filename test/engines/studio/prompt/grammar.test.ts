import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { axes, type Moves } from '../../../../src/engines/studio/prompt/moves/moves.ts'
import { readMoves } from '../../../../src/engines/studio/prompt/read-prompt.ts'

/** "zoom+ pan- slow": the signs of the moves, then hand, still, slow or fast where they apply. */
function brief(moves: Moves): string {
  const parts = axes.filter((axis) => moves[axis] !== 0).map((axis) => `${axis}${moves[axis] > 0 ? '+' : '-'}`)
  if (moves.handheld > 0) parts.push('hand')
  if (moves.still) parts.push('still')
  if (moves.speed < 0.9) parts.push('slow')
  if (moves.speed > 1.1) parts.push('fast')
  return parts.join(' ')
}

const english: [prompt: string, expected: string][] = [
  ['push in', 'zoom+'],
  ['Slow push-in on her face', 'zoom+ slow'],
  ['zoom in', 'zoom+'],
  ['A woman in a red dress zoom in', 'zoom+'],
  ['dolly in towards the old house', 'zoom+'],
  ['the camera closes in on the clock', 'zoom+'],
  ['Closing in on the letter', 'zoom+'],
  ['The camera slowly moves closer to the statue', 'zoom+ slow'],
  ['camera moves forward through the corridor', 'zoom+'],
  ['slow zoom on the cat', 'zoom+ slow'],
  ['crash zoom', 'zoom+ fast'],
  ['pull out', 'zoom-'],
  ['The camera pulls back to reveal the valley', 'zoom-'],
  ['pull back slowly', 'zoom- slow'],
  ['zoom out to show the whole city', 'zoom-'],
  ['dolly out', 'zoom-'],
  ['The shot slowly zooms out', 'zoom- slow'],
  ['we drift backwards, away from the door', 'zoom-'],
  ['pan left', 'pan-'],
  ['pan to the right', 'pan+'],
  ['the camera slowly pans to the left', 'pan- slow'],
  ['camera pans across the mountains', 'pan+'],
  ['a quick pan right', 'pan+ fast'],
  ['whip pan left', 'pan- fast'],
  ['left pan over the harbour', 'pan-'],
  ['pan from left to right', 'pan+'],
  ['The camera pans from right to left over the crowd', 'pan-'],
  ['A panning shot of the coast', 'pan+'],
  ['truck left', 'pan-'],
  ['tracking shot along the river', 'pan+'],
  ['The camera slides towards the right', 'pan+'],
  ['camera turns left', 'pan-'],
  ['tilt up', 'tilt+'],
  ['the camera gently tilts down to her shoes', 'tilt- slow'],
  ['crane up over the rooftops', 'tilt+'],
  ['pedestal down', 'tilt-'],
  ['pan up the tower', 'tilt+'],
  ['crane shot', 'tilt+'],
  ['The camera rises above the trees', 'tilt+'],
  ['orbit around the statue', 'orbit+'],
  ['camera arcs around him to the left', 'orbit-'],
  ['The camera circles around the dancer', 'orbit+'],
  ['slow orbit', 'orbit+ slow'],
  // The picture turns, so that the camera turns the other way.
  ['rotate clockwise', 'roll-'],
  ['rotate counterclockwise slowly', 'roll+ slow'],
  ['spin slowly', 'roll+ slow'],
  ['slow clockwise rotation', 'roll+ slow'],
  ['anticlockwise roll', 'roll-'],
  ['zoom in with a slight clockwise rotation', 'zoom+ roll+ slow'],
  ['rotate left while zooming out', 'zoom- roll-'],
  ['rotate around the product', 'orbit+'],
  ['fly around the castle', 'orbit+'],
  ['come closer to the flower', 'zoom+'],
  ['backing away slowly', 'zoom- slow'],
  ['slow rise', 'tilt+ slow'],
  ['we slowly approach the castle gate', 'zoom+ slow'],
  ['A slow, steady push-in toward the lighthouse', 'zoom+ slow'],
  ['zoom in on the old house by the river, very slow', 'zoom+ slow'],
  ['wide shot, slow, cinematic, push in', 'zoom+ slow'],
  ['camera motion: zoom out, speed: slow', 'zoom- slow'],
  ['snow falls, the camera slowly tracks right', 'pan+ slow'],
  ['lateral tracking shot', 'pan+'],
  ['spiral zoom in', 'zoom+ roll+'],
  ['camera move to the left with parallax', 'pan-'],
  ['soar over the mountains', 'zoom+'],
  ['float upward', 'tilt+'],
  ['arc shot', 'orbit+'],
  ['the camera orbits the satellite counter-clockwise', 'orbit+'],
  ['camera rotates around the subject', 'orbit+'],
  ['roll clockwise', 'roll+'],
  ['the camera rolls to the left', 'roll-'],
  ['dutch angle', 'roll+'],
  ['camera rotates counterclockwise', 'roll-'],
  ['handheld', 'hand'],
  ['shaky hand-held camera following the runner', 'zoom+ hand'],
  ['Subtle camera shake', 'hand'],
  ['handheld push in', 'zoom+ hand'],
  ['static shot', 'still'],
  ['static', 'still'],
  ['Locked-off camera, leaves move in the wind', 'still'],
  ['on a tripod', 'still'],
  ['The camera stays still while she walks to the left', 'still'],
  ['No camera movement', 'still'],
  ['Camera movement: none', 'still'],
  ['no movement at all', 'still'],
  ['rain on the window, nothing moves', 'still'],
  ['completely still', 'still'],
  ['animate this still image', ''],
  ['move left', 'pan-'],
  ['Slowly move in closer', 'zoom+ slow'],
  ['move the camera up', 'tilt+'],
  ['the boat rocks, drifting left', ''],
  ['move the cup to the left', ''],
  ['no pan, slow zoom', 'zoom+ slow'],
  ['no zoom, pan', 'still'],
  ['do not pan or zoom', 'still'],
  ['no zoom, no pan, gentle rain', 'still'],
  ["don't pan, slow zoom in", 'zoom+ slow'],
  ['slow-motion push in with confetti', 'zoom+'],
  ['keep everything still except the water', 'still'],
  ["the camera doesn't move", 'still'],
  ['slow push in while panning left', 'zoom+ pan- slow'],
  ['zoom out, tilt up and pan right', 'zoom- pan+ tilt+'],
  ['push in and orbit around her', 'zoom+ orbit+'],
  ['The camera pulls back while tilting down very slowly', 'zoom- tilt- slow'],
  ['It pans left, then tilts up', 'pan- tilt+'],
  ['tripod shot with a slow pan left', 'pan- slow'],
  ['drone shot flying over snowy mountains', 'zoom+'],
  ['the view moves upward along the tower', 'tilt+'],
  ['The car moves left to right while the camera remains static', 'still'],
  ['The camera continues to rise above the clouds', 'tilt+'],
  ['The camera looks up at the sky', 'tilt+'],
  ['a slow push', 'zoom+ slow'],
  ['pullback reveal', 'zoom-'],
  ['360° rotation around the shoe', 'orbit+'],
  ['camera movement to the left', 'pan-'],
  ['[zoom in] a castle', 'zoom+'],
  ['ZOOM OUT!!!', 'zoom-'],
  ['no zoom, pan left', 'pan-'],
  ['without panning, slow zoom in', 'zoom+ slow'],
  ['pan right with no zoom', 'pan+'],
  ["don't zoom in or pan left", 'still'],
  ['no zoom or tilt', ''],
  ['do not zoom, just tilt down', 'tilt-'],
  ['no camera shake, push in', 'zoom+'],
]

const falseHits = [
  'the fog slowly rolls in over the lake',
  'a ship slowly tilts and sinks',
  'the earth rotates slowly',
  'a dancer, spinning slowly',
  'Spin class at the gym',
  'get up and dance',
  'clouds slowly roll across the sky',
  'eggs in a frying pan',
  'A pan left on the stove',
  'the pan on the left of the sink is hot',
  'Peter Pan flies over London',
  'pan pizza with basil',
  'a roll of film on the desk',
  'rolling hills at dawn',
  'the ball rolls down the hill',
  'rock and roll band on stage',
  'a man with a tilted hat',
  'she tilts her head up and smiles',
  'orbiting satellites above the earth',
  'satellites orbiting the earth',
  'a space station in orbit around Mars',
  'a Zoom call with the team',
  'cars zooming past the house',
  'a circle of friends around the fire',
  'the crane lifts a beam up to the roof',
  'he pulls out a letter',
  'two men push in the crowd',
  'she moves to the left and laughs',
  'a photographer with his camera moves to the left',
  'static electricity in her hair',
  'a still life with apples',
  'a handheld fan on the table',
  'milkshake on a shaky table',
  'a pull-up bar, closed door, truck on the road',
  'the camera captures a car moving left',
  'a dog runs towards the camera',
  'a quick push of the button',
  'a fire truck right in front of the house',
  'the dancer turns around slowly',
  '360 people around the table',
  'パンダが歩く',
  '旋转木马',
  'slow motion of a falling drop',
  'close-up of a bee',
  'she looks into the camera and moves closer',
  'a woman holding a camera turns left',
  'a boy pushes a cart up the hill',
  '@pan smiles at @zoom',
  '男人在吃面包',
  '焼きたてのパンとフライパン',
  '',
]

const others: [prompt: string, expected: string][] = [
  ['Langsamer Zoom auf das Gesicht', 'zoom+ slow'],
  ['Die Kamera zoomt langsam heran', 'zoom+ slow'],
  ['Kamera fährt auf das Haus zu', 'zoom+'],
  ['herauszoomen', 'zoom-'],
  ['Die Kamera fährt zurück', 'zoom-'],
  ['Schwenk nach links', 'pan-'],
  ['Die Kamera schwenkt langsam nach rechts', 'pan+ slow'],
  ['Die Kamera neigt sich nach oben', 'tilt+'],
  ['Die Kamera umkreist die Statue', 'orbit+'],
  ['Kamerafahrt um das Auto', 'orbit+'],
  ['statische Kamera', 'still'],
  ['keine Kamerabewegung', 'still'],
  ['Kamera bleibt stehen, Schnee fällt', 'still'],
  ['Eine Frau steht vor der Kamera', ''],
  ['Gesicht heranzoomen', 'zoom+'],
  ['langsam ranzoomen', 'zoom+ slow'],
  ['Handkamera, verwackelt', 'hand'],
  ['Die Kamera kreist um die Frau', 'orbit+'],
  ['ohne Zoom, Schwenk nach rechts', 'pan+'],
  ['zoom avant lent', 'zoom+ slow'],
  ['La caméra recule doucement', 'zoom- slow'],
  ['panoramique vers la gauche', 'pan-'],
  ['la caméra tourne autour de la statue', 'orbit+'],
  ['travelling arrière', 'zoom-'],
  ['la caméra monte vers le ciel', 'tilt+'],
  ['plan fixe', 'still'],
  ["caméra à l'épaule", 'hand'],
  ['panoramique de gauche à droite, sans zoom', 'pan+'],
  ['la caméra ne bouge pas', 'still'],
  ['La cámara se acerca lentamente', 'zoom+ slow'],
  ['la cámara se aleja de la casa', 'zoom-'],
  ['paneo hacia la izquierda', 'pan-'],
  ['la cámara gira alrededor de ella', 'orbit+'],
  ['cámara en mano', 'hand'],
  ['cámara fija', 'still'],
  ['zoom hacia atrás sin paneo', 'zoom-'],
  ['la cámara sube rápidamente', 'tilt+ fast'],
  ['La telecamera si avvicina lentamente al volto', 'zoom+ slow'],
  ['carrellata indietro', 'zoom-'],
  ['panoramica verso destra', 'pan+'],
  ['la camera ruota attorno alla statua', 'orbit+'],
  ['inquadratura fissa', 'still'],
  ['macchina a mano', 'hand'],
  ['A câmera se aproxima devagar', 'zoom+ slow'],
  ['a câmera se afasta', 'zoom-'],
  ['panorâmica para a esquerda', 'pan-'],
  ['a câmera gira em torno da estátua', 'orbit+'],
  ['movimento de câmera para cima', 'tilt+'],
  ['câmera na mão', 'hand'],
  ['sem movimento de câmera', 'still'],
  ['镜头缓慢推进', 'zoom+ slow'],
  ['镜头拉远，展现整座城市', 'zoom-'],
  ['镜头向左平移', 'pan-'],
  ['镜头从左向右移动', 'pan+'],
  ['镜头向上摇', 'tilt+'],
  ['镜头环绕人物', 'orbit+'],
  ['镜头从下往上移动', 'tilt+'],
  ['缓慢环绕', 'orbit+ slow'],
  ['镜头逆时针旋转', 'roll-'],
  ['手持镜头', 'hand'],
  ['固定镜头', 'still'],
  ['不要移动镜头', 'still'],
  ['不要变焦，镜头向右摇', 'pan+'],
  ['快速推进，同时向左平移', 'zoom+ pan- fast'],
  ['鏡頭緩慢拉遠', 'zoom- slow'],
  ['ゆっくりズームイン', 'zoom+ slow'],
  ['カメラが後ろに引いていく', 'zoom-'],
  ['左にパン', 'pan-'],
  ['カメラは右へゆっくりパンする', 'pan+ slow'],
  ['ティルトアップ', 'tilt+'],
  ['カメラが被写体の周りを回り込む', 'orbit+'],
  ['カメラが回転する', 'roll+'],
  ['手持ちカメラ', 'hand'],
  ['固定カメラ', 'still'],
  ['ズームなしで右にパン', 'pan+'],
  ['ズームインしながら左にパン', 'zoom+ pan-'],
]

const negative: [prompt: string, negativePrompt: string, expected: string][] = [
  ['zoom in and pan left', 'zoom', 'pan-'],
  ['zoom in and pan left', 'zoom out', 'zoom+ pan-'],
  ['zoom in and pan left', 'blurry, zoom in, panning', 'still'],
  ['handheld push in', 'camera shake', 'zoom+'],
  ['handheld', 'shaky', ''],
  ['orbit around her', 'orbit, roll', ''],
  ['slow push in', 'motion blur, distortion', 'zoom+ slow'],
  ['a quiet lake', 'camera movement', 'still'],
  ['zoom in', 'camera movement', 'still'],
  ['static shot', 'static', ''],
  ['push in', 'no zoom', ''],
  ['镜头推进', '变焦', ''],
  ['左にパン', 'パン', ''],
]

for (const [name, table] of Object.entries({ english, others })) {
  test(`${name}: prompts and the moves they name`, () => {
    const read = table.map(([prompt]) => [prompt, brief(readMoves(prompt, ''))])
    assert.deepEqual(read, table)
    for (const [prompt, expected] of table) assert.equal(readMoves(prompt, '').named, expected !== '', prompt)
  })
}

test('words that look like moves and are none', () => {
  const read = falseHits.map((prompt) => [prompt, brief(readMoves(prompt, ''))])
  assert.deepEqual(
    read.filter(([, moves]) => moves !== ''),
    [],
  )
  for (const prompt of falseHits) assert.equal(readMoves(prompt, '').named, false, prompt)
})

test('the negative prompt takes moves away', () => {
  const read = negative.map(([prompt, unwanted]) => [prompt, unwanted, brief(readMoves(prompt, unwanted))])
  assert.deepEqual(read, negative)
  assert.deepEqual(readMoves('a lake', 'zoom, pan left').without, ['zoom', 'pan'])
  assert.deepEqual(readMoves('no tilting', '').without, ['tilt'])
})

test('words of strength and pace scale a move within its range', () => {
  const plain = readMoves('pan left', '')
  const subtle = readMoves('subtle pan left', '')
  const dramatic = readMoves('dramatic pan left', '')
  assert.ok(subtle.pan > plain.pan && plain.pan > dramatic.pan && dramatic.pan >= -1)
  const speeds = ['extremely slow zoom in', 'slow zoom in', 'zoom in', 'fast zoom in', 'very fast zoom in']
  const read = speeds.map((prompt) => readMoves(prompt, '').speed)
  for (let i = 1; i < read.length; i++) assert.ok(read[i]! > read[i - 1]!, String(read))
  assert.ok(read[0]! >= 0.5 && read.at(-1)! <= 2)
  // A pace that belongs to something else says nothing about the camera.
  assert.equal(readMoves('a fast car on the road, zoom in', '').speed, 1)
})

test('any text is read without failing, and every number stays in its range', () => {
  const pieces = [...english, ...others].flatMap(([prompt]) => prompt.split(' '))
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc
      .array(fc.constantFrom(...pieces, ',', '.', 'no', 'not', ' '.repeat(50)), { maxLength: 60 })
      .map((list) => list.join(' ')),
  )
  fc.assert(
    fc.property(texts, texts, (prompt, negativePrompt) => {
      const moves = readMoves(prompt, negativePrompt)
      for (const axis of axes) assert.ok(Math.abs(moves[axis]) <= 1)
      assert.ok(moves.handheld >= 0 && moves.handheld <= 1 && moves.speed >= 0.5 && moves.speed <= 2)
      const moving = moves.handheld > 0 || moves.dollyZoom !== undefined || axes.some((axis) => moves[axis] !== 0)
      assert.equal(moves.named, moving || moves.still)
      assert.ok(!(moving && moves.still))
    }),
    { numRuns: 1000 },
  )
})
