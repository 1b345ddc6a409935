// An owner near its share must not slow the claims of others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilTrue } from '../../support/until.ts'
import { type QueueTests, send, untilDepth, work } from './harness.ts'

const slots = 256
const ownerSlots = 96
const groupSlots = 24
/** Slots that one owner holds while jobs of others arrive; few left of its share are the hard case. */
const heldBefore = [0, 1, 24, 48, 64, 72, 80, 84, 88, 90, 92, 93, 94, 95, 96]

/** Jobs of one owner, as many in each group as it may get. */
const jobsOf = (owner: string, count: number, order: number) =>
  Array.from({ length: count }, (_, i) => {
    const group = `${owner} ${Math.floor(i / groupSlots)}`
    return { subject: `${owner}${i}`, owner, group, order: order + i }
  })

export function queueShares({ open, bench }: QueueTests): void {
  test('takes few claims for other owners, however many slots one of them holds', async () => {
    const claimsNeeded = new Map<number, number>()
    for (const held of heldBefore) {
      const one = await open()
      let running = 0
      let claims = 0
      let end = () => {}
      const ended = new Promise<void>((resolve) => (end = resolve))
      const onClaim = async () => void claims++
      one.queue.work('q', { slots, ownerSlots, groupSlots, retryDelayMs: 0, onClaim }, async () => {
        running++
        await ended
        // Deleted below, all at once.
        return 'settled'
      })
      if (held > 0) await send(one, ...jobsOf('a', held, 0))
      await untilTrue('the first owner holds its slots', () => running === held)
      claims = 0
      await send(one, ...jobsOf('b', ownerSlots, 1000), ...jobsOf('c', ownerSlots, 2000))
      const all = Math.min(slots, held + 2 * ownerSlots)
      await untilTrue(`${all} jobs run`, () => running === all)
      claimsNeeded.set(held, claims)
      end()
      await one.queue.stop(0)
      await bench().reset()
    }
    const many = [...claimsNeeded].filter(([, claims]) => claims > 4)
    assert.deepEqual(many, [], 'slots held by the first owner, and claims needed for the others')
  })

  test('an owner gets what is left of its share in one claim, behind jobs that its groups have no room for', async () => {
    const one = await open()
    const worker = work(one, 8, { ownerSlots: 3, groupSlots: 1 })
    const running = () => [...worker.running].map(({ job }) => job.subject)
    const job = (subject: string, group: string, order: number) => ({ subject, owner: 'a', group, order })
    await send(one, job('held', 'g1', 0))
    await untilTrue('the first runs', () => running().length === 1)
    await send(
      one,
      job('same group', 'g1', 1),
      job('next', 'g2', 2),
      job('same group too', 'g2', 3),
      job('last', 'g3', 4),
      job('beyond the share', 'g4', 5),
      { subject: 'other', owner: 'b', group: 'g5', order: 6 },
    )
    await untilTrue('all that fit run', () => running().length === 4)
    assert.deepEqual(running().sort(), ['held', 'last', 'next', 'other'])
    await untilDepth(one, { waiting: 3, running: 4 })
  })
}
