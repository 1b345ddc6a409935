// Imports point one way: no cycle between files or folders, no folder above its place, no barrel.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findCycles, findProblems, type ImportGraph, importsOf, type LayerRules, readImports } from './import-graph.ts'

const rules: LayerRules = {
  order: [
    'platform',
    'secrets',
    'schema',
    'contract',
    'db',
    'commit',
    'limits',
    'children',
    'audit',
    'queue',
    'metrics',
    'tracing',
    'storage',
    'accounts',
    'admission',
    'outbound',
    'moderation',
    'media',
    'models',
    'video',
    'engines',
    'tasks',
    'inference',
    'webhooks',
    'account-data',
    'http',
    'settings',
    'config.ts',
    'parts.ts',
    'routes.ts',
    'app.ts',
    'cli',
    'main.ts',
  ],
  rooms: {
    accounts: ['keys', 'sessions'],
    engines: ['comfyui', 'fleet', 'lightx2v', 'openai-videos', 'remote', 'sdcpp', 'setup', 'studio', 'upstream'],
    cli: ['connect', 'doctor', 'mcp', 'operator', 'server', 'tasks', 'terminal'],
    contract: ['tasks'],
    db: ['postgres', 'sqlite'],
    http: ['openapi', 'routes', 'server'],
    inference: ['embeddings'],
    media: ['child'],
    moderation: ['child', 'rules'],
    platform: ['loops'],
    tasks: ['attempt', 'finish', 'prepare', 'record', 'reports', 'store', 'upkeep'],
    video: ['av', 'kernel', 'normalise', 'picture', 'sound'],
  },
  only: {
    'config.ts': ['platform', 'secrets', 'outbound', 'settings'],
    settings: ['platform', 'limits', 'secrets', 'schema', 'outbound', 'moderation'],
  },
  // The service knows nothing of its client; the command line is a user like others.
  outside: { '../client/src/public.ts': ['cli'] },
}

test('the source keeps to its layers', () => {
  const graph = readImports(fileURLToPath(new URL('../../src', import.meta.url)))
  assert.ok(graph.size > 100, `only ${graph.size} files were read`)
  assert.ok(graph.get('parts.ts')!.includes('admission/admission.ts'))
  assert.deepEqual(findProblems(graph, rules), [])
})

test('docs/architecture.md lists the layers in their order', () => {
  const page = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
  const tree = page.slice(page.indexOf('\nsrc/\n'), page.indexOf('\nclient/'))
  const listed = [...tree.matchAll(/^ {2}([\w-]+(?:\.ts)?)\/? /gm)].map((match) => match[1])
  assert.deepEqual(listed, rules.order)
})

test('the client stands alone and has no circle', () => {
  const graph = readImports(fileURLToPath(new URL('../../client/src', import.meta.url)))
  assert.ok(graph.size > 20, `only ${graph.size} files were read`)
  for (const [file, imported] of graph) for (const other of imported) assert.ok(graph.has(other), `${file}: ${other}`)
  assert.deepEqual(findCycles(graph), [])
})

describe('the check finds', () => {
  const graph = (files: Record<string, string[]>): ImportGraph => new Map(Object.entries(files))
  const cases: { name: string; files: Record<string, string[]>; problems: RegExp[]; rules?: LayerRules }[] = [
    { name: 'nothing in a good picture', files: { 'db/a.ts': ['platform/b.ts'], 'platform/b.ts': [] }, problems: [] },
    {
      name: 'a wrong direction',
      files: { 'platform/a.ts': ['db/b.ts'], 'db/b.ts': [] },
      problems: [/^platform\/a\.ts: may not import db\/b\.ts/],
    },
    {
      name: 'a setting file that reaches for more than it may',
      files: { 'config.ts': ['db/b.ts'], 'db/b.ts': [] },
      problems: [/^config\.ts: may not import db\/b\.ts/],
    },
    {
      name: 'a cycle inside one folder',
      files: { 'db/a.ts': ['db/b.ts'], 'db/b.ts': ['db/c.ts'], 'db/c.ts': ['db/a.ts'] },
      problems: [/^files .*db\/a\.ts → db\/b\.ts → db\/c\.ts → db\/a\.ts$/],
    },
    {
      name: 'a cycle of folders that no file closes',
      files: { 'db/a.ts': ['platform/b.ts'], 'platform/b.ts': [], 'platform/c.ts': ['db/d.ts'], 'db/d.ts': [] },
      problems: [/^platform\/c\.ts: may not import/, /^folders .*db → platform → db$/],
    },
    {
      name: 'a cycle of rooms inside one layer that no file closes',
      files: {
        'engines/fleet/a.ts': ['engines/setup/b.ts'],
        'engines/setup/b.ts': [],
        'engines/setup/c.ts': ['engines/fleet/d.ts'],
        'engines/fleet/d.ts': [],
      },
      rules: { ...rules, rooms: { engines: ['fleet', 'setup'] } },
      problems: [/^rooms .*engines\/fleet → engines\/setup → engines\/fleet$/],
    },
    {
      name: 'a room that the file above it imports, and that imports that file',
      files: {
        'engines/engine.ts': ['engines/fleet/a.ts'],
        'engines/fleet/a.ts': [],
        'engines/fleet/b.ts': ['engines/engine.ts'],
      },
      rules: { ...rules, rooms: { engines: ['fleet'] } },
      problems: [/^rooms .*engines\/engine\.ts → engines\/fleet → engines\/engine\.ts$/],
    },
    {
      name: 'a room that is not listed, and a listed one that is not there',
      files: { 'engines/misc/a.ts': [] },
      rules: { ...rules, rooms: { engines: ['fleet'] } },
      problems: [/^engines\/misc: is not in the list of rooms/, /^engines\/fleet: is in the list of rooms/],
    },
    { name: 'a barrel', files: { 'db/index.ts': [] }, problems: [/^db\/index\.ts: a barrel/] },
    {
      name: 'a folder without a place',
      files: { 'utils/a.ts': [] },
      problems: [/^utils\/a\.ts: lies in no known layer/],
    },
    {
      name: 'the client where it has no place',
      files: { 'cli/a.ts': ['../client/src/public.ts'], 'tasks/b.ts': ['../client/src/public.ts'] },
      problems: [/^tasks\/b\.ts: imports \.\.\/client\/src\/public\.ts/],
    },
    {
      name: 'an import of nothing',
      files: { 'db/a.ts': ['db/gone.ts'] },
      problems: [/^db\/a\.ts: imports db\/gone\.ts/],
    },
  ]
  for (const { name, files, problems, rules: ruled } of cases) {
    test(name, () => {
      const found = findProblems(graph(files), ruled ?? { ...rules, rooms: {} })
      assert.equal(found.length, problems.length, found.join('\n'))
      problems.forEach((problem, i) => {
        assert.match(found[i]!, problem)
      })
    })
  }
})

test('every way to import is read', () => {
  const text = `// import './not-this.ts'
import fs from 'node:fs'
import './bare.ts'
import type { A } from './type.ts'
import {
  b,
  type C,
} from '../above.ts'
export { d } from './again.ts'
export * from './star.ts'
type E = import('./in-type.ts').E
const late = () => import('./late.ts')
const child = new URL('./child.ts', import.meta.url)
const folder = new URL('./migrations/', import.meta.url)
/* import './nor-this.ts' */
const words = 'taken from "here"'
`
  assert.deepEqual(importsOf('db/file.ts', text).sort(), [
    'above.ts',
    ...['again', 'bare', 'child', 'in-type', 'late', 'star', 'type'].map((name) => `db/${name}.ts`),
  ])
})
