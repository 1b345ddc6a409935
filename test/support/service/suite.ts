// A suite with a service of its own that starts before its tests and stops after them, at every place of the run.
import { after, before, describe } from 'node:test'
import type { AppOverrides } from '../../../src/app.ts'
import { places, type TestPlace } from '../places/places.ts'
import { startService, type TestService } from './service.ts'

interface SuiteOptions {
  /** Settings besides those of the place. */
  env?: Record<string, string>
  overrides?: () => AppOverrides
}

/** `define` gets functions, because service and place exist only once the tests run. */
export function describeService(
  title: string,
  options: SuiteOptions,
  define: (service: () => TestService, place: () => TestPlace) => void,
): void {
  for (const { name, create } of places) {
    describe(`${title} (${name})`, () => {
      let place: TestPlace
      let service: TestService
      before(async () => {
        place = await create()
        service = await startService({ ...place.env, ...options.env }, options.overrides?.())
      })
      after(async () => {
        await service?.stop()
        await place?.stop()
      })
      define(
        () => service,
        () => place,
      )
    })
  }
}
