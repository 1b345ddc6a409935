// A made-up next release: this program with further migrations, in a folder of its own, for tests of upgrades.
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { migrate } from '../../src/db/migrate.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface NextRelease {
  /** Starts it with the scripted engine. */
  main: string
  migrate: typeof migrate
  remove(): Promise<void>
}

/** `migrations` are files by their names. Networks are left out: the scripted engine needs none. */
export async function makeNextRelease(migrations: Record<string, string>): Promise<NextRelease> {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-next-release-'))
  const support = 'test/support/service'
  await mkdir(join(folder, support), { recursive: true })
  const filter = (file: string) => !file.endsWith('.onnx')
  for (const copied of ['package.json', 'src', `${support}/main.ts`, 'test/support/engines']) {
    await cp(join(root, copied), join(folder, copied), { recursive: true, filter })
  }
  for (const linked of ['node_modules', 'client', 'docs']) await symlink(join(root, linked), join(folder, linked))
  for (const [name, sql] of Object.entries(migrations)) await writeFile(join(folder, 'src/db/migrations', name), sql)
  const program = await import(pathToFileURL(join(folder, 'src/db/migrate.ts')).href)
  return {
    main: join(folder, support, 'main.ts'),
    migrate: program.migrate,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Migrations as a release would have them: a column, and then an index on a table that is written meanwhile. */
export const nextMigrations = {
  '0002_column.sql': `-- runs_from: 0001
alter table tasks add column of_the_next_release text;
`,
  '0003_index.postgres.sql': `-- runs_from: 0001
-- outside a transaction
drop index concurrently if exists tasks_of_the_next_release;

create index concurrently tasks_of_the_next_release on tasks (of_the_next_release, id);
`,
}
