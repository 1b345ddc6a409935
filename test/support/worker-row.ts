// The row of a worker of another process; unless told otherwise, its last heartbeat is too old.

/** It is lost once `aliveUntil` has passed. */
export const workerRow = (id: string, nowMs: number, aliveUntil = nowMs - 1) => ({
  id,
  name: 'elsewhere:1',
  about: '{"role":"worker","release":"1.2.3"}',
  lanes: '[]',
  seen_at: aliveUntil - 15_000,
  alive_until: aliveUntil,
})
