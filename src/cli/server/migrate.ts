// dailies migrate
import { migrate as applyMigrations } from '../../db/migrate.ts'
import { openDatabase, openWhenThere } from '../../db/open.ts'
import { command } from '../command.ts'
import { countText } from '../terminal/print.ts'

export const migrate = command({
  name: 'migrate',
  summary: 'Migrate the database to the newest schema',
  details:
    'The service does the same when it starts. Run it beforehand to upgrade many machines without an interruption.',
  examples: ['dailies migrate', 'DAILIES_DATABASE_URL=postgres://… dailies migrate'],
  async run({ config }) {
    const db = await openWhenThere(() => openDatabase(config), {
      waitMs: config.startWaitMs,
      onWait: (message) => process.stderr.write(`dailies: ${message}\n`),
    })
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
})
