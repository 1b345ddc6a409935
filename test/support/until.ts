// Waits for what another part does in its own time: checks again and again, with a deadline.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './service/api.ts'

/** Short at first, for what comes at once; then longer, to leave the processor to what is waited for. */
function createPause(): () => Promise<void> {
  let ms = 5
  return () => {
    ms = Math.min(1.25 * ms, 100)
    return sleep(ms)
  }
}

/** Calls until the response has the status. A change made by another process must be seen within a second. */
export async function untilStatus(call: () => Promise<Answer>, status: number, withinMs = 1000): Promise<Answer> {
  const deadline = performance.now() + withinMs
  const pause = createPause()
  for (;;) {
    const answer = await call()
    if (answer.status === status) return answer
    assert.ok(performance.now() < deadline, `not ${status} within ${withinMs} ms: ${answer.text}`)
    await pause()
  }
}

export async function untilTrue(what: string, check: () => boolean | Promise<boolean>, withinMs = 5000): Promise<void> {
  const deadline = performance.now() + withinMs
  const pause = createPause()
  while (!(await check())) {
    assert.ok(performance.now() < deadline, `not within ${withinMs} ms: ${what}`)
    await pause()
  }
}
