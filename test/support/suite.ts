// A suite with a service of its own that starts before its tests and stops after them, on the databases it names.
import { after, before, describe } from 'node:test'
import type { AppOverrides } from '../../src/app.ts'
import { databases, type TestDatabase } from './databases.ts'
import { startService, type TestService } from './service.ts'

export interface SuiteOptions {
  /** Settings besides those of the database. */
  env?: Record<string, string>
  overrides?: () => AppOverrides
  /** Where the database makes no difference, one is enough. */
  only?: 'SQLite'
}

/** `define` gets a function, because the service exists only once the tests run. */
export function describeService(
  title: string,
  options: SuiteOptions,
  define: (service: () => TestService, database: () => TestDatabase) => void,
): void {
  for (const { name, create } of databases.filter((candidate) => !options.only || candidate.name === options.only)) {
    describe(`${title} (${name})`, () => {
      let database: TestDatabase
      let service: TestService
      before(async () => {
        database = await create()
        service = await startService({ ...database.env, ...options.env }, options.overrides?.())
      })
      after(async () => {
        await service?.stop()
        await database?.stop()
      })
      define(
        () => service,
        () => database,
      )
    })
  }
}
