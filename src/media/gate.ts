// Lets a few pieces of work run at once and the others wait in order. Used to bound memory, not to share fairly.

export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function createGate(atOnceMax: number): Gate {
  const waiting: (() => void)[] = []
  let running = 0

  return async function pass(work) {
    // A place is handed over directly, so `running` does not drop while somebody waits.
    if (running < atOnceMax) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
