// Waits for what became of a task's or request's callback, as its owner sees it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from './api.ts'

const lookEveryMs = 25

/** The delivery about a task or request, once it is in one of the states. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it
export async function untilDelivery(api: Api, subject: string, states: string[], withinMs = 15_000): Promise<any> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const { items } = (await api.get('/api/v1/webhooks/deliveries?limit=100')).body.data
    const found = items.find((item: { taskId: string }) => item.taskId === subject)
    if (found && states.includes(found.state)) return found
    if (Date.now() > deadline) throw new Error(`the callback of ${subject} is ${JSON.stringify(found)}`)
    await sleep(lookEveryMs)
  }
}
