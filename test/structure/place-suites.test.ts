// The list of suites that do not run at a place names files and tests that exist.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { placeSuites } from '../place-suites.ts'

for (const [place, { exceptions }] of Object.entries(placeSuites)) {
  describe(`suites at ${place}`, () => {
    test('names existing files and tests in its exceptions', async () => {
      for (const { files, tests = [] } of exceptions) {
        for (const file of files) {
          const text = await readFile(fileURLToPath(new URL(`../${file}.test.ts`, import.meta.url)), 'utf8')
          for (const title of tests) assert.ok(text.includes(`test('${title}'`), `${file} has no test '${title}'`)
        }
      }
    })
  })
}
