// Folders and files that can be kept in mind: at most 14 files in a folder of the source, at most 350 lines in a file.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = globSync('src/**/*.ts', { cwd: root })

test('no folder of the source has more than 14 files', () => {
  const folders = Map.groupBy(files, dirname)
  assert.ok(folders.size > 40, `only ${folders.size} folders were read`)
  const crowded = [...folders].filter(([, names]) => names.length > 14).map(([name]) => name)
  assert.deepEqual(crowded, [])
})

test('no file of the source has more than 350 lines', () => {
  const long = files.filter((file) => readFileSync(`${root}${file}`, 'utf8').trimEnd().split('\n').length > 350)
  assert.deepEqual(long, [])
})
