// How many senders one receiver may occupy at once: few until it has responded, more with each response, one while it
// fails. The state is in memory and per process: losing it delays callbacks a little and loses none.
import { createRecentMap } from '../platform/recent-map.ts'

export interface Receivers {
  /** `name` identifies one receiver of one account. */
  share(name: string): number
  succeeded(name: string): void
  failed(name: string): void
}

/**
 * A hundred hanging receivers occupy two hundred senders at first, and a hundred after their first failure. Only a
 * receiver that has responded to many callbacks gets many senders.
 */
const shares = { unknown: 2, fails: 1, responds: 8, respondsMax: 64 }
const rememberedMax = 10_000

export function createReceivers(): Receivers {
  const shareOf = createRecentMap<number>(rememberedMax)
  return {
    share: (name) => shareOf.get(name) ?? shares.unknown,
    succeeded(name) {
      const before = shareOf.get(name) ?? 0
      shareOf.set(name, before < shares.responds ? shares.responds : Math.min(before + 1, shares.respondsMax))
    },
    failed: (name) => shareOf.set(name, shares.fails),
  }
}
