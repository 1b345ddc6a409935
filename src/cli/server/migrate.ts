// dailies migrate
import { migrate as applyMigrations } from '../../db/migrate.ts'
import { openDatabase } from '../../db/open.ts'
import type { Command } from '../command.ts'
import { countText } from '../terminal/print.ts'

export const migrate: Command = {
  name: 'migrate',
  args: [],
  flags: {},
  summary: 'Bring the database to the newest schema',
  details: 'A start of the service does the same; this is for those who want to do it beforehand.',
  examples: ['dailies migrate', 'DAILIES_DATABASE_URL=postgres://… dailies migrate'],
  async run({ config }) {
    const db = await openDatabase(config)
    try {
      const applied = await applyMigrations(db, Date.now())
      return {
        data: { applied },
        text:
          applied.length === 0
            ? 'The database is up to date.'
            : [`Applied ${countText(applied.length, 'migration')}:`, ...applied.map((name) => `  ${name}`)].join('\n'),
      }
    } finally {
      await db.close()
    }
  },
}
