// The program as tests start it: the same command line, with the engine and the lease (TEST_LEASE) that the test chose. With
// TEST_TOGETHER, jobs that crashed together start together again.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))
const { runCli } = await import('../../../src/cli/run.ts')
const { chosenEngine } = await import('../engines/chosen-engine.ts')
const { parseDuration } = await import('../../../src/platform/durations.ts')

const { TEST_ENGINE, TEST_LEASE, TEST_TOGETHER } = process.env
process.exitCode = await runCli(process.argv.slice(2), {
  ...(TEST_ENGINE === 'scripted' ? chosenEngine(process.env) : {}),
  ...(TEST_LEASE === undefined ? {} : { leaseMs: parseDuration(TEST_LEASE)! }),
  ...(TEST_TOGETHER === undefined ? {} : { random: () => 0 }),
})
