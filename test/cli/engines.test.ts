// `dailies engines`: what is configured, and one task against one engine with each step, against stand-in servers.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { jpeg } from '../support/files/image-files.ts'
import { type ComfyuiStandIn, startComfyui } from '../support/generators/comfyui.ts'
import { startOpenaiVideos } from '../support/generators/openai-videos.ts'
import type { StandIn } from '../support/generators/stand-in.ts'
import { variantA, variantB } from '../support/service/api.ts'
import { commandJson, runCommand } from '../support/service/command.ts'
import { configured, type EngineFile } from '../support/service/engine-file.ts'

interface Tried {
  ok: boolean
  out: string | null
  video: { seconds: number; width: number } | null
  steps: { step: string; status: string; message: string }[]
}

describe('dailies engines', { timeout: 120_000 }, () => {
  let openai: StandIn
  let comfyui: ComfyuiStandIn
  let config: EngineFile
  let folder: string
  let image: string
  before(async () => {
    openai = await startOpenaiVideos()
    comfyui = await startComfyui()
    folder = await mkdtemp(join(tmpdir(), 'dailies-try-test-'))
    image = join(folder, 'boat.jpg')
    await writeFile(image, await jpeg(640, 360))
    config = await configured({
      engines: {
        gpu: { type: 'openai-videos', url: openai.url, pollEvery: '20ms', slots: 3 },
        comfy: {
          type: 'comfyui',
          url: comfyui.url,
          workflow: 'wan-first-last-frame',
          shortSide: 64,
          pollEvery: '20ms',
        },
      },
      models: { [variantA]: { engines: ['gpu'], fallback: ['studio'] }, [variantB]: { engines: ['comfy'] } },
    })
  })
  afterEach(() => {
    for (const server of [openai, comfyui]) {
      server.quirks.clear()
      server.results('video')
    }
  })
  after(async () => {
    await openai?.close()
    await comfyui?.close()
    await config?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  async function tried(args: string[]): Promise<Tried & { code: number }> {
    const { code, stdout, stderr } = await runCommand(['engines', 'try', ...args, '--json'], config.env)
    assert.notEqual(stdout, '', stderr)
    return { code, ...JSON.parse(stdout) }
  }
  const statuses = ({ steps }: Tried) => steps.map(({ step, status }) => `${step} ${status}`)

  test('list names each engine with its models and what it can do', async () => {
    const { items } = await commandJson(['engines', 'list'], config.env)
    assert.deepEqual(
      items.map((item: Record<string, unknown>) => [item.name, item.type, item.slots, item.lastFrame, item.models]),
      [
        ['gpu', 'openai-videos', 3, false, [variantA]],
        ['comfy', 'comfyui', 1, true, [variantB]],
        ['studio', 'studio', items[2].slots, true, [variantA]],
      ],
    )
    const { stdout } = await runCommand(['engines', 'list'], config.env)
    assert.match(stdout, /gpu\s+openai-videos\s+http:\/\/127/)
  })

  test('try shows each step and leaves the video', async () => {
    openai.set('finish')
    const out = join(folder, 'video.mp4')
    const args = ['engines', 'try', 'gpu', '--image', image, '--prompt', 'a boat', '--out', out]
    const { code, stdout } = await runCommand(args, config.env)
    assert.equal(code, 0, stdout)
    const words = stdout.split('\n').map((line) => line.split(/\s+/).slice(0, 2).join(' '))
    for (const step of ['connect', 'inspect', 'submit', 'generate', 'save'])
      assert.ok(words.includes(`${step} ok`), stdout)
    assert.match(stdout, /progress\s+90 %/)
    assert.match(stdout, /the result was checked, 5 s, 1280x720, 24 fps, h264/)
    assert.match(stdout, /The engine gpu works\./)
    assert.equal((await readFile(out)).toString('latin1', 4, 8), 'ftyp')
    assert.equal([...openai.jobs.values()].at(-1)!.request.prompt, 'a boat')
  })

  test('try stops at the step that fails, with the reason', async () => {
    openai.set('finish')
    openai.results('still')
    const still = await tried(['gpu', '--image', image])
    assert.deepEqual([still.code, still.ok, still.out, still.video], [1, false, null, null])
    assert.deepEqual(statuses(still), ['connect ok', 'inspect ok', 'submit ok', 'generate failed'])
    assert.match(still.steps.at(-1)!.message, /a still image/)
    openai.quirks.add('wrong key')
    const refused = await tried(['gpu', '--image', image])
    assert.deepEqual(statuses(refused), ['connect ok', 'inspect ok', 'submit failed'])
    await openai.down()
    const away = await tried(['gpu', '--image', image])
    await openai.up()
    assert.deepEqual(statuses(away), ['connect failed'])
  })

  test('try says what a ComfyUI server lacks, and runs a workflow that fits', async () => {
    comfyui.set('finish')
    const made = await tried([
      'comfy',
      '--image',
      image,
      '--last-frame',
      image,
      '--seconds',
      '1',
      '--out',
      join(folder, 'comfy.mp4'),
    ])
    assert.deepEqual([made.code, made.ok, made.video?.seconds], [0, true, 1], JSON.stringify(made))
    comfyui.quirks.add('no model file')
    const lacking = await tried(['comfy', '--image', image, '--seconds', '1', '--out', join(folder, 'lacking.mp4')])
    const inspected = lacking.steps.find(({ step }) => step === 'inspect')!
    assert.equal(inspected.status, 'warning')
    assert.match(inspected.message, /unet_name ".*" is not there/)
  })

  test('mistakes in the call are named', async () => {
    const noImage = await runCommand(['engines', 'try', 'gpu'], config.env)
    assert.deepEqual([noImage.code, /--image is missing/.test(noImage.stderr)], [2, true])
    const unknown = await runCommand(['engines', 'try', 'tpu', '--image', image], config.env)
    assert.deepEqual([unknown.code, /there are gpu, comfy, studio/.test(unknown.stderr)], [1, true])
    const noFile = await runCommand(['engines', 'try', 'gpu', '--image', join(folder, 'none.jpg')], config.env)
    assert.equal(noFile.code, 1)
    const lastFrame = await runCommand(['engines', 'try', 'gpu', '--image', image, '--last-frame', image], config.env)
    assert.match(lastFrame.stderr, /takes no last frame/)
  })
})
