// What draws a clip runs anywhere, in a browser too: it reaches nothing of Node and no package. The host's part (decoding,
// networks, elements, encoding) is named here.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readImports, runtimeImports } from './import-graph.ts'

const sourceDir = fileURLToPath(new URL('../../src', import.meta.url))

/** Folders whose files all are the host's, and single files. */
const host = [
  ...['engines/studio/networks/', 'video/normalise/'],
  // Programs and the port to them.
  ...['render-main', 'render-pool', 'render', 'studio'].map((name) => `engines/studio/${name}.ts`),
  // Pictures: decoded, looked at, written.
  ...['picture-analysis', 'request-picture', 'relief/depth-network'].map((name) => `engines/studio/${name}.ts`),
  ...['faces', 'salient-mask', 'subject'].map((name) => `engines/studio/subject/${name}.ts`),
  ...['decode-picture', 'write-still', 'input-image-main'].map((name) => `video/picture/${name}.ts`),
  ...['cast', 'element-art', 'element-layer'].map((name) => `engines/studio/elements/${name}.ts`),
  'video/av/encoder.ts',
  'video/av/media-reader.ts',
  'video/kernel/build.ts',
  'video/kernel/load-kernel.ts',
  'video/sound/sound-track.ts',
  'video/work-outcome.ts',
]
const isHosts = (file: string) => host.some((name) => file === name || (name.endsWith('/') && file.startsWith(name)))

/** What a page would load besides. */
const others = ['models/subject-names.ts', 'schema/validation.ts', 'schema/omit-empty.ts']
others.push('schema/schema-walk.ts', 'schema/sent-instead.ts')

const files = [...readImports(sourceDir).keys()].filter(
  (file) => /^(engines\/studio|video)\//.test(file) && !file.endsWith('.d.ts') && !file.includes('/assembly/'),
)
const importsOf = (file: string) => runtimeImports(file, readFileSync(join(sourceDir, file), 'utf8'))

test('what draws a clip imports nothing of Node', () => {
  const wrong = files
    .filter((file) => !isHosts(file))
    .flatMap((file) => {
      const own = new Set([...files.filter((other) => !isHosts(other)), ...others])
      return importsOf(file)
        .filter((other) => !own.has(other))
        .map((other) => `${file} imports ${other}`)
    })
  assert.deepEqual(wrong, [])
  assert.ok(files.filter((file) => !isHosts(file)).includes('engines/studio/shots/shot-player.ts'))
})

test('the list of the host’s files is not too long', () => {
  const needless = files.filter((file) => {
    if (!host.includes(file)) return false
    return importsOf(file).every((other) => files.includes(other) && !isHosts(other))
  })
  assert.deepEqual(needless, [])
  for (const name of host)
    assert.ok(
      files.some((file) => file.startsWith(name)),
      `${name} is not there`,
    )
})

test('modules are counted, types are not', () => {
  const text = `import type { A } from './a.ts'\nimport { type B, c } from './c.ts'\nimport sharp from 'sharp'\n`
  assert.deepEqual(runtimeImports('video/x.ts', text), ['video/c.ts', 'sharp'])
})
