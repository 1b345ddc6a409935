// How many senders one receiver may occupy at once: few until it has accepted a callback, more with each one that it
// accepts, one while it fails. How quick it is does not matter here: outbound/address-share.ts limits slow receivers. The
// state is in memory and per process: losing it delays callbacks a little and loses none.
import { slots } from '../limits/table.ts'
import { createRecentMap } from '../platform/recent-map.ts'

export interface Receivers {
  /** `name` identifies one receiver of one account. */
  share(name: string): number
  succeeded(name: string): void
  failed(name: string): void
}

/**
 * A hundred hanging receivers occupy two hundred senders at first, and a hundred after their first failure. Only a
 * receiver that has accepted many callbacks gets many senders.
 */
const shares = slots.receivers.of
const rememberedMax = 10_000

export function createReceivers(): Receivers {
  const shareOf = createRecentMap<number>(rememberedMax)
  return {
    share: (name) => shareOf.get(name) ?? shares.unknown,
    succeeded(name) {
      const before = shareOf.get(name) ?? 0
      shareOf.set(name, before < shares.accepts ? shares.accepts : Math.min(before + 1, shares.acceptsMax))
    },
    failed: (name) => shareOf.set(name, shares.fails),
  }
}
