// Coalesces concurrent calls: calls that arrive while one batch runs form the next batch. A single call starts at once,
// so an idle service adds no delay.

export interface Batcher<In, Out> {
  add(item: In): Promise<Out>
  /** Calls that wait or are in the current batch. */
  readonly pending: number
  /** How long the current batch has been running; 0 when there is none. */
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
  options: { batchMax: number },
): Batcher<In, Out> {
  const waiting: Waiting<In, Out>[] = []
  let inBatch = 0
  let startedAtMs = 0

  async function drain() {
    // Calls in the same turn of the event loop share a batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = waiting.splice(0, options.batchMax)
      inBatch = batch.length
      startedAtMs = performance.now()
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
      inBatch = 0
    }
    draining = false
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
      return waiting.length + inBatch
    },
    get batchAgeMs() {
      return inBatch === 0 ? 0 : performance.now() - startedAtMs
    },
  }
}
