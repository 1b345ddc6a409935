// Builds the engines that the setup names.
import type { VideoModel } from '../../models/model.ts'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import { createComfyui } from '../comfyui/comfyui.ts'
import type { Engine } from '../engine.ts'
import { createLightx2v } from '../lightx2v/lightx2v.ts'
import { createOpenaiVideos } from '../openai-videos/openai-videos.ts'
import type { Generator } from '../remote/generator.ts'
import type { InputImages } from '../remote/input-images.ts'
import type { Normaliser } from '../remote/normaliser.ts'
import { createRemoteEngine } from '../remote/remote-engine.ts'
import { createSdcpp } from '../sdcpp/sdcpp.ts'
import { createUpstream } from '../upstream/upstream.ts'
import type { EngineSettings, EngineSetup } from './engine-setup.ts'

interface EngineTools {
  normaliser: Normaliser
  images: InputImages
  fetch: GuardedFetch
  modelOf(id: string): VideoModel | undefined
  /** Aborts when this process stops. */
  stopping?: AbortSignal
}

export function createEngines(setup: EngineSetup, tools: EngineTools): Map<string, Engine> {
  return new Map([...setup.engines].map(([name, settings]) => [name, createEngine(name, settings, tools)]))
}

function createEngine(name: string, settings: EngineSettings, tools: EngineTools): Engine {
  switch (settings.type) {
    case 'upstream':
      return createUpstream({ name, settings, ...tools })
    case 'openai-videos':
      return ofGenerator(createOpenaiVideos(name, settings, tools.fetch))
    case 'sdcpp':
      return ofGenerator(createSdcpp(name, settings))
    case 'comfyui':
      return ofGenerator(createComfyui(name, settings))
    case 'lightx2v':
      return ofGenerator(createLightx2v(name, settings))
  }

  function ofGenerator(generator: Generator): Engine {
    return createRemoteEngine({ generator, settings, ...tools })
  }
}
