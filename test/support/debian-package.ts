// Programs that tests and benchmarks take from Debian packages. They are installed only where TEST_INSTALL=1
// allows it, as CI does; elsewhere the error says how to install them.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** By the name of their package. */
const programs = {
  chromium: { path: '/usr/bin/chromium', neededBy: 'The browser tests' },
  nginx: { path: '/usr/sbin/nginx', neededBy: 'The proxy tests' },
  pgbouncer: { path: '/usr/sbin/pgbouncer', neededBy: 'The pooler tests' },
  prometheus: { path: '/usr/bin/promtool', neededBy: 'The tests of alert rules' },
  'redis-server': { path: '/usr/bin/redis-server', neededBy: 'The comparisons with BullMQ' },
} as const

type DebianPackage = keyof typeof programs

/** The path of the package's program. */
export function findProgram(debianPackage: DebianPackage): string {
  const { path, neededBy } = programs[debianPackage]
  if (existsSync(path)) return path
  if (process.env.TEST_INSTALL === '1') install(debianPackage)
  if (existsSync(path)) return path
  const hint = `apt-get install ${debianPackage}, or set TEST_INSTALL=1 as root to let the tests install it`
  throw new Error(`${neededBy} need ${path}: ${hint}`)
}

function install(debianPackage: DebianPackage): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...args: string[]) => execFileSync('apt-get', args, { env, stdio: 'ignore', timeout: 280_000 })
  try {
    aptGet('update')
    aptGet('install', '-y', '--no-install-recommends', debianPackage)
  } catch (error) {
    throw new Error(`apt-get could not install ${debianPackage}`, { cause: error })
  }
}
