// Owns the studio's randomness: numbers that depend on a seed alone, so that one request always gives one video.
// It is no source of secrets, and nothing in the studio may use Math.random.

/** A generator of numbers in [0, 1), the same sequence for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A 32-bit seed from texts and bytes (FNV-1a, then mixed). Lengths count, so `('ab', 'c')` is not `('a', 'bc')`. */
export function hashSeed(...parts: (string | Uint8Array)[]): number {
  let hash = 0x811c9dc5
  const encoder = new TextEncoder()
  for (const part of parts) {
    const bytes = typeof part === 'string' ? encoder.encode(part) : part
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
    for (let shift = 0; shift < 32; shift += 8) {
      hash = Math.imul(hash ^ ((bytes.length >>> shift) & 255), 0x01000193)
    }
  }
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
