// The doctor's check of the engines: whether the file that names them can be read, whether each of them responds, and
// whether it has what its settings name.
import type { Config } from '../../config.ts'
import type { Engine } from '../../engines/engine.ts'
import type { EngineSetup } from '../../engines/setup/engine-setup.ts'
import { modelsOf, withEngines } from '../connect/with-engines.ts'
import { type Check, fine, problem, warning } from './checks.ts'

const answerWithinMs = 5_000

export async function checkEngines(config: Config): Promise<Check[]> {
  if (config.engineFile === null) return [fine('engines', 'the built-in studio serves every model')]
  const { path } = config.engineFile
  try {
    return await withEngines(config, async ({ setup, engines }) => {
      const checks = await Promise.all([...engines.values()].map((engine) => checkEngine(engine, setup, path)))
      return [fine('engines', `${path} names ${engines.size}`), ...checks.flat()]
    })
  } catch (error) {
    return [problem('engines', (error as Error).message, `correct ${path}`)]
  }
}

async function checkEngine(engine: Engine, setup: EngineSetup, path: string): Promise<Check[]> {
  const name = `engine ${engine.name}`
  const { type, url } = setup.engines.get(engine.name)!
  try {
    await engine.probe!(AbortSignal.timeout(answerWithinMs))
    const findings = (await engine.inspect?.(AbortSignal.timeout(answerWithinMs))) ?? []
    const advice = `correct its entry in ${path}, or give the generator what is missing`
    const models = modelsOf(setup, engine.name).join(', ') || 'no model'
    return [
      fine(name, `${type} at ${url} responds; it serves ${models}`),
      ...findings.map(({ message, isFatal }) => (isFatal ? problem : warning)(name, message, advice)),
    ]
  } catch (error) {
    const words = `${type} at ${url}: ${(error as Error).message}`
    return [problem(name, words, `start it, or correct its entry in ${path}`)]
  }
}
