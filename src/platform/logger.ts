// Structured logs on stderr, so that stdout stays free for the output of commands. Keys never reach the log: callers
// log ids, and only the properties of an error that are listed below are written.
import { hostname } from 'node:os'
import { pid } from 'node:process'
import { pino } from 'pino'
import { withErrorListener } from './errors.ts'

export interface Logger {
  isLevelEnabled(level: 'debug'): boolean
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** `process`: what each line says of this process, beside its host and process id. */
export function createLogger(
  level: LogLevel,
  to: { write(line: string): void } = openStderr(),
  process: { role?: string; release?: string } = {},
): Logger {
  const base = { host: hostname(), pid, ...process }
  return pino({ level, base, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: shownError } }, to)
}

/** What is kept of the lines that could not be written, until they can. */
const unwrittenBytesMax = 65_536

/** A log on a full disk must not end the service. */
const openStderr = () => withErrorListener(pino.destination({ fd: 2, sync: true, maxLength: unwrittenBytesMax }))

const causesMax = 5

/** Errors of libraries carry data such as a request's bytes or the row that a database refused. */
function shownError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return String(error)
  const { code, cause } = error as NodeJS.ErrnoException
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(cause === undefined || depth === causesMax ? {} : { cause: shownError(cause, depth + 1) }),
  }
}

export const silentLogger: Logger = {
  isLevelEnabled: () => false,
  debug() {},
  info() {},
  warn() {},
  error() {},
}
