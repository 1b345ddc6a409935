// Runs every test file with one PostgreSQL for all of them. `npm test` calls it; a single file also runs alone with
// `node --test <file>`, and then starts what it needs by itself. With `--place`, the suites of that place run there.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { placeSuites, testArguments } from './place-suites.ts'
import { findChromium } from './support/browser/chromium.ts'
import { startPostgres } from './support/places/postgres.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { place: { type: 'string' } } })
const files = positionals.length > 0 ? positionals : undefined
const { place } = values
if (place !== undefined && !placeSuites[place]) {
  throw new Error(`--place must be ${Object.keys(placeSuites).join(' or ')}`)
}
// Once, before test files that run side by side would each install it.
if (!files && !place) findChromium()
for (const { files, tests, reason } of place ? placeSuites[place]!.exceptions : []) {
  console.log(`not at ${place}: ${[...files, ...(tests ?? [])].join(', ')} (${reason})`)
}
const postgres = process.env.TEST_POSTGRES_URL ? null : await startPostgres()
try {
  const args = [
    '--test',
    '--test-concurrency=2',
    '--test-timeout=300000',
    ...(place ? testArguments(place, files) : (files ?? ['test/**/*.test.ts'])),
  ]
  const child = spawn(process.execPath, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...(postgres ? { TEST_POSTGRES_URL: postgres.url } : {}),
      ...(place ? { TEST_PLACE: place } : {}),
    },
  })
  // Stopped by hand, the tests end first and PostgreSQL after them.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
} finally {
  await postgres?.stop()
}
