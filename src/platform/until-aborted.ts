// Waiting that ends when a signal says so, also when what is waited for heeds no signal.

/** Settles as `work` does, or rejects with the signal's reason if that comes first; `work` is then left to itself. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
