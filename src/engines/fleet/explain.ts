// What the engine of a model would read from a prompt.
import type { Understood } from '../../contract/tasks/records.ts'
import type { Fleet } from './fleet.ts'

/** Engines that cannot say, and models without an engine at the moment, give empty lists. */
export function explainPrompt(
  fleet: Pick<Fleet, 'assign' | 'engines'>,
  model: string,
  prompt: string,
  negativePrompt: string,
): Understood {
  const assigned = fleet.assign(model, { lastFrame: false, elements: false })
  const name = 'engine' in assigned ? assigned.engine : null
  const engine = fleet.engines().find(({ engine }) => engine.name === name)?.engine
  return engine?.explain?.(prompt, negativePrompt) ?? { moves: [], effects: [], framing: null, notDone: [] }
}
