// Notices while a process runs that a newer release has migrated the database, as in a rolling upgrade: reports once
// whether this process can continue.
import type { Logger } from '../platform/logger.ts'
import type { Db } from './db.ts'
import { schemaState } from './migrate.ts'

interface SchemaWatch {
  runOnce(): Promise<void>
  /** Resolves with the reason when this process cannot work with the new schema. */
  readonly outdated: Promise<string>
}

export function watchSchema({ db, log }: { db: Db; log: Logger }): SchemaWatch {
  const { promise: outdated, resolve: reportOutdated } = Promise.withResolvers<string>()
  let seen = 0
  return {
    outdated,
    async runOnce() {
      const { newer } = await schemaState(db)
      if (newer === null || newer.version === seen) return
      seen = newer.version
      const { version: schema, isCompatible } = newer
      if (isCompatible) return log.info({ schema }, 'a newer release has migrated the database; this one can continue')
      log.error({ schema }, 'a newer release has migrated the database; this one cannot continue and stops')
      reportOutdated(`the database has schema ${schema}, which this version of Dailies does not support`)
    },
  }
}
