// How much resident memory a piece of work adds to this process at its worst moment.

export async function addedBytes(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss()
  let peak = before
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 5)
  try {
    await work()
    look()
    return peak - before
  } finally {
    clearInterval(timer)
  }
}
