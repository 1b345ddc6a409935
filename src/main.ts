// The program: everything is a command of the command line.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Compiled code is kept between starts, which halves the time of each. Where it cannot be written, nothing is kept.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
const { runCli } = await import('./cli/run.ts')

// `dailies ledger list | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await runCli(process.argv.slice(2))
