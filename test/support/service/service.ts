// A service for tests: at a place of its own unless the settings name one, and with another service behind it where
// suites run through a chain.
import type { AppOverrides } from '../../../src/app.ts'
import { fetchNothing } from '../engines/fetch-nothing.ts'
import { isChained, places } from '../places/places.ts'
import { startChain } from './chain.ts'
import { startOneService, type TestService } from './one-service.ts'

export { type TestService, testKey } from './one-service.ts'

export async function startService(
  env: Record<string, string> = {},
  overrides: AppOverrides = {},
): Promise<TestService> {
  const own = env.DAILIES_DATA === undefined ? await places[0].create() : null
  const service = await startHere({ ...own?.env, ...env }, overrides)
  return {
    ...service,
    filesDir: own?.filesDir ?? service.filesDir,
    async stop() {
      await service.stop().finally(() => own?.stop())
    },
  }
}

async function startHere(env: Record<string, string>, overrides: AppOverrides): Promise<TestService> {
  // A test with engines of its own says itself what stands behind a service.
  if (!isChained || env.DAILIES_CONFIG !== undefined) return startOneService(env, overrides)
  // As in a single service, the scripted engine needs no input files.
  const engine = overrides.engine?.name ?? env.TEST_ENGINE ?? 'scripted'
  const fetchInputs = overrides.fetchInputs ?? (engine === 'scripted' ? fetchNothing : undefined)
  const { front, stop } = await startChain(env, fetchInputs ? { ...overrides, fetchInputs } : overrides)
  return { ...front, stop }
}
