/** From 0 to 1, slow at both ends; before and after, it stays there. */
export function smoothstep(share: number): number {
  const s = Math.min(1, Math.max(0, share))
  return s * s * (3 - 2 * s)
}
