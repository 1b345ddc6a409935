// Builds everything that makes videos in this process: the studio where it is needed, the engines of the setup, and
// what they share.
import type { VideoModel } from '../../models/model.ts'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Engine } from '../engine.ts'
import { createFleet, type Fleet } from '../fleet/fleet.ts'
import { createInputImages } from '../remote/input-images.ts'
import { createNormaliser } from '../remote/normaliser.ts'
import { createStudio } from '../studio/studio.ts'
import { createEngines } from './create-engines.ts'
import type { EngineSetup } from './engine-setup.ts'

interface FleetParts {
  setup: EngineSetup
  /** Serves the models without a route; the studio when left out. */
  defaultEngine?: Engine
  renderSlots: number
  depthModel?: string | null
  fetch: GuardedFetch
  clock: Clock
  creditsSince(engine: string, sinceMs: number): Promise<number>
  modelOf(id: string): VideoModel | undefined
  /** Aborts when this process stops. */
  stopping: AbortSignal
}

export function openFleet(parts: FleetParts): Fleet {
  const { setup, renderSlots: slots, depthModel = null } = parts
  const openStudio = () => createStudio({ slots, depthModel })
  const defaultEngine = parts.defaultEngine ?? openStudio()
  const normaliser = createNormaliser({ slots })
  const images = createInputImages()
  const engines = createEngines(setup, { ...parts, normaliser, images })
  if (parts.defaultEngine && namesStudio(setup)) engines.set('studio', openStudio())
  const fleet = createFleet({ ...parts, slots, defaultEngine, engines })
  return {
    ...fleet,
    async close() {
      await fleet.close()
      await normaliser.close()
      await images.close()
    },
  }
}

function namesStudio({ routes }: EngineSetup): boolean {
  return [...routes.values()].some(
    ({ engines, fallback, unsupported }) =>
      unsupported === 'studio' || fallback.includes('studio') || engines.some(({ name }) => name === 'studio'),
  )
}
