// The row of a worker that crashed: its last heartbeat is too old.

/** `aliveUntil` may lie ahead: it will be lost then. */
export const lostWorker = (id: string, nowMs: number, aliveUntil = nowMs - 1) => ({
  id,
  name: 'elsewhere:1',
  about: '{"role":"worker","release":"1.2.3"}',
  lanes: '[]',
  seen_at: aliveUntil - 15_000,
  alive_until: aliveUntil,
})
