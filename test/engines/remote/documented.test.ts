// Every engine in docs/engines.md is run as it stands there, against a stand-in for its server.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openBench, openTools } from '../../contracts/engine-subjects.ts'
import { startComfyui } from '../../support/generators/comfyui.ts'
import { startDailies } from '../../support/generators/dailies.ts'
import { startLightx2v } from '../../support/generators/lightx2v.ts'
import { startOpenaiVideos } from '../../support/generators/openai-videos.ts'
import { startSdcpp } from '../../support/generators/sdcpp.ts'
import type { StandIn } from '../../support/generators/stand-in.ts'
import { testKey } from '../../support/service/service.ts'

type Settings = Record<string, unknown> & { type: string; url: string }

/** The servers of the documentation by the address that it gives them, with their ways. */
const servers: Record<string, { start(): Promise<StandIn>; quirks?: string[] }> = {
  'https://videos.example.com': { start: startDailies },
  'http://127.0.0.1:8091': {
    start: startOpenaiVideos,
    quirks: ['failed with 500', 'steps of 16', 'references stand alone'],
  },
  'http://127.0.0.1:30000': { start: startOpenaiVideos, quirks: ['url', 'delete forgets'] },
  'http://127.0.0.1:4000': { start: startOpenaiVideos, quirks: ['lists fail'] },
  'http://127.0.0.1:1234': { start: startSdcpp },
  'http://127.0.0.1:8188': { start: startComfyui },
  'http://127.0.0.1:8000': { start: startLightx2v },
}

async function documented(): Promise<Settings[]> {
  const text = await readFile(new URL('../../../docs/engines.md', import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json]) => JSON.parse(json!) as object)
  return blocks.filter((block): block is Settings => 'type' in block)
}

const settings = await documented()

describe('the engines of the documentation', { timeout: 120_000 }, () => {
  let folder: string
  const tools = openTools()
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dailies-documented-'))
  })
  after(async () => {
    await tools.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('there is one for every server', () => {
    assert.deepEqual([...new Set(settings.map(({ url }) => url))].sort(), Object.keys(servers).sort())
  })

  /** A workflow that has the places that the settings name. */
  async function workflowFor({ nodes, output }: Settings): Promise<string> {
    const workflow: Record<string, object> = {
      save: { class_type: 'SaveVideo', inputs: {}, _meta: { title: String(output) } },
    }
    for (const [i, place] of Object.values(nodes as Record<string, string>).entries()) {
      const [node, input] = place.split('.') as [string, string]
      const id = /^\d+$/.test(node) ? node : String(100 + i)
      const inputs = (workflow[id] as { inputs: object } | undefined)?.inputs ?? {}
      const class_type = node.startsWith('Load') ? 'LoadImage' : 'Node'
      workflow[id] = { class_type, inputs: { ...inputs, [input]: '' }, _meta: { title: node } }
    }
    const path = join(folder, 'my-workflow.json')
    await writeFile(path, JSON.stringify(workflow))
    return path
  }

  for (const [i, each] of settings.entries()) {
    test(`${each.type} at ${each.url} (${i + 1})`, async () => {
      const { start, quirks = [] } = servers[each.url]!
      const server = await start()
      server.set('finish')
      for (const quirk of quirks) server.quirks.add(quirk)
      const own = String(each.workflow).startsWith('./') ? { workflow: await workflowFor(each) } : {}
      const key = each.key === undefined ? {} : { key: testKey }
      const bench = await openBench(server, { ...each, ...own, ...key, pollEvery: '20ms' }, tools)
      try {
        await bench.engine.probe!(AbortSignal.timeout(5000))
        const result = await bench.run()
        assert.ok(Math.abs(result.seconds - 5) < 0.1, String(result.seconds))
        if (bench.engine.abilities?.lastFrame) {
          await bench.run({ plan: { lastFrame: { file: 'first.jpg', kind: 'image' } } })
        }
      } finally {
        await bench.close()
        await server.close()
      }
    })
  }
})
