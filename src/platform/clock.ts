// Time as a dependency, so that tests can move it. Owns no timers.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
