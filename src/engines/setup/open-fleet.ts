// Builds everything that makes videos in this process: the built-in engines as far as they are needed, those of the
// setup, and what they share.
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Engine } from '../engine.ts'
import { createFleet, type Fleet } from '../fleet/fleet.ts'
import { createNormaliser } from '../remote/normaliser.ts'
import { createScriptedEngine } from '../scripted.ts'
import { createStudio } from '../studio/studio.ts'
import { createEngines } from './create-engines.ts'
import type { EngineSetup } from './engine-setup.ts'

export interface FleetParts {
  setup: EngineSetup
  /** The engine for models without a route. */
  builtIn: 'studio' | 'scripted' | Engine
  renderSlots: number
  depthModel?: string | null
  fetch: GuardedFetch
  clock: Clock
  creditsSince(engine: string, sinceMs: number): Promise<number>
  schemaOf(model: string): string
}

export function openFleet(parts: FleetParts): Fleet {
  const { setup, builtIn, renderSlots: slots, depthModel = null } = parts
  const create = { studio: () => createStudio({ slots, depthModel }), scripted: () => createScriptedEngine() }
  const defaultEngine = typeof builtIn === 'string' ? create[builtIn]() : builtIn
  const normaliser = createNormaliser({ slots })
  const engines = createEngines(setup, { ...parts, normaliser })
  for (const name of namedBuiltIns(setup)) {
    if (name !== defaultEngine.name) engines.set(name, create[name]())
  }
  const fleet = createFleet({ ...parts, slots, defaultEngine, engines })
  return {
    ...fleet,
    async close() {
      await fleet.close()
      await normaliser.close()
    },
  }
}

function namedBuiltIns({ routes }: EngineSetup): ('studio' | 'scripted')[] {
  const named = [...routes.values()].flatMap(({ engines, fallback, unsupported }) => [
    ...engines.map(({ name }) => name),
    ...fallback,
    ...(unsupported === 'studio' ? ['studio'] : []),
  ])
  return (['studio', 'scripted'] as const).filter((name) => named.includes(name))
}
