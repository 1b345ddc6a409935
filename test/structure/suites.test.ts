// The lists of suites name folders, files and tests that exist, so that a renamed file is not silently left out.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { filesOf, longFiles, longSuites, placeSuites, quickFiles } from '../suites.ts'

test('every test file runs in npm test or in npm run test:all', () => {
  assert.deepEqual([...quickFiles(), ...longFiles()].sort(), filesOf(['.']))
  for (const suite of longSuites) assert.notDeepEqual(filesOf([suite]), [], suite)
})

for (const [place, { suites, exceptions }] of Object.entries(placeSuites)) {
  describe(`suites at ${place}`, () => {
    test('exist', () => {
      for (const suite of suites) assert.notDeepEqual(filesOf([suite]), [], suite)
    })

    test('have exceptions that exist', () => {
      for (const { files, tests = [] } of exceptions) {
        for (const name of files) {
          const found = filesOf([name])
          assert.notDeepEqual(found, [], name)
          for (const title of tests) {
            assert.ok(readFileSync(found[0]!, 'utf8').includes(`test('${title}'`), `${name} has no test '${title}'`)
          }
        }
      }
    })
  })
}
