// @ts-nocheck: AssemblyScript, checked by its own compiler.
//
// What is smooth in the air: banks of fog and sand, light and shade by distance and depth, beams, plumes. Drawn on maps of
// half the frame's size, which are enlarged.

/** The side of the tile of noise that all of it is made of, in 256 × 256 floats. */
const SIDE: i32 = 256
const MASK: i32 = 255

// @ts-ignore: decorator
@inline
function clamp(value: f32): f32 {
  return max<f32>(0, min<f32>(1, value))
}

// @ts-ignore: decorator
@inline
function tabled(table: usize, level: u8): f32 {
  return load<f32>(table + (<usize>level << 2))
}

/** The noise between its pixels. */
// @ts-ignore: decorator
@inline
function noiseAt(noise: usize, x: f32, y: f32): f32 {
  const wholeX = floor<f32>(x)
  const wholeY = floor<f32>(y)
  const fx = x - wholeX
  const fy = y - wholeY
  const left = <usize>(<i32>wholeX & MASK) << 2
  const right = <usize>((<i32>wholeX + 1) & MASK) << 2
  const upper = noise + (<usize>((<i32>wholeY & MASK) * SIDE) << 2)
  const lower = noise + (<usize>(((<i32>wholeY + 1) & MASK) * SIDE) << 2)
  const a = load<f32>(upper + left)
  const b = load<f32>(lower + left)
  const top = a + (load<f32>(upper + right) - a) * fx
  const bottom = b + (load<f32>(lower + right) - b) * fx
  return top + (bottom - top) * fy
}

/**
 * Banks that drift: two layers of noise, each at `x`, `y` with steps of `sx`, `sy` a pixel (eight floats), over a base, with
 * the weights of the two (three more); times a share for each row and for each level of the map. Noise is read at every
 * second pixel of every second row; `lines` is room for two rows of floats.
 */
export function field(
  to: usize, stride: i32, width: i32, height: i32,
  map: usize, mapStride: i32, table: usize, rows: usize, noise: usize, at: usize, lines: usize,
): void {
  let above = lines
  let below = lines + (<usize>((width >> 1) + 2) << 2)
  bankLine(above, width, 0, noise, at)
  for (let row = 0; row < height; row++) {
    if ((row & 1) == 0) {
      if (row > 0) {
        const done = above
        above = below
        below = done
      }
      bankLine(below, width, row + 2, noise, at)
    }
    const share = load<f32>(rows + (<usize>row << 2))
    for (let column = 0; column < width; column++) {
      const own = <usize>(column >> 1) << 2
      let dense = load<f32>(above + own)
      if ((row & 1) != 0) dense = <f32>0.5 * (dense + load<f32>(below + own))
      if ((column & 1) != 0) {
        const next = (row & 1) != 0
          ? <f32>0.5 * (load<f32>(above + own, 4) + load<f32>(below + own, 4))
          : load<f32>(above + own, 4)
        dense = <f32>0.5 * (dense + next)
      }
      const level = share * tabled(table, load<u8>(map + row * mapStride + column)) * dense
      store<u8>(to + row * stride + column, <u8><i32>level)
    }
  }
}

/** How dense banks are at every second pixel of a row. */
function bankLine(to: usize, width: i32, row: i32, noise: usize, at: usize): void {
  const x1 = load<f32>(at), x2 = load<f32>(at, 16)
  const y1 = load<f32>(at, 4) + <f32>row * load<f32>(at, 12)
  const y2 = load<f32>(at, 20) + <f32>row * load<f32>(at, 28)
  const step1 = <f32>2 * load<f32>(at, 8), step2 = <f32>2 * load<f32>(at, 24)
  const base = load<f32>(at, 32), weight1 = load<f32>(at, 36), weight2 = load<f32>(at, 40)
  for (let i = 0; i <= (width >> 1) + 1; i++, to += 4) {
    const sum = base + weight1 * noiseAt(noise, x1 + <f32>i * step1, y1) + weight2 * noiseAt(noise, x2 + <f32>i * step2, y2)
    store<f32>(to, min<f32>(1, sum))
  }
}

/** Steps of a table of distances, of which each is one unit. */
const STEPS: f32 = 512
const LAST: i32 = 1023

// @ts-ignore: decorator
@inline
function ringAt(rings: usize, distance: f32): f32 {
  return load<f32>(rings + (<usize>min<i32>(LAST, <i32>(distance * STEPS)) << 2))
}

/**
 * Light or shade around a place: two falloffs by distance, each times a share by a map, and a streak. Each row has five
 * floats: where its middle is, the square of its distance from there, its share, and the strength of its streak.
 */
export function shade(
  to: usize, stride: i32, width: i32, height: i32, scaleX: f32,
  first: usize, firstStride: i32, firstTable: usize, firstRings: usize,
  second: usize, secondStride: i32, secondTable: usize, secondRings: usize,
  rows: usize, columns: usize, root: i32,
): void {
  for (let row = 0; row < height; row++, rows += 16) {
    const middle = load<f32>(rows)
    const down = load<f32>(rows, 4)
    const share = load<f32>(rows, 8)
    const streak = load<f32>(rows, 12)
    for (let column = 0; column < width; column++) {
      const dx = (<f32>column - middle) * scaleX
      const distance = sqrt<f32>(dx * dx + down)
      let sum = ringAt(firstRings, distance) * tabled(firstTable, load<u8>(first + row * firstStride + column))
      sum += ringAt(secondRings, distance) * tabled(secondTable, load<u8>(second + row * secondStride + column))
      sum = clamp(share * sum + streak * load<f32>(columns + (<usize>column << 2)))
      store<u8>(to + row * stride + column, <u8>(<f32>255 * (root != 0 ? sqrt<f32>(sum) : sum)))
    }
  }
}

/** The angle of a place, 0 to 1 of a turn, right to a thousandth. */
// @ts-ignore: decorator
@inline
function turnOf(x: f32, y: f32): f32 {
  const a = abs<f32>(x), b = abs<f32>(y)
  const small = min<f32>(a, b) / max<f32>(max<f32>(a, b), 1e-6)
  const square = small * small
  let angle = ((<f32>-<f32>0.0464964749 * square + <f32>0.15931422) * square - <f32>0.327622764) * square * small + small
  if (b > a) angle = <f32>1.57079637 - angle
  if (x < 0) angle = <f32>3.14159274 - angle
  angle *= <f32>0.159154943
  return y < 0 ? <f32>1 - angle : angle
}

/** A plane of floats between its pixels. What lies beyond an edge is as bright as the edge. */
// @ts-ignore: decorator
@inline
function between(plane: usize, width: i32, height: i32, x: f32, y: f32): f32 {
  const inX = max<f32>(0, min<f32>(<f32>width - <f32>1.001, x))
  const inY = max<f32>(0, min<f32>(<f32>height - <f32>1.001, y))
  const column = <i32>inX, row = <i32>inY
  const fx = inX - <f32>column, fy = inY - <f32>row
  const at = plane + (<usize>(row * width + column) << 2)
  const next = at + (<usize>width << 2)
  const above = load<f32>(at) + (load<f32>(at, 4) - load<f32>(at)) * fx
  const below = load<f32>(next) + (load<f32>(next, 4) - load<f32>(next)) * fx
  return above + (below - above) * fy
}

/**
 * Beams: what is bright (by a table of its map, which has twice the size), broken up by a table of 1024 angles, and smeared
 * away from the light. Each of the `doublings` adds what lies twice as far on the way to the light: the first looks `reach`
 * of the way ahead and keeps `rest` of it. `beams` and `other` are floats. Returns the brightest.
 */
export function smear(
  beams: usize, other: usize, width: i32, height: i32, sunX: f32, sunY: f32,
  bright: usize, brightStride: i32, table: usize, angles: usize, doublings: i32, reach: f32, rest: f32,
): f32 {
  let from = (doublings & 1) != 0 ? other : beams
  let to = (doublings & 1) != 0 ? beams : other
  for (let row = 0, at = from; row < height; row++) {
    for (let column = 0; column < width; column++, at += 4) {
      const turn = <i32>(<f32>1024 * turnOf(<f32>column - sunX, <f32>row - sunY)) & 1023
      store<f32>(at, tabled(table, load<u8>(bright + 2 * row * brightStride + 2 * column)) * load<f32>(angles + (<usize>turn << 2)))
    }
  }
  let left = <f32>1 - reach
  let peak: f32 = 0
  for (let i = 0; i < doublings; i++) {
    peak = 0
    for (let row = 0, at = <usize>0; row < height; row++) {
      const y = sunY + (<f32>row - sunY) * left
      for (let column = 0; column < width; column++, at += 4) {
        const x = sunX + (<f32>column - sunX) * left
        const sum = load<f32>(from + at) + rest * between(from, width, height, x, y)
        store<f32>(to + at, sum)
        peak = max<f32>(peak, sum)
      }
    }
    left *= left
    rest *= rest
    const done = from
    from = to
    to = done
  }
  return peak
}

/**
 * Lays beams of half its size each way over a map: by a curve of 1024 steps up to `brightest`, a falloff with the distance in
 * diagonals of the beams, and shares by two maps; and a bloom around the light.
 */
export function shine(
  to: usize, stride: i32, width: i32, height: i32,
  beams: usize, sunX: f32, sunY: f32, brightest: f32, curve: usize, rings: usize, bloom: usize,
  near: usize, nearStride: i32, nearTable: usize, bright: usize, brightStride: i32, brightTable: usize,
): void {
  const halfWidth = width >> 1, halfHeight = height >> 1
  const scale = <f32>1 / sqrt<f32>(<f32>(halfWidth * halfWidth + halfHeight * halfHeight))
  const toCurve = <f32>1023 / brightest
  for (let row = 0; row < height; row++) {
    const y = max<f32>(0, min<f32>(<f32>halfHeight - <f32>1.001, <f32>row * <f32>0.5 - <f32>0.25))
    const fy = y - floor<f32>(y)
    const upper = beams + (<usize>(<i32>y * halfWidth) << 2)
    const lower = beams + (<usize>(min<i32>(halfHeight - 1, <i32>y + 1) * halfWidth) << 2)
    const dy = <f32>row * <f32>0.5 - sunY
    for (let column = 0; column < width; column++) {
      const x = max<f32>(0, min<f32>(<f32>halfWidth - <f32>1.001, <f32>column * <f32>0.5 - <f32>0.25))
      const fx = x - floor<f32>(x)
      const left = <usize>(<i32>x) << 2
      const right = <usize>min<i32>(halfWidth - 1, <i32>x + 1) << 2
      const above = load<f32>(upper + left) * (<f32>1 - fx) + load<f32>(upper + right) * fx
      const below = load<f32>(lower + left) * (<f32>1 - fx) + load<f32>(lower + right) * fx
      const beam = load<f32>(curve + (<usize>min<i32>(1023, <i32>((above + (below - above) * fy) * toCurve)) << 2))
      const dx = <f32>column * <f32>0.5 - sunX
      const distance = sqrt<f32>(dx * dx + dy * dy) * scale
      const open = tabled(nearTable, load<u8>(near + row * nearStride + column))
        * tabled(brightTable, load<u8>(bright + row * brightStride + column))
      const sum = beam * open * ringAt(rings, distance) + ringAt(bloom, distance)
      // A glow's level counts squared.
      store<u8>(to + row * stride + column, <u8>(<f32>255 * sqrt<f32>(min<f32>(1, sum))))
    }
  }
}

/**
 * Puffs of a plume, added to its thickness (floats): x, y, radius, how dense, then how its folds lie in the noise: cosine and
 * sine, the steps across and down, and where they begin.
 */
export function puffs(thick: usize, width: i32, height: i32, list: usize, count: i32, noise: usize): void {
  for (let i = 0; i < count; i++, list += 40) {
    const x = load<f32>(list), y = load<f32>(list, 4), radius = load<f32>(list, 8), dense = load<f32>(list, 12)
    const cos = load<f32>(list, 16), sin = load<f32>(list, 20)
    const stepX = load<f32>(list, 24), stepY = load<f32>(list, 28)
    const atX = load<f32>(list, 32), atY = load<f32>(list, 36)
    const scale = <f32>1 / (radius * radius)
    const bottom = min<i32>(height - 1, <i32>floor<f32>(y + radius))
    for (let row = max<i32>(0, <i32>ceil<f32>(y - radius)); row <= bottom; row++) {
      const dy = <f32>row - y
      const reach = sqrt<f32>(max<f32>(0, radius * radius - dy * dy))
      const right = min<i32>(width - 1, <i32>floor<f32>(x + reach))
      for (let column = max<i32>(0, <i32>ceil<f32>(x - reach)); column <= right; column++) {
        const dx = <f32>column - x
        const away = (dx * dx + dy * dy) * scale
        const fold = noiseAt(noise, (dx * cos - dy * sin) * stepX + atX, (dx * sin + dy * cos) * stepY + atY)
        const full = clamp(<f32>1.9 * (fold + <f32>0.16 - <f32>1.16 * away))
        const at = thick + (<usize>(row * width + column) << 2)
        store<f32>(at, load<f32>(at) + dense * full * full * (3 - <f32>2 * full))
      }
    }
  }
}

/**
 * Turns the thickness of a plume into a veil and, where its folds look upwards, light; both by a share for each level of a
 * map. `most` is what the thickest covers.
 */
export function plume(
  thick: usize, width: i32, height: i32, veil: usize, glow: usize, stride: i32,
  map: usize, mapStride: i32, table: usize, step: i32, folds: f32, most: f32,
): void {
  for (let row = 0; row < height; row++) {
    const above = thick + (<usize>(max<i32>(0, row - step) * width) << 2)
    const below = thick + (<usize>(min<i32>(height - 1, row + step) * width) << 2)
    for (let column = 0; column < width; column++) {
      const own = load<f32>(thick + (<usize>(row * width + column) << 2))
      const to = row * stride + column
      if (own == 0) {
        store<u8>(veil + to, 0)
        store<u8>(glow + to, 0)
        continue
      }
      const upwards = load<f32>(below + (<usize>column << 2)) - load<f32>(above + (<usize>max<i32>(0, column - step) << 2))
      const light = clamp(<f32>0.4 + folds * upwards / (<f32>0.3 + own))
      // e^(-1.5 own)
      const a = max<f32>(0, <f32>1 - own * <f32>0.09375)
      const b = a * a * a * a
      const cover = most * (<f32>1 - b * b * b * b) * tabled(table, load<u8>(map + row * mapStride + column))
      store<u8>(veil + to, <u8>(<f32>255 * cover))
      store<u8>(glow + to, <u8>(<f32>255 * sqrt<f32>(cover * light)))
    }
  }
}
