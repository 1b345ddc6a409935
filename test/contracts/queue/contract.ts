// What every queue must do, whatever is behind it. Call `queueContract` with a way to make one; what is under test is
// the port (queue/queue.ts) and nothing of how it is kept.
import { after, afterEach, before, beforeEach, describe } from 'node:test'
import type { QueueBench, QueueUnderTest } from './harness.ts'
import { queueLeases } from './leases.ts'
import { queueOrder } from './order.ts'
import { queueSettling } from './settling.ts'
import { queueShares } from './shares.ts'

export function queueContract(name: string, create: () => Promise<QueueBench>): void {
  describe(`the queue on ${name}`, () => {
    let bench: QueueBench
    let opened: QueueUnderTest[]
    before(async () => {
      bench = await create()
    })
    after(() => bench?.stop())
    beforeEach(async () => {
      await bench.reset()
      opened = []
    })
    afterEach(async () => {
      for (const one of opened) {
        one.hang(false)
        await one.queue.stop(0)
        await one.close()
      }
    })
    const tests = {
      bench: () => bench,
      async open() {
        const one = await bench.open()
        opened.push(one)
        return one
      },
    }
    queueOrder(tests)
    queueShares(tests)
    queueSettling(tests)
    queueLeases(tests)
  })
}
