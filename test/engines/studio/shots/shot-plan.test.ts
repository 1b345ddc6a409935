import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type FramedShot, frameShots, planShots } from '../../../../src/engines/studio/shots/shot-plan.ts'

const prompts = (shots: FramedShot[]) => shots.map((shot) => shot.prompt)

function assertWellFormed(shots: FramedShot[], seconds: number) {
  assert.equal(
    shots.reduce((sum, shot) => sum + shot.seconds, 0),
    seconds,
  )
  for (const [i, { seconds: own, framing }] of shots.entries()) {
    assert.ok(own >= 1, `shot ${i} lasts ${own} s`)
    assert.ok(Number.isInteger(own * 24), `shot ${i} lasts ${own * 24} frames`)
    assert.ok(framing.zoom >= 1 && framing.zoom <= 2.2 && Math.abs(framing.x) <= 1 && Math.abs(framing.y) <= 1)
    if (i > 0) assert.notDeepEqual(framing, shots[i - 1]!.framing)
  }
}

test('any prompt and length gives two to four shots that fill the clip', () => {
  const words = fc.constantFrom(
    'a fox runs',
    '. ',
    'then',
    ' cut to ',
    ', ',
    '然后',
    '\n',
    'close-up',
    'Dr. ',
    '3.5',
    ' ',
  )
  const texts = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 30 }).map((list) => list.join(' ')),
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 15 }), fc.nat(), (prompt, seconds, seed) => {
      const shots = planShots(prompt, seconds, seed)
      assert.ok(shots.length >= 2 && shots.length <= 4, `${shots.length} shots`)
      assertWellFormed(shots, seconds)
      assert.deepEqual(planShots(prompt, seconds, seed), shots)
    }),
    { numRuns: 500 },
  )
})

test('sentences and words of sequence become shots', () => {
  const table: [prompt: string, parts: string[]][] = [
    ['A fox wakes up. It runs through the snow.', ['A fox wakes up.', 'It runs through the snow.']],
    ['a girl next to a tree. She waves.', ['a girl next to a tree.', 'She waves.']],
    ['a fox sleeps, then it runs', ['a fox sleeps', 'it runs']],
    ['Wide shot of a harbour, cut to a close-up of a gull', ['Wide shot of a harbour', 'a close-up of a gull']],
    ['Mr. Fox wakes at 5.30 and then leaves', ['Mr. Fox wakes at 5.30', 'leaves']],
    ['Shot 1: a door. Shot 2: a hand. Shot 3: a key.', ['a door.', 'a hand.', 'a key.']],
    ['Eine Tür öffnet sich, danach tritt sie ein', ['Eine Tür öffnet sich', 'tritt sie ein']],
    ['Une porte s’ouvre, puis elle entre', ['Une porte s’ouvre', 'elle entre']],
    ['一只狐狸醒来，然后在雪中奔跑', ['一只狐狸醒来', '在雪中奔跑']],
    ['狐が目を覚ます。雪の中を走る。', ['狐が目を覚ます。', '雪の中を走る。']],
    ['@hero looks up; finally @dog barks', ['@hero looks up', '@dog barks']],
  ]
  const read = table.map(([prompt]) => [prompt, prompts(planShots(prompt, 10, 1))])
  assert.deepEqual(read, table)
})

test('more sentences than shots are joined, and none is lost', () => {
  const shots = planShots('One. Two. Three. Four. Five. Six.', 10, 3)
  assert.equal(shots.length, 4)
  assert.equal(prompts(shots).join(' '), 'One. Two. Three. Four. Five. Six.')
  assert.equal(planShots('One. Two. Three. Four.', 3, 3).length, 2)
})

test('a single sentence is shown in different framings', () => {
  for (const [seconds, least] of [
    [3, 2],
    [5, 2],
    [8, 3],
    [15, 3],
  ] as const) {
    const shots = planShots('a lighthouse in the storm', seconds, 9)
    assert.ok(shots.length >= least)
    assert.ok(prompts(shots).every((prompt) => prompt === 'a lighthouse in the storm'))
    assertWellFormed(shots, seconds)
  }
})

test('words name the framing; other shots differ from their neighbours', () => {
  const given = [
    { prompt: 'extreme close-up of an eye', seconds: 1.3 },
    { prompt: 'wide shot of the sea', seconds: 2.7 },
    { prompt: 'she turns', seconds: 1 },
    { prompt: 'close-up of her hand', seconds: 1 },
    { prompt: 'medium close-up', seconds: 1 },
  ]
  for (let seed = 0; seed < 50; seed++) {
    const shots = frameShots(given, seed)
    assert.deepEqual(
      shots.map(({ prompt, seconds }) => ({ prompt, seconds })),
      given,
    )
    const zooms = shots.map((shot) => shot.framing.zoom)
    assert.deepEqual([zooms[0], zooms[1], zooms[2], zooms[3], zooms[4]], [2, 1, 1.25, 1.6, 1.25])
  }
  const same = frameShots(
    [
      { prompt: 'wide shot', seconds: 2 },
      { prompt: 'wide shot', seconds: 2 },
    ],
    4,
  )
  assert.notDeepEqual(same[0]!.framing, same[1]!.framing)
  assert.equal(frameShots([{ prompt: 'a lake', seconds: 5 }], 1)[0]!.framing.zoom, 1)
})
