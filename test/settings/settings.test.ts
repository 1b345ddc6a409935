// The declared settings: the documentation has each of them, what has moved is reported, and the file's part is checked.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../../src/config.ts'
import { OperatorError } from '../../src/platform/errors.ts'
import { settings } from '../../src/settings/settings.ts'
import { configured } from '../support/service/engine-file.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('docs/operating.md has a row for every setting, with its default and its line of help', async () => {
  const text = await readFile(join(root, 'docs/operating.md'), 'utf8')
  const rows = [...text.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| (.+?) \| (.+) \|$/gm)].map(([, ...row]) => row)
  const declared = Object.values(settings)
  assert.deepEqual(rows.map(([name]) => name).sort(), declared.map(({ name }) => name).sort())
  for (const { name, shownDefault, help } of declared) {
    const [, byDefault, meaning] = rows.find((row) => row[0] === name)!
    assert.equal(byDefault, shownDefault, name)
    assert.ok(meaning!.startsWith(help), `${name}: the row must begin with "${help}"`)
  }
})

test('variables that files name are settings', async () => {
  const known = new Set(Object.values(settings).map(({ name }) => name))
  for (const other of ['DAILIES_URL', 'DAILIES_KEY']) known.add(other)
  const files = ['compose.yaml', 'Dockerfile', 'SECURITY.md', 'deploy/kubernetes.yaml', 'deploy/dailies.service']
  for (const file of [...files, ...['operating', 'engines', 'scaling', 'api'].map((name) => `docs/${name}.md`)]) {
    const text = await readFile(join(root, file), 'utf8')
    const unknown = [...text.matchAll(/DAILIES_[A-Z_]*[A-Z]/g)].map(([name]) => name).filter((name) => !known.has(name))
    assert.deepEqual(unknown, [], file)
  }
})

test('what has moved is reported with its new place, and what was never there with a guess', () => {
  const { warnings } = loadConfig({ DAILIES_LEASE: '3s', DAILIES_PRICES: '{}', DAILIES_PROT: '1', DAILIES_URL: 'x' })
  assert.deepEqual(warnings.slice(0, 3), [
    'DAILIES_LEASE is not a setting any more: it is always 15s',
    'DAILIES_PRICES is not a setting any more: prices are set in dailies.config.json, under models',
    'DAILIES_PROT is not a setting; did you mean DAILIES_PORT?',
  ])
})

describe('settings in dailies.config.json', () => {
  const read = async (content: object) => {
    const config = await configured(content)
    try {
      return loadConfig(config.env)
    } finally {
      await config.remove()
    }
  }

  test('have defaults, and are kept from the engines', async () => {
    for (const config of [loadConfig({}), await read({ engines: {} })]) {
      assert.deepEqual(config.moderationThresholds, { promptSimilarity: 0.6, imageExplicit: 0.6 })
      assert.deepEqual(
        [config.depthModel, config.embeddingPriceUsd, config.auditRetentionMs],
        [null, 0.02, 365 * 86_400_000],
      )
    }
    const config = await read({
      moderation: { images: 0.8 },
      studio: { depthModel: fileURLToPath(import.meta.url) },
      embeddings: { usdPerMillionTokens: 1 },
      audit: { retention: '30d' },
      engines: {},
    })
    assert.deepEqual(config.moderationThresholds, { promptSimilarity: 0.6, imageExplicit: 0.8 })
    assert.equal(config.depthModel, fileURLToPath(import.meta.url))
    assert.equal(config.embeddingPriceUsd, 1)
    assert.equal(config.auditRetentionMs, 30 * 86_400_000)
    assert.deepEqual(config.engineFile?.content, { engines: {} })
  })

  const mistakes: [object, RegExp][] = [
    [{ moderation: { prompts: 2 } }, /moderation\.prompts: must be/],
    [{ moderation: { words: 1 } }, /moderation: has unknown fields: words/],
    [{ studio: { depthModel: 'none.onnx' } }, /studio\.depthModel: must name a file that can be read/],
    [{ embeddings: { usdPerMillionTokens: 0 } }, /embeddings\.usdPerMillionTokens: must be/],
    [{ audit: { retention: '30' } }, /audit\.retention: must be a duration such as/],
  ]
  for (const [content, words] of mistakes) {
    test(`${JSON.stringify(content)} is refused with its place`, async () => {
      await assert.rejects(read(content), (error: Error) => error instanceof OperatorError && words.test(error.message))
    })
  }
})
