// The words that the playground suggests where it recognised none: the bundled engine understands each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workingWords } from '../../console/src/playground/runs/working-words.ts'
import { explainPrompt } from '../../src/engines/studio/prompt/explain.ts'

test('every suggested word is understood', () => {
  for (const words of workingWords) {
    const { moves, effects } = explainPrompt(`a quiet morning, ${words}`, '')
    assert.equal(moves.length + effects.length, 1, words)
  }
})
