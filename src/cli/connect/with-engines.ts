// Opens the configured engines for a command, without a service or a database.
import type { Config } from '../../config.ts'
import type { Engine } from '../../engines/engine.ts'
import { createInputImages } from '../../engines/remote/input-images.ts'
import { createNormaliser } from '../../engines/remote/normaliser.ts'
import { createEngines } from '../../engines/setup/create-engines.ts'
import { type EngineSetup, parseEngineSetup } from '../../engines/setup/engine-setup.ts'
import { videoModels } from '../../models/catalogue.ts'
import { createGuardedFetch } from '../../outbound/guarded-fetch.ts'

/** `engines` are those of the configuration file; the studio is not among them. */
export async function withEngines<T>(
  config: Config,
  work: (opened: { setup: EngineSetup; engines: Map<string, Engine> }) => Promise<T>,
): Promise<T> {
  const setup = parseEngineSetup(config.engineFile)
  await using opened = new AsyncDisposableStack()
  const normaliser = opened.adopt(createNormaliser({ slots: 1 }), (each) => each.close())
  const images = opened.adopt(createInputImages(), (each) => each.close())
  const fetch = opened.adopt(createGuardedFetch({ policy: config.addressPolicy }), (each) => each.close())
  const modelOf = (model: string) => [...videoModels, ...setup.models].find(({ id }) => id === model)
  const engines = createEngines(setup, { normaliser, images, fetch, modelOf })
  for (const engine of engines.values()) opened.defer(() => engine.close?.())
  return await work({ setup, engines })
}

/** The models that an engine serves, first or as a fallback. */
export function modelsOf({ routes }: EngineSetup, engine: string): string[] {
  return [...routes]
    .filter(([, route]) => route.engines.some(({ name }) => name === engine) || route.fallback.includes(engine))
    .map(([model]) => model)
}
