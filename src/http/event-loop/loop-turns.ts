// Long work of the event loop, in slices of less than a millisecond. Of all long work in the process, one slice runs per
// turn of the loop, in the order in which they asked: however much of it there is, small requests wait for one slice.

const waiting: (() => void)[] = []

/** Resolves when the next slice may run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(runOne)
  })
}

function runOne(): void {
  waiting[0]!()
  waiting.shift()
  if (waiting.length > 0) setImmediate(runOne)
}
