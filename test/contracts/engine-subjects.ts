// The engines that the contract is checked on, each with a generator that a test can play with.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine, EngineResult, FollowContext, Handle, Plan } from '../../src/engines/engine.ts'
import { createInputImages } from '../../src/engines/remote/input-images.ts'
import { createNormaliser } from '../../src/engines/remote/normaliser.ts'
import { createEngines } from '../../src/engines/setup/create-engines.ts'
import { parseEngineSetup } from '../../src/engines/setup/engine-setup.ts'
import { createCatalogue } from '../../src/models/catalogue.ts'
import { parsePrivateNetwork } from '../../src/outbound/address-rules.ts'
import { createGuardedFetch } from '../../src/outbound/guarded-fetch.ts'
import { jpeg } from '../support/files/image-files.ts'
import { startComfyui } from '../support/generators/comfyui.ts'
import { startDailies } from '../support/generators/dailies.ts'
import { startLightx2v } from '../support/generators/lightx2v.ts'
import { startOpenaiVideos } from '../support/generators/openai-videos.ts'
import { startSdcpp } from '../support/generators/sdcpp.ts'
import type { StandIn } from '../support/generators/stand-in.ts'
import { variantA } from '../support/service/api.ts'
import { testKey } from '../support/service/service.ts'

interface RemoteSubject {
  name: string
  /** Whether a submission that is repeated under its name is made once. */
  idempotent: boolean
  startGenerator(): Promise<StandIn>
  settings: object
}

/** Everything fast and small; one megabyte is the largest video taken. */
const common = { pollEvery: '20ms', videoMegabytesMax: 1, jobTime: '20s' }

export const remoteSubjects: RemoteSubject[] = [
  {
    name: 'upstream',
    idempotent: true,
    startGenerator: startDailies,
    settings: { type: 'upstream', key: testKey, ...common },
  },
  {
    name: 'openai-videos',
    idempotent: false,
    startGenerator: startOpenaiVideos,
    settings: { type: 'openai-videos', model: 'wan', ...common },
  },
  {
    name: 'sdcpp',
    idempotent: false,
    startGenerator: startSdcpp,
    settings: { type: 'sdcpp', shortSide: 64, ...common },
  },
  {
    name: 'comfyui',
    idempotent: true,
    startGenerator: startComfyui,
    settings: { type: 'comfyui', workflow: 'wan-first-last-frame', shortSide: 64, ...common },
  },
  {
    name: 'lightx2v',
    idempotent: true,
    startGenerator: startLightx2v,
    settings: { type: 'lightx2v', shortSide: 64, ...common },
  },
]

export interface Bench {
  engine: Engine
  /** An empty handle for an engine that has nothing to start. */
  start(plan: Plan, context: FollowContext): Promise<Handle>
  plan: Plan
  /** A context as the task flow gives it; `kept` are the handles that were stored. */
  context(options?: {
    signal?: AbortSignal
    submission?: string
  }): Promise<FollowContext & { kept: Handle[]; reported: number[] }>
  /** Start and follow. */
  run(options?: { signal?: AbortSignal; plan?: Partial<Plan> }): Promise<EngineResult>
  close(): Promise<void>
}

/** What engines share. The benches of a file share one, since starting its processes takes a second of the processor. */
export function openTools() {
  const normaliser = createNormaliser({ slots: 1 })
  const images = createInputImages()
  const fetch = createGuardedFetch({ policy: parsePrivateNetwork(undefined, false) })
  return {
    normaliser,
    images,
    fetch,
    modelOf: createCatalogue().get,
    async close() {
      await normaliser.close()
      await images.close()
      await fetch.close()
    },
  }
}

export async function openBench(
  generator: StandIn,
  settings: object,
  tools: ReturnType<typeof openTools>,
): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-engine-'))
  await writeFile(join(folder, 'first.jpg'), await jpeg(64, 36))
  const setup = parseEngineSetup({
    path: 'test',
    content: { engines: { remote: { ...settings, url: generator.url } } },
  })
  const engine = createEngines(setup, tools).get('remote')!
  return benchOf(engine, folder, async () => engine.close?.())
}

export function benchOf(engine: Engine, folder: string, close: () => Promise<void>): Bench {
  const plan: Plan = {
    model: variantA,
    prompt: 'a boat',
    negativePrompt: '',
    guidance: 0.5,
    seconds: 5,
    size: { width: 64, height: 36 },
    firstFrame: { file: 'first.jpg', kind: 'image', width: 64, height: 36 },
    lastFrame: null,
    shots: [],
    planShots: false,
    elements: [],
    audio: false,
  }
  const nonce = randomUUID()
  let submissions = 0
  const bench: Bench = {
    engine,
    start: async (plan, context) => (await engine.start?.(plan, context)) ?? {},
    plan,
    async context({ signal = AbortSignal.timeout(20_000), submission = `${nonce}-${++submissions}` } = {}) {
      const kept: Handle[] = []
      const reported: number[] = []
      return {
        kept,
        reported,
        signal,
        submission,
        workDir: await mkdtemp(join(folder, 'work-')),
        localPath: async (file) => join(folder, file),
        progress: (percent) => void reported.push(percent),
        keep: async (handle) => void kept.push(handle),
      }
    },
    async run({ signal, plan: changes } = {}) {
      const context = await bench.context(signal ? { signal } : {})
      const whole = { ...plan, ...changes }
      return engine.follow(await bench.start(whole, context), whole, context)
    },
    async close() {
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return bench
}
