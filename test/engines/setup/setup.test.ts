// The file that says which engine serves which model: what is read from it, and what is said of its mistakes.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseEngineSetup } from '../../../src/engines/setup/engine-setup.ts'
import { OperatorError } from '../../../src/platform/errors.ts'
import { readJsonFile } from '../../../src/platform/json-file.ts'
import { variantA } from '../../support/service/api.ts'

const gpu = { type: 'sdcpp', url: 'http://127.0.0.1:1234/' }
const parse = (content: unknown) => parseEngineSetup({ path: 'dailies.config.json', content })

test('without a file nothing is set up', () => {
  const setup = parseEngineSetup(null)
  assert.equal(setup.engines.size + setup.routes.size + setup.models.length, 0)
})

test('a whole file is read', () => {
  const setup = parse({
    engines: { gpu: { ...gpu, slots: 2, rate: '30/1m', creditsMax: '5000/1d' } },
    models: {
      [variantA]: { engines: [{ name: 'gpu', weight: 3 }, 'studio'], fallback: ['studio'], unsupported: 'studio' },
      'acme/fast': { like: variantA, engines: ['gpu'], prices: { 5: 7 }, title: 'Fast' },
    },
  })
  const settings = setup.engines.get('gpu')!
  assert.equal(settings.url, 'http://127.0.0.1:1234')
  assert.deepEqual(
    [settings.slots, settings.rate, settings.creditsMax],
    [2, { requests: 30, perMs: 60_000 }, { requests: 5000, perMs: 86_400_000 }],
  )
  assert.deepEqual(setup.routes.get(variantA), {
    engines: [
      { name: 'gpu', weight: 3 },
      { name: 'studio', weight: 1 },
    ],
    fallback: ['studio'],
    unsupported: 'studio',
  })
  assert.deepEqual(setup.prices, { 'acme/fast': { 5: 7, 10: 84 } })
  assert.deepEqual(
    setup.models.map(({ id, like, title }) => ({ id, like, title })),
    [{ id: 'acme/fast', like: variantA, title: 'Fast' }],
  )
})

describe('a mistake is reported in one line that names its place', () => {
  const cases: [string, unknown, RegExp][] = [
    ['not an object', [], /^dailies\.config\.json: body: must be a JSON object$/],
    ['an unknown part', { engine: {} }, /unknown fields: engine/],
    ['an unknown type', { engines: { gpu: { ...gpu, type: 'sora' } } }, /engines\.gpu\.type: must be "upstream"/],
    ['no address', { engines: { gpu: { type: 'sdcpp' } } }, /engines\.gpu\.url: is required/],
    ['a bad address', { engines: { gpu: { ...gpu, url: 'gpu:1234' } } }, /engines\.gpu\.url: must be an http/],
    ['no slots', { engines: { gpu: { ...gpu, slots: 0 } } }, /engines\.gpu\.slots: must be/],
    ['a bad rate', { engines: { gpu: { ...gpu, rate: 'often' } } }, /engines\.gpu\.rate: must be a rate such as/],
    ['an unknown setting', { engines: { gpu: { ...gpu, slotz: 1 } } }, /engines\.gpu: has unknown fields: slotz/],
    ['a taken name', { engines: { studio: gpu } }, /engines\.studio: the name is taken/],
    ['an engine that is not there', { models: { [variantA]: { engines: ['gpu'] } } }, /there is no engine "gpu"/],
    [
      'no weight',
      { models: { [variantA]: { engines: [{ name: 'studio', weight: 0 }] } } },
      /one weight must be above 0/,
    ],
    ['a new model on nothing', { models: { 'acme/x': { engines: ['studio'] } } }, /models\.acme\/x\.like: is required/],
    [
      'a new model on no model',
      { models: { 'acme/x': { like: 'acme/y' } } },
      /models\.acme\/x\.like: must be videomodel/,
    ],
    ['a built-in model on another', { models: { [variantA]: { like: variantA } } }, /like: must be left out/],
    ['prices that are no list', { models: { [variantA]: { prices: 5 } } }, /models\.videomodel.*\.prices: must be/],
    ['prices of no model', { models: { 'acme/x': { prices: { 5: 1 } } } }, /models\.acme\/x\.like: is required/],
    ['a wrong price', { models: { [variantA]: { prices: { 6: 1 } } } }, /prices: "6" of .* is not a price/],
  ]
  for (const [name, content, words] of cases) {
    test(name, () => {
      assert.throws(
        () => parse(content),
        (error) => {
          assert.ok(error instanceof OperatorError)
          assert.match(error.message, words)
          assert.doesNotMatch(error.message, /\n/)
          return true
        },
      )
    })
  }
})

test('variables of the environment are filled in, and missed by their place', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-setup-test-'))
  const path = join(folder, 'dailies.config.json')
  const value = { engines: { gpu: { key: `Bearer \${GPU_KEY}`, list: ['a', 1, null] } } }
  await writeFile(path, JSON.stringify(value))
  assert.deepEqual(readJsonFile(path, { GPU_KEY: 'secret' }), {
    engines: { gpu: { key: 'Bearer secret', list: ['a', 1, null] } },
  })
  assert.throws(() => readJsonFile(path, {}), /engines\.gpu\.key: the environment has no GPU_KEY/)
  await rm(folder, { recursive: true })
})
