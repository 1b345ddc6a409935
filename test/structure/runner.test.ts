// What the runner makes of files that fail beside others and pass alone: it names them, and fails for many of them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const runner = fileURLToPath(new URL('../run.ts', import.meta.url))

test('a file that fails beside others and passes alone is named, and the run passes', async (t) => {
  const { exit, lines } = await runFlakyFiles(t, 3)
  assert.equal(exit, 0)
  for (const name of ['flaky-1', 'flaky-2', 'flaky-3'])
    assert.ok(lines.slice(-5).some((line) => line.includes(`${name}.test.mjs (named files)`)))
  assert.equal(lines.at(-1), '3 passed, 0 failed, 3 flaky files')
})

test('more than three such files fail the run', async (t) => {
  const { exit, lines } = await runFlakyFiles(t, 4)
  assert.equal(exit, 1)
  assert.ok(lines.includes('4 files are flaky; at most 3 may be'))
  assert.equal(lines.at(-1), '4 passed, 1 failed, 4 flaky files')
})

test('a file fails for tests that another file defines', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'dailies-failing-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'whole.test.mjs')
  writeFileSync(file, `import './part.mjs'`)
  writeFileSync(
    join(folder, 'part.mjs'),
    `import { test } from 'node:test'\ntest('never passes', () => { throw new Error() })`,
  )
  const { exit, lines } = await run([file])
  assert.equal(exit, 1)
  assert.equal(lines.at(-1), '0 passed, 1 failed, 0 flaky files')
})

/** Runs so many files, each with a test that fails when it runs for the first time. */
function runFlakyFiles(t: TestContext, count: number): Promise<{ exit: unknown; lines: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'dailies-flaky-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const files = Array.from({ length: count }, (_, i) => join(folder, `flaky-${i + 1}.test.mjs`))
  for (const file of files) {
    writeFileSync(
      file,
      `import { mkdirSync } from 'node:fs'
      import { test } from 'node:test'
      // The path of a folder that was not there before.
      test('passes the second time', () => { if (mkdirSync('${file}.began', { recursive: true })) throw new Error('first') })`,
    )
  }
  return run(files)
}

function run(files: string[]): Promise<{ exit: unknown; lines: string[] }> {
  // With a context of node:test, a process runs no files; with a server of PostgreSQL, it starts none.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, TEST_POSTGRES_URL: 'unused' }
  return new Promise((resolve) => {
    execFile(process.execPath, [runner, ...files], { env }, (error, stdout) => {
      resolve({ exit: error?.code ?? 0, lines: stdout.trimEnd().split('\n') })
    })
  })
}
