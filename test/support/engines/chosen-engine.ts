// The engine that a test's service generates with: the scripted one, unless the test's settings say
// `TEST_ENGINE: 'studio'`. Only tests read that setting and TEST_ENGINE_WORKS: the service has no such choices.
import type { AppOverrides } from '../../../src/app.ts'
import { gatherNothing } from './gather-nothing.ts'
import { createScriptedEngine } from './scripted.ts'

export function chosenEngine(env: Record<string, string | undefined> = {}): Pick<AppOverrides, 'engine' | 'gather'> {
  if (env.TEST_ENGINE === 'studio') return {}
  return {
    engine: createScriptedEngine({ inProcess: env.TEST_ENGINE_WORKS === 'in process' }),
    // The scripted engine needs no input files; other engines of the same service do.
    gather: (task, held, usual) => (task.engine === 'scripted' ? gatherNothing : usual)(task, held),
  }
}
