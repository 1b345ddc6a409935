// Lets one loop sleep until something wakes it. A wake-up that arrives while the loop works is remembered, so that none
// is lost.

interface Wake {
  now(): void
  /** Resolves at once if there was a wake-up since the last call, else at the next one, or after `withinMs`. */
  next(withinMs?: number): Promise<void>
}

export function createWake(): Wake {
  let woken = Promise.withResolvers<void>()
  return {
    now: () => woken.resolve(),
    async next(withinMs) {
      const timer = withinMs === undefined ? undefined : setTimeout(woken.resolve, withinMs)
      await woken.promise
      clearTimeout(timer)
      woken = Promise.withResolvers()
    },
  }
}
