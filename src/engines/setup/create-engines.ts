// Builds the engines that the setup names.
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import { createComfyui } from '../comfyui/comfyui.ts'
import type { Engine } from '../engine.ts'
import { createOpenaiVideos } from '../openai-videos/openai-videos.ts'
import type { Normaliser } from '../remote/normaliser.ts'
import type { Peer } from '../remote/remote.ts'
import { createPeerEngine } from '../remote/remote-engine.ts'
import { createSdcpp } from '../sdcpp/sdcpp.ts'
import { createUpstream } from '../upstream/upstream.ts'
import type { EngineSettings, EngineSetup } from './engine-setup.ts'

export interface EngineTools {
  normaliser: Normaliser
  fetch: GuardedFetch
  /** The built-in model whose fields a model has. */
  schemaOf(model: string): string
}

export function createEngines(setup: EngineSetup, tools: EngineTools): Map<string, Engine> {
  return new Map([...setup.engines].map(([name, settings]) => [name, createEngine(name, settings, tools)]))
}

function createEngine(name: string, settings: EngineSettings, tools: EngineTools): Engine {
  switch (settings.type) {
    case 'upstream':
      return createUpstream({ name, settings, ...tools })
    case 'openai-videos':
      return ofPeer(createOpenaiVideos(name, settings))
    case 'sdcpp':
      return ofPeer(createSdcpp(name, settings))
    case 'comfyui':
      return ofPeer(createComfyui(name, settings))
  }

  function ofPeer(peer: Peer): Engine {
    return createPeerEngine({ peer, normaliser: tools.normaliser, shotsFrom: settings.shotsFrom })
  }
}
