// The previous release as a program that tests can start beside this one. Its source is kept as an archive, so that no
// test needs the history of the repository; it runs on the packages that are installed. keep.sh replaces it.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The newest migration of the previous release. */
export const previousSchema = 25

const archive = fileURLToPath(new URL('previous-release.tar.gz', import.meta.url))
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

export interface PreviousRelease {
  /** Starts it with the scripted engine. */
  main: string
  migrationsDir: string
  remove(): Promise<void>
}

export async function unpackPreviousRelease(): Promise<PreviousRelease> {
  const folder = await mkdtemp(join(tmpdir(), 'dailies-previous-release-'))
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  await symlink(modules, join(folder, 'node_modules'))
  return {
    main: join(folder, 'test/support/service/main.ts'),
    migrationsDir: join(folder, 'src/db/migrations'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
