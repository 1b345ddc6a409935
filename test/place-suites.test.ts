// Suites at other places: the list names what there is, and a part of each place's suites runs every time.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { placeSuites, sampleOf, testArguments } from './place-suites.ts'

/** Runs files in a process of its own; answers what it printed. */
function runAt(place: string, files: string[]): Promise<{ failed: boolean; output: string }> {
  const { NODE_TEST_CONTEXT: _own, ...env } = process.env
  const options = { env: { ...env, TEST_PLACE: place }, maxBuffer: 2 ** 24 }
  const args = ['--test', '--test-concurrency=1', '--test-reporter=tap', ...testArguments(place, files)]
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    )
  })
}

for (const [place, { exceptions }] of Object.entries(placeSuites)) {
  describe(`suites at ${place}`, () => {
    test('what is left out is there', async () => {
      for (const { files, tests = [] } of exceptions) {
        for (const file of files) {
          const text = await readFile(fileURLToPath(new URL(`${file}.test.ts`, import.meta.url)), 'utf8')
          for (const title of tests) assert.ok(text.includes(`test('${title}'`), `${file} has no test '${title}'`)
        }
      }
    })

    test('a part of them passes unchanged', async (t) => {
      const files = sampleOf(place)
      const { failed, output } = await runAt(place, files)
      assert.ok(!failed, output)
      const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1])
      assert.ok(passed >= 4 * files.length, `only ${passed} tests ran`)
      t.diagnostic(`${passed} tests in ${files.length} files`)
    })
  })
}
