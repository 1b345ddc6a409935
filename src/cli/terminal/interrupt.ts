// Ctrl-C during a command: the first one ends it gracefully, the second one ends the process.

export interface Interrupt {
  /** Aborts at the first interrupt. */
  signal: AbortSignal
  /** The exit code that shells expect after a signal. */
  exitCode(): number
  /** Removes the signal handlers. */
  stop(): void
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const

export function onInterrupt(): Interrupt {
  const controller = new AbortController()
  let exitCode = 0
  const listener = (name: NodeJS.Signals) => {
    exitCode = exitCodes[name as keyof typeof exitCodes]
    if (controller.signal.aborted) process.exit(exitCode)
    controller.abort()
  }
  for (const name of Object.keys(exitCodes)) process.on(name, listener)
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    stop() {
      for (const name of Object.keys(exitCodes)) process.off(name, listener)
    },
  }
}
