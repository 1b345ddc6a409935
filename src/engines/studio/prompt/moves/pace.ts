// Owns the words of pace and strength around a camera move: "slow", "very fast", "subtle". Not the move itself.

import { intensifiers, paces } from './words.ts'

/** How far and how fast the words within six of `i` want a move; a speed of null where none says. */
export function paceNear(tokens: string[], i: number): { amount: number; speed: number | null } {
  let speed: number | null = null
  let amount = 1
  for (let j = Math.max(0, i - 6); j < tokens.length && j <= i + 6; j++) {
    const pace = paces.get(tokens[j]!)
    if (!pace) continue
    const very = intensifiers.has(tokens[j - 1] ?? '')
    speed = (speed ?? 1) * (very ? pace.speed ** 1.4 : pace.speed)
    amount *= pace.amount
  }
  return { amount, speed: speed && Math.min(2, Math.max(0.5, speed)) }
}
