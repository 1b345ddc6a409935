// ComfyUI as it really behaves: partly valid workflows, previews, drafts, interrupts, a guarded socket, missing nodes.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { EngineError, type Finding } from '../../../src/engines/engine.ts'
import { type Bench, openBench, openTools } from '../../contracts/engine-subjects.ts'
import { type ComfyuiStandIn, startComfyui } from '../../support/generators/comfyui.ts'
import { untilTrue } from '../../support/until.ts'

const messagesOf = (findings: Finding[]) => findings.map(({ message }) => message).join()

const common = { type: 'comfyui', pollEvery: '20ms', shortSide: 64 }
const template = { ...common, workflow: 'wan-first-last-frame' }

function engineError(pattern: RegExp, expected: { retryable: boolean; blame: 'engine' | 'task' }) {
  return (error: unknown) => {
    assert.ok(error instanceof EngineError, String(error))
    assert.match(error.message, pattern)
    assert.deepEqual({ retryable: error.retryable, blame: error.blame }, expected)
    return true
  }
}

describe('a ComfyUI server', { timeout: 60_000 }, () => {
  let server: ComfyuiStandIn
  let folder: string
  const benches: Bench[] = []
  const tools = openTools()
  before(async () => {
    server = await startComfyui()
    folder = await mkdtemp(join(tmpdir(), 'comfyui-'))
  })
  afterEach(() => {
    server.quirks.clear()
    server.set('hold')
  })
  after(async () => {
    for (const bench of benches) await bench.close()
    await tools.close()
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })
  async function open(settings: object): Promise<Bench> {
    const bench = await openBench(server, settings, tools)
    benches.push(bench)
    return bench
  }
  async function workflowFile(name: string, content: unknown): Promise<string> {
    await writeFile(join(folder, name), JSON.stringify(content))
    return join(folder, name)
  }

  test('a workflow that is valid only in part is refused with the details, and taken off the queue', async () => {
    const bench = await open(template)
    server.quirks.add('partly valid')
    const before = server.canceled()
    const refusal = /node 37 \(UNETLoader\): Value not in list: unet_name: 'wan\.safetensors' not in/
    await assert.rejects(bench.run(), engineError(refusal, { retryable: false, blame: 'engine' }))
    assert.equal(server.canceled(), before + 1)
  })

  test('a preview is no video', async () => {
    const bench = await open(template)
    server.quirks.add('only previews')
    server.set('finish')
    await assert.rejects(bench.run(), engineError(/the workflow saved no video/, { retryable: true, blame: 'engine' }))
  })

  test('where two nodes save, the last one counts, or the one that is named', async () => {
    server.quirks.add('two outputs')
    server.set('finish')
    const viewed = async (settings: object) => {
      const bench = await open(settings)
      const asked = server.requests.length
      await bench.run()
      return server.requests.slice(asked)
    }
    assert.ok((await viewed(template)).includes('GET /view'))
    const own = {
      '1': { class_type: 'LoadImage', inputs: { image: 'a.png' } },
      '2': { class_type: 'Resize', inputs: { 'resize_type.width': 1, length: 81, image: ['1', 0] } },
      draft: { class_type: 'SaveVideo', inputs: { video: ['2', 0] }, _meta: { title: 'Draft' } },
      save: { class_type: 'SaveVideo', inputs: { video: ['2', 0] } },
    }
    const path = await workflowFile('own.json', own)
    // Without a prompt, with an input whose name has a dot, and with a node by its title.
    const nodes = { firstFrame: '1.image', width: '2.resize_type.width' }
    const bench = await open({ ...common, workflow: path, nodes, output: 'Draft' })
    const result = await bench.run()
    assert.equal(result.seconds, 5)
    const submitted = [...server.jobs.values()].at(-1)!.request.prompt as typeof own
    assert.equal(submitted['2'].inputs['resize_type.width'], 64)
    assert.match(String(submitted['1'].inputs.image), /^dailies\/.*\.jpg \[temp\]$/)
    const unnamed = await open({ ...common, workflow: path, nodes })
    assert.match(
      messagesOf(await unnamed.engine.inspect!(AbortSignal.timeout(5000))),
      /several nodes save \(draft SaveVideo/,
    )
  })

  test('an interrupt by hand is not retried', async () => {
    const bench = await open(template)
    server.quirks.add('interrupted')
    server.set('finish')
    await assert.rejects(bench.run(), engineError(/interrupted in ComfyUI/, { retryable: false, blame: 'task' }))
  })

  test('progress comes over a socket with the key, weighted by steps, and survives a cut', async () => {
    const bench = await open({ ...template, key: 'secret' })
    const context = await bench.context()
    const handle = await bench.start(bench.plan, context)
    const following = bench.engine.follow(handle, bench.plan, context)
    const [{ id }] = JSON.parse(String(handle.jobs))
    const sockets = () => server.sockets.length
    const before = sockets()
    await untilTrue('the socket is open', () => sockets() > before)
    assert.equal(server.sockets.at(-1), 'Bearer secret')
    const sampler = Object.entries(
      server.jobs.get(id)!.request.prompt as Record<string, { class_type: string; inputs: { steps?: number } }>,
    ).find(([, node]) => node.class_type === 'KSamplerAdvanced')!
    server.report(id, { [sampler[0]]: { value: 10, max: 20 } })
    await untilTrue('progress', () => context.reported.some((percent) => percent > 10))
    server.cutSockets()
    await untilTrue('another socket', () => sockets() > before + 1)
    server.report(id, { [sampler[0]]: { value: 20, max: 20 } })
    const half = Math.max(...context.reported)
    await untilTrue('more progress', () => Math.max(...context.reported) > half)
    server.set('finish')
    await following
    await bench.engine.discard!(handle)
    assert.equal(server.jobs.has(id), false)
  })

  test('images lie in the temporary folder where the node can read from there', async () => {
    const bench = await open(template)
    server.set('finish')
    await bench.run()
    assert.equal(server.uploads.at(-1)!.type, 'temp')
    const own = {
      '1': { class_type: 'LoadImageByPath', inputs: { path: '' } },
      '2': { class_type: 'SaveVideo', inputs: {} },
    }
    const path = await workflowFile('path.json', own)
    await (await open({ ...common, workflow: path, nodes: { firstFrame: '1.path' } })).run()
    assert.equal(server.uploads.at(-1)!.type, 'input')
  })

  test('missing nodes and model files are found before a task comes', async () => {
    const bench = await open(template)
    const signal = () => AbortSignal.timeout(5000)
    await bench.engine.probe!(signal())
    assert.deepEqual(await bench.engine.inspect!(signal()), [])
    server.quirks.add('no model file')
    assert.match(
      messagesOf(await bench.engine.inspect!(signal())),
      /\(UNETLoader\): unet_name ".*" is not there \(there is nothing\)/,
    )
    const fresh = await open(template)
    server.quirks.add('no sampler')
    await assert.rejects(fresh.engine.probe!(signal()), /the class KSamplerAdvanced is not installed/)
  })

  test("a workflow in the editor's format is recognised", async () => {
    const path = await workflowFile('editor.json', { nodes: [{ id: 1, type: 'LoadImage' }], links: [], version: 0.4 })
    await assert.rejects(open({ ...common, workflow: path, nodes: { firstFrame: '1.image' } }), /Export \(API\)/)
  })
})
