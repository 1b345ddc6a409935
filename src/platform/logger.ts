// Structured logs on stderr, so that stdout stays free for what commands print. Never sees a key: callers log ids.
import { pino } from 'pino'

export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export function createLogger(level: LogLevel): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: ['headers.authorization', 'authorization'] },
    pino.destination({ fd: 2, sync: true }),
  )
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }
