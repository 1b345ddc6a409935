// How many senders a receiver may hold at once: few until it has answered, more while it answers, one while it fails.
// What it knows is in memory and of this process: forgetting it costs a receiver a moment, never a callback.

export interface Receivers {
  /** `name`: one receiver of one account. */
  share(name: string): number
  succeeded(name: string): void
  failed(name: string): void
}

/** A hundred receivers that hang hold two hundred senders at first, and a hundred once they are known to. */
const shares = { unknown: 2, answers: 8, fails: 1 }
const rememberedMax = 10_000

export function createReceivers(): Receivers {
  const known = new Map<string, 'answers' | 'fails'>()
  const learn = (name: string, what: 'answers' | 'fails') => {
    // Re-inserting keeps the map in order of last use; the longest unused are forgotten first.
    known.delete(name)
    known.set(name, what)
    if (known.size > rememberedMax) known.delete(known.keys().next().value!)
  }
  return {
    share: (name) => shares[known.get(name) ?? 'unknown'],
    succeeded: (name) => learn(name, 'answers'),
    failed: (name) => learn(name, 'fails'),
  }
}
