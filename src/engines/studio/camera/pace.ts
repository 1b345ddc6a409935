// Owns the words of pace and strength around a camera move: "slow", "very fast", "subtle". Not the move itself.

import { intensifiers, paces } from './words.ts'

/** How far and how fast the words within six of `i` want a move; a speed of null where none says. */
export function paceNear(tokens: string[], i: number): { amount: number; speed: number | null } {
  const places = tokens
    .map((token, j) => ({ pace: paces.get(token), j }))
    .filter(({ pace, j }) => pace && Math.abs(j - i) <= 6)
  if (places.length === 0) return { amount: 1, speed: null }
  let speed = 1
  let amount = 1
  for (const { pace, j } of places) {
    const very = intensifiers.has(tokens[j - 1] ?? '')
    speed *= very ? pace!.speed ** 1.4 : pace!.speed
    amount *= pace!.amount
  }
  return { amount, speed: Math.min(2, Math.max(0.5, speed)) }
}
