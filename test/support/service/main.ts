// The program as tests start it: the same command line, with the engine that the test chose.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))
const { runCli } = await import('../../../src/cli/run.ts')
const { chosenEngine } = await import('../engines/chosen-engine.ts')

process.exitCode = await runCli(process.argv.slice(2), chosenEngine(process.env))
