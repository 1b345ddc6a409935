// Prompts in the style of the generators' own guides, in eleven languages, and what a director expects of each. A prompt that
// was misread gets a line in the table of its language, with the reading that it should have had.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as asian from './suite/asian.ts'
import { english } from './suite/english.ts'
import * as european from './suite/european.ts'
import { reading } from './suite/reading.ts'

for (const [language, table] of Object.entries({ english, ...european, ...asian })) {
  test(language, () => {
    assert.deepEqual(
      table.map(([prompt]) => [prompt, reading(prompt)]),
      table,
    )
  })
}
