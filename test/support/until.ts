// Waiting for what another part does in its own time: asked again and again, with a deadline.
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import type { Answer } from './service/api.ts'

/** Asks until the answer has the status. A change made by another process must be seen within a second. */
export async function untilStatus(call: () => Promise<Answer>, status: number, withinMs = 1000): Promise<Answer> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await call()
    if (answer.status === status) return answer
    assert.ok(performance.now() < deadline, `not ${status} within ${withinMs} ms: ${answer.text}`)
  }
}

export async function untilTrue(what: string, check: () => boolean | Promise<boolean>, withinMs = 5000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await check())) {
    assert.ok(performance.now() < deadline, `not within ${withinMs} ms: ${what}`)
    await setImmediate()
  }
}
