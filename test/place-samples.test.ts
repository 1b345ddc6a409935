// A sample of the suites of each place passes there.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
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

for (const place of Object.keys(placeSuites)) {
  test(`a sample of the suites passes at ${place}`, async (t) => {
    const files = sampleOf(place)
    const { failed, output } = await runAt(place, files)
    assert.ok(!failed, output)
    const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1])
    assert.ok(passed >= 4 * files.length, `only ${passed} tests ran`)
    t.diagnostic(`${passed} tests in ${files.length} files`)
  })
}
