// How many senders one receiver may occupy at once: few until it has responded, more while it responds, one while it
// fails. The state is in memory and per process: losing it delays callbacks a little and loses none.

export interface Receivers {
  /** `name` identifies one receiver of one account. */
  share(name: string): number
  succeeded(name: string): void
  failed(name: string): void
}

/** A hundred hanging receivers occupy two hundred senders at first, and a hundred after their first failure. */
const shares = { unknown: 2, responds: 8, fails: 1 }
const rememberedMax = 10_000

export function createReceivers(): Receivers {
  const known = new Map<string, 'responds' | 'fails'>()
  const learn = (name: string, what: 'responds' | 'fails') => {
    // Re-inserting keeps the map in order of last use; the least recently used entries are dropped first.
    known.delete(name)
    known.set(name, what)
    if (known.size > rememberedMax) known.delete(known.keys().next().value!)
  }
  return {
    share: (name) => shares[known.get(name) ?? 'unknown'],
    succeeded: (name) => learn(name, 'responds'),
    failed: (name) => learn(name, 'fails'),
  }
}
