// The engine that a test's service generates with: the scripted one, unless the test's settings say
// `TEST_ENGINE: 'studio'`. Only tests read that setting, TEST_ENGINE_WORKS and
// TEST_GATHER_FROM: the service has no such choices.
import type { AppOverrides } from '../../../src/app.ts'
import { fetchNothing } from './fetch-nothing.ts'
import { createScriptedEngine } from './scripted.ts'

export function chosenEngine(
  env: Record<string, string | undefined> = {},
): Pick<AppOverrides, 'engine' | 'fetchInputs'> {
  if (env.TEST_ENGINE === 'studio') return {}
  return {
    engine: createScriptedEngine({ inProcess: env.TEST_ENGINE_WORKS === 'in process' }),
    // The scripted engine needs no input files; other engines of the same service do, and tasks whose files are at an
    // origin that the test serves.
    fetchInputs: (task, held, usual) => {
      const isServed = env.TEST_GATHER_FROM !== undefined && task.param.includes(env.TEST_GATHER_FROM)
      return (task.engine === 'scripted' && !isServed ? fetchNothing : usual)(task, held)
    },
  }
}
