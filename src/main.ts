// The program: everything is a command of the command line.
import { runCli } from './cli/run.ts'

process.exitCode = await runCli(process.argv.slice(2))
