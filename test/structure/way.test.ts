// docs/architecture.md names the files that a task passes, and they are few enough to be read in one sitting.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const filesMax = 40

test('the way of one task names files that exist, once each', () => {
  const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
  const [, section] = page.split('\n## The way of one task\n')
  const files = [...section!.split('\n## ')[0]!.matchAll(/^\d+\. `([^`]+)`/gm)].map((match) => match[1]!)
  assert.ok(files.length > 20 && files.length <= filesMax, `${files.length} files`)
  assert.deepEqual([...new Set(files)], files)
  const missing = files.filter((file) => !existsSync(new URL(`../../src/${file}`, import.meta.url)))
  assert.deepEqual(missing, [])
})
