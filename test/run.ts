// Runs every test file with one PostgreSQL for all of them. `npm test` calls it; a single file also runs alone with
// `node --test <file>`, and then starts what it needs by itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findChromium } from './support/chromium.ts'
import { startPostgres } from './support/postgres.ts'

const files = process.argv.slice(2)
// Once, before test files that run side by side would each install it.
if (files.length === 0) findChromium()
const postgres = await startPostgres()
try {
  const args = [
    '--test',
    '--test-concurrency=2',
    '--test-timeout=300000',
    ...(files.length > 0 ? files : ['test/**/*.test.ts']),
  ]
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    env: { ...process.env, TEST_POSTGRES_URL: postgres.url },
  })
  // Stopped by hand, the tests end first and PostgreSQL after them.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
} finally {
  await postgres.stop()
}
