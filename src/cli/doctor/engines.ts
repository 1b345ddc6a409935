// The doctor's check of the engines: whether the file that names them can be read, whether each of them responds, and whether
// it has what its settings name.
import type { Config } from '../../config.ts'
import { createInputImages } from '../../engines/remote/input-images.ts'
import { createNormaliser } from '../../engines/remote/normaliser.ts'
import { createEngines } from '../../engines/setup/create-engines.ts'
import { type EngineSetup, parseEngineSetup } from '../../engines/setup/engine-setup.ts'
import { createGuardedFetch } from '../../outbound/guarded-fetch.ts'
import { type Check, fine, problem, warning } from './checks.ts'

const answerWithinMs = 5_000

export async function checkEngines(config: Config): Promise<Check[]> {
  if (config.engineFile === null) return [fine('engines', 'the built-in studio serves every model')]
  // None of these makes anything here; engines are built with them.
  const normaliser = createNormaliser({ slots: 1 })
  const images = createInputImages()
  const fetch = createGuardedFetch({ policy: config.addressPolicy })
  try {
    const setup = parseEngineSetup(config.engineFile)
    const engines = createEngines(setup, { normaliser, images, fetch, schemaOf: (model) => model })
    const checks = await Promise.all(
      [...engines.values()].map(async (engine) => {
        const name = `engine ${engine.name}`
        const { type, url } = setup.engines.get(engine.name)!
        try {
          await engine.probe!(AbortSignal.timeout(answerWithinMs))
          const findings = (await engine.inspect?.(AbortSignal.timeout(answerWithinMs))) ?? []
          const advice = `correct its entry in ${config.engineFile!.path}, or give the generator what is missing`
          return [
            fine(name, `${type} at ${url} answers; it serves ${modelsOf(setup, engine.name)}`),
            ...findings.map(({ message, isFatal }) => (isFatal ? problem : warning)(name, message, advice)),
          ]
        } catch (error) {
          const words = `${type} at ${url}: ${(error as Error).message}`
          return [problem(name, words, `start it, or correct its entry in ${config.engineFile!.path}`)]
        } finally {
          await engine.close?.()
        }
      }),
    )
    return [fine('engines', `${config.engineFile.path} names ${engines.size}`), ...checks.flat()]
  } catch (error) {
    return [problem('engines', (error as Error).message, `correct ${config.engineFile.path}`)]
  } finally {
    await normaliser.close()
    await images.close()
    await fetch.close()
  }
}

function modelsOf({ routes }: EngineSetup, engine: string): string {
  const models = [...routes]
    .filter(([, route]) => route.engines.some(({ name }) => name === engine) || route.fallback.includes(engine))
    .map(([model]) => model)
  return models.length === 0 ? 'no model' : models.join(', ')
}
