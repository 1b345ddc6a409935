// A service whose models are served by two stand-ins for generators: one to misbehave, and a spare one that delivers.
import { startOpenaiVideos } from '../generators/openai-videos.ts'
import type { StandIn } from '../generators/stand-in.ts'
import { places } from '../places/places.ts'
import type { Answer } from './api.ts'
import { uploadImage } from './chain.ts'
import { configured } from './engine-file.ts'
import { startService, type TestService } from './service.ts'

export interface GeneratorService {
  service: TestService
  generator: StandIn
  spare: StandIn
  /** Settings that make a command read the same database and engines. */
  env: Record<string, string>
  /** The URL of an uploaded image. */
  image: string
  create(model: string, input: object): Promise<Answer>
  stop(): Promise<void>
}

/** `setup` returns the content of dailies.config.json for engines with these settings. */
export async function startWithGenerators(
  setup: (engines: Record<'generator' | 'spare', object>) => object,
): Promise<GeneratorService> {
  await using opened = new AsyncDisposableStack()
  const generator = opened.adopt(await startOpenaiVideos(), ({ close }) => close())
  const spare = opened.adopt(await startOpenaiVideos(), ({ close }) => close())
  spare.set('finish')
  const at = ({ url }: StandIn) => ({ type: 'openai-videos', url, pollEvery: '20ms', slots: 2 })
  const content = setup({ generator: at(generator), spare: at(spare) })
  const config = opened.adopt(await configured(content), ({ remove }) => remove())
  const place = opened.adopt(await places[0].create(), ({ stop }) => stop())
  const env = { ...place.env, ...config.env, DAILIES_RENDER_SLOTS: '1' }
  const service = opened.adopt(await startService(env), ({ stop }) => stop())
  const image = await uploadImage(service)
  const all = opened.move()
  return {
    service,
    generator,
    spare,
    env,
    image,
    create: (model, input) =>
      service.api.post('/api/v1/jobs/createTask', { model, input: { prompt: 'a boat', ...input } }),
    stop: () => all.disposeAsync(),
  }
}
