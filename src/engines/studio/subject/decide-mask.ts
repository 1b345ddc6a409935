// Makes a soft mask decisive: what is connected to the subject belongs to it, separate pieces do not. Parts that are only
// half in the mask would show twice when layers move apart. Pure.

import type { Size } from '../../../video/picture/output-size.ts'

/** Levels of the soft mask (0..255): from `core` on, a pixel surely belongs to the subject; up to `nothing`, it does not. */
const core = 150
const nothing = 16
/** Pixels between: around the core they are its soft edge, farther off a part that the mask is unsure of. */
const edge = { reach: 4, from: 60, to: 170 }
const unsure = { from: nothing, to: 48 }

export function decideMask(mask: Uint8Array, size: Size): Uint8Array {
  const decided = new Uint8Array(mask.length)
  const seen = new Uint8Array(mask.length)
  const nearCore = growMask(
    mask.map((level) => (level >= core ? 1 : 0)),
    size,
    edge.reach,
  )
  const stack: number[] = []
  for (let start = 0; start < mask.length; start++) {
    if (seen[start] || mask[start]! < core) continue
    // From each core outwards, over everything that touches it and is not nothing.
    seen[start] = 1
    stack.push(start)
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const { from, to } = nearCore[at] ? edge : unsure
      decided[at] = Math.round(255 * Math.min(Math.max((mask[at]! - from) / (to - from), 0), 1))
      const column = at % size.width
      if (column > 0) visit(at - 1)
      if (column < size.width - 1) visit(at + 1)
      visit(at - size.width)
      visit(at + size.width)
    }
  }

  function visit(at: number): void {
    if (at < 0 || at >= mask.length || seen[at] || mask[at]! <= nothing) return
    seen[at] = 1
    stack.push(at)
  }

  return decided
}

/** Widens a mask by a number of pixels each way. */
export function growMask(mask: Uint8Array, { width, height }: Size, by: number): Uint8Array {
  const across = new Uint8Array(mask.length)
  for (let row = 0; row < height; row++) {
    const start = row * width
    for (let column = 0; column < width; column++) {
      const end = start + Math.min(column + by, width - 1)
      let most = 0
      for (let at = start + Math.max(column - by, 0); at <= end; at++) if (mask[at]! > most) most = mask[at]!
      across[start + column] = most
    }
  }
  // Row after row, not column after column: that is the order of memory.
  const grown = across.slice()
  for (let row = 0; row < height; row++) {
    const end = Math.min(row + by, height - 1)
    for (let other = Math.max(row - by, 0); other <= end; other++) {
      for (let to = row * width, from = other * width; to < (row + 1) * width; to++, from++) {
        if (across[from]! > grown[to]!) grown[to] = across[from]!
      }
    }
  }
  return grown
}
