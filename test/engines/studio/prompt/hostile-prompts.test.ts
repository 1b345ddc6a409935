// Reading a prompt takes time in proportion to its length, whatever it repeats: the server explains prompts, and the worker
// reads them, on the event loops that serve all clients.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainPrompt } from '../../../../src/engines/studio/prompt/explain.ts'
import { planShots } from '../../../../src/engines/studio/shots/shot-plan.ts'

/** Each is repeated until the prompt is full. */
const repeated = [
  // Verbs, directions, paces and fillers that each may belong to the next.
  ...[
    'zoom in on ',
    'pans ',
    'pan left ',
    'camera ',
    'the camera slowly ',
    'zoom ',
    'zoomzoom',
    'zoom-',
    'a ',
    'very slowly ',
  ],
  ...['zoom in on the ', 'zoom a a a a a a a a on the ', 'move ', 'rotate the image ', 'follow the ', 'shot moves '],
  // Clauses of pace alone, of nothing, and that forbid.
  ...[
    'slow, ',
    'zoom in, slow, ',
    'a, ',
    'slow, a, ',
    'no zoom, pan left, ',
    'no ',
    'do not not ',
    "don't ",
    'no pan or ',
  ],
  // Places and times.
  ...[
    'from the left to ',
    'start on the left and ',
    'from left up down ',
    '1 s to ',
    '1',
    '1.',
    '0-2s ',
    'shot 1 ',
    'then ',
  ],
  // Effects and what is not done.
  ...['clouds are slowly ', 'light is ', 'rain ', 'he slowly ', 'without ', 'drone a ', '360 -', 'spiral '],
  // Other scripts, and letters that grow when they are normalised.
  ...['镜头', '镜头推', '先', 'カメラ,', '카메라 ', 'камера ', '각', 'e\u0301', '\ufdfa'],
  // Runs without words.
  ...[' ', ',', ', ', '-', '. ', '\n', '\n ', '(', '[1', ':', '。', '、', '_', 'x', 'etc. ', 'a. '],
]

const readers = {
  'explaining a prompt': (prompt: string) => explainPrompt(prompt, ''),
  'explaining a negative prompt': (prompt: string) => explainPrompt('zoom in, rain', prompt),
  'cutting a prompt into shots': (prompt: string) => planShots(prompt, 10, 1),
}

for (const [name, read] of Object.entries(readers)) {
  test(`${name} of four times the length takes about four times as long`, () => {
    const tooSlow = repeated.filter((unit) => growth(read, unit) > growthMax)
    assert.deepEqual(tooSlow, [])
  })
}

/** Proportional time would be 4, quadratic time 16. */
const growthMax = 9
/** Shorter times are noise. */
const floorMs = 3

/** How many times longer 5,000 characters take than 1,250. The best of many runs: others may load the machine meanwhile. */
function growth(read: (prompt: string) => unknown, unit: string): number {
  const [short, long] = [1250, 5000].map((length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length))
  let [shortMs, longMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let run = 0; run < 60; run++) {
    shortMs = Math.min(
      shortMs,
      timeOf(() => read(short!)),
    )
    longMs = Math.min(
      longMs,
      timeOf(() => read(long!)),
    )
    if (run > 1 && longMs < floorMs + growthMax * shortMs) return 1
  }
  return longMs / shortMs
}

function timeOf(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
