// Coalesces concurrent calls: calls that arrive while one batch runs form the next batch. A single call starts at once,
// so an idle service adds no delay. A batch that is stuck holds up the next one only for a limited time.

interface Batcher<In, Out> {
  add(item: In): Promise<Out>
  /** Calls that wait or are in a running batch. */
  readonly pending: number
  /** How long the oldest running batch has been running; 0 when there is none. */
  readonly batchAgeMs: number
}

interface Waiting<In, Out> {
  item: In
  resolve(value: Out): void
  reject(error: unknown): void
}

/** `work` returns one result per item, in order: a value, or an Error that rejects that item alone. */
export function createBatcher<In, Out>(
  work: (items: In[]) => Promise<(Out | Error)[]>,
  options: { batchMax: number; stuckAfterMs?: number },
): Batcher<In, Out> {
  const waiting: Waiting<In, Out>[] = []
  const running = new Map<Waiting<In, Out>[], number>()

  async function drain() {
    // Calls in the same turn of the event loop share a batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) await within(run(waiting.splice(0, options.batchMax)), options.stuckAfterMs)
    draining = false
  }

  async function run(batch: Waiting<In, Out>[]): Promise<void> {
    running.set(batch, performance.now())
    try {
      const results = await work(batch.map((call) => call.item))
      batch.forEach((call, i) => {
        const result = results[i]
        if (result instanceof Error) call.reject(result)
        else call.resolve(result as Out)
      })
    } catch (error) {
      for (const call of batch) call.reject(error)
    }
    running.delete(batch)
  }

  let draining = false
  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (!draining) {
          draining = true
          drain()
        }
      })
    },
    get pending() {
      return running.keys().reduce((sum, batch) => sum + batch.length, waiting.length)
    },
    get batchAgeMs() {
      return running.size === 0 ? 0 : performance.now() - Math.min(...running.values())
    },
  }
}

/** Waits for `work`, but no longer than this; without a limit, to its end. */
async function within(work: Promise<void>, limitMs: number | undefined): Promise<void> {
  if (limitMs === undefined) return work
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limitMs)
  await Promise.race([work, late])
  clearTimeout(timer)
}
