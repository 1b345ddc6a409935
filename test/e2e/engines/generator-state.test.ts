// What a service does at a generator besides its videos: it deletes what it has copied, and reports what the generator
// lacks when it starts and in the doctor.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { silentLogger } from '../../../src/platform/logger.ts'
import { type ComfyuiStandIn, startComfyui } from '../../support/generators/comfyui.ts'
import { startOpenaiVideos } from '../../support/generators/openai-videos.ts'
import type { StandIn } from '../../support/generators/stand-in.ts'
import { places, type TestPlace } from '../../support/places/places.ts'
import { variantA, variantB } from '../../support/service/api.ts'
import { uploadImage } from '../../support/service/chain.ts'
import { runCommand } from '../../support/service/command.ts'
import { configured, type EngineFile } from '../../support/service/engine-file.ts'
import { startService } from '../../support/service/service.ts'
import { untilTrue } from '../../support/until.ts'

interface DoctorCheck {
  name: string
  status: string
  message: string
}

describe('the state of a generator', { timeout: 120_000 }, () => {
  let comfyui: ComfyuiStandIn
  let openai: StandIn
  let config: EngineFile
  let place: TestPlace
  before(async () => {
    comfyui = await startComfyui()
    openai = await startOpenaiVideos()
    for (const server of [comfyui, openai]) server.set('finish')
    const workflow = 'wan-first-last-frame'
    config = await configured({
      engines: {
        comfy: { type: 'comfyui', url: comfyui.url, workflow, shortSide: 64, pollEvery: '20ms' },
        openai: { type: 'openai-videos', url: openai.url, pollEvery: '20ms' },
      },
      models: { [variantA]: { engines: ['comfy'] }, [variantB]: { engines: ['openai'] } },
    })
    place = await places[0].create()
  })
  after(async () => {
    await comfyui?.close()
    await openai?.close()
    await config?.remove()
    await place?.stop()
  })

  async function doctor(env: Record<string, string>): Promise<{ code: number; checks: DoctorCheck[] }> {
    const { code, stdout } = await runCommand(['doctor', '--json'], { ...place.env, DAILIES_PORT: '0', ...env })
    return { code, checks: JSON.parse(stdout).checks }
  }

  test('a copied result is deleted at the generator', async () => {
    openai.quirks.add('delete forgets')
    const service = await startService({ ...place.env, ...config.env })
    try {
      const image = await uploadImage(service)
      for (const [model, input, server] of [
        [variantA, { image_url: image }, comfyui],
        [variantB, { image_urls: [image] }, openai],
      ] as const) {
        const before = server.submissions()
        const body = { model, input: { prompt: 'a boat', ...input } }
        const { taskId } = (await service.api.post('/api/v1/jobs/createTask', body)).body.data
        const record = await service.api.until(taskId, ['success', 'fail'], 30_000)
        assert.equal(record.state, 'success', JSON.stringify(record))
        assert.equal(server.submissions(), before + 1)
        await untilTrue('the generator has deleted it', () => server.jobs.size === 0)
      }
    } finally {
      await service.stop()
    }
  })

  test('the start reports what a workflow lacks, and the doctor says that something is wrong', async () => {
    comfyui.quirks.add('no model file')
    const missing = /\(UNETLoader\): unet_name ".*" is not there/
    try {
      const warnings: string[] = []
      const log = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) }
      const service = await startService({ ...place.env, ...config.env }, { log })
      await untilTrue('the start has inspected', () => warnings.some((message) => missing.test(message))).finally(() =>
        service.stop(),
      )
      const { code, checks } = await doctor(config.env)
      assert.equal(code, 1)
      const found = checks.filter(({ name }) => name === 'engine comfy')
      assert.deepEqual(
        found.map(({ status }) => status),
        ['ok', 'problem', 'problem'],
      )
      assert.match(found[1]!.message, missing)
    } finally {
      comfyui.quirks.clear()
    }
    assert.equal((await doctor(config.env)).code, 0)
  })

  test('a node class that is not installed is a problem', async () => {
    comfyui.quirks.add('no sampler')
    try {
      const { code, checks } = await doctor(config.env)
      assert.equal(code, 1)
      const found = checks.find(({ name }) => name === 'engine comfy')!
      assert.match(found.message, /the class KSamplerAdvanced is not installed/)
    } finally {
      comfyui.quirks.clear()
    }
  })

  test("the doctor recognises a workflow in the editor's format", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dailies-workflow-'))
    await writeFile(join(folder, 'editor.json'), JSON.stringify({ nodes: [], links: [], version: 0.4 }))
    const workflow = join(folder, 'editor.json')
    const engine = { type: 'comfyui', url: comfyui.url, workflow, nodes: { firstFrame: '1.image' } }
    const file = await configured({ engines: { comfy: engine } })
    try {
      const { code, checks } = await doctor(file.env)
      assert.equal(code, 1)
      assert.match(checks.find(({ name }) => name === 'engines')!.message, /use Workflow → Export \(API\)/)
    } finally {
      await file.remove()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
