// @ts-nocheck: AssemblyScript, checked by its own compiler.
//
// What floats, falls and shines in the air, one by one: each is a few floats of a list, added to a plane of the frame's size.
// Positions and radii are pixels, levels 0 to 255 in the middle.

// @ts-ignore: decorator
@inline
function add(at: usize, level: f32): void {
  store<u8>(at, <u8>min<f32>(<f32>load<u8>(at) + level, 255))
}

// @ts-ignore: decorator
@inline
function clamp(value: f32): f32 {
  return max<f32>(0, min<f32>(1, value))
}

/** e^-x, right to a hundredth. */
// @ts-ignore: decorator
@inline
function fading(x: f32): f32 {
  const a = max<f32>(0, <f32>1 - x * 0.0625)
  const b = a * a
  const c = b * b
  const d = c * c
  return d * d
}

// @ts-ignore: decorator
@inline
function from(place: f32, reach: f32): i32 {
  return max<i32>(0, <i32>ceil<f32>(place - reach))
}

// @ts-ignore: decorator
@inline
function until(place: f32, reach: f32, size: i32): i32 {
  return min<i32>(size - 1, <i32>floor<f32>(place + reach))
}

/** Soft discs: x, y, radius, level, and the share of the radius that is full. */
export function discs(plane: usize, stride: i32, width: i32, height: i32, list: usize, count: i32): void {
  for (let i = 0; i < count; i++, list += 20) {
    const x = load<f32>(list)
    const y = load<f32>(list, 4)
    const radius = load<f32>(list, 8)
    const level = load<f32>(list, 12)
    const soft = <f32>1 / max<f32>(<f32>1 - load<f32>(list, 16), 0.001)
    const scale = <f32>1 / radius
    for (let row = from(y, radius), end = until(y, radius, height); row <= end; row++) {
      const dy = (<f32>row - y) * scale
      const reach = radius * sqrt<f32>(max<f32>(0, <f32>1 - dy * dy))
      for (let column = from(x, reach), last = until(x, reach, width); column <= last; column++) {
        const dx = (<f32>column - x) * scale
        const s = clamp((<f32>1 - sqrt<f32>(dx * dx + dy * dy)) * soft)
        add(plane + row * stride + column, level * s * s * (3 - <f32>2 * s))
      }
    }
  }
}

/** Halos without an edge that could be seen: x, y, radius, level. */
export function halos(plane: usize, stride: i32, width: i32, height: i32, list: usize, count: i32): void {
  for (let i = 0; i < count; i++, list += 16) {
    const x = load<f32>(list)
    const y = load<f32>(list, 4)
    const radius = load<f32>(list, 8)
    const level = load<f32>(list, 12)
    const scale = <f32>1 / (radius * radius)
    for (let row = from(y, radius), end = until(y, radius, height); row <= end; row++) {
      const dy = <f32>row - y
      const reach = sqrt<f32>(max<f32>(0, radius * radius - dy * dy))
      for (let column = from(x, reach), last = until(x, reach, width); column <= last; column++) {
        const dx = <f32>column - x
        const rest = max<f32>(0, <f32>1 - (dx * dx + dy * dy) * scale)
        const square = rest * rest
        add(plane + row * stride + column, level * square * square * rest)
      }
    }
  }
}

/** Thin streaks that fade in from their tail and are brightest near their head: x, y, dx, dy, thickness, level. */
export function streaks(plane: usize, stride: i32, width: i32, height: i32, list: usize, count: i32): void {
  for (let i = 0; i < count; i++, list += 24) {
    const x = load<f32>(list)
    const y = load<f32>(list, 4)
    const dx = load<f32>(list, 8)
    const dy = load<f32>(list, 12)
    const level = load<f32>(list, 20)
    const length = sqrt<f32>(dx * dx + dy * dy)
    const reach = load<f32>(list, 16) * <f32>0.5 + <f32>0.5
    const unitX = dx / length
    const unitY = dy / length
    const top = min<f32>(y, y + dy)
    const bottom = max<f32>(y, y + dy)
    // The piece of a row that lies within reach of the line.
    const across = reach / max<f32>(abs<f32>(unitY), 0.05)
    for (let row = from(top, reach), end = until(bottom, reach, height); row <= end; row++) {
      const down = <f32>row - y
      let left = min<f32>(x, x + dx) - reach
      let right = max<f32>(x, x + dx) + reach
      if (abs<f32>(dy) > 1) {
        const middle = x + down * dx / dy
        left = max<f32>(left, middle - across)
        right = min<f32>(right, middle + across)
      }
      for (let column = from(left, 0), last = until(right, 0, width); column <= last; column++) {
        const aside = <f32>column - x
        const share = (aside * unitX + down * unitY) / length
        if (share <= 0 || share >= 1) continue
        const cover = min<f32>(1, reach - abs<f32>(aside * unitY - down * unitX))
        if (cover <= 0) continue
        add(plane + row * stride + column, level * cover * (share < 0.8 ? <f32>1.25 * share : <f32>5 * (<f32>1 - share)))
      }
    }
  }
}

/** Points out of focus, even discs a little brighter at their rim: x, y, radius, level, and how soft their edge is in pixels. */
export function lensDiscs(plane: usize, stride: i32, width: i32, height: i32, list: usize, count: i32): void {
  for (let i = 0; i < count; i++, list += 20) {
    const x = load<f32>(list)
    const y = load<f32>(list, 4)
    const radius = load<f32>(list, 8)
    const level = load<f32>(list, 12)
    const soft = <f32>1 / load<f32>(list, 16)
    for (let row = from(y, radius), end = until(y, radius, height); row <= end; row++) {
      const dy = <f32>row - y
      const reach = sqrt<f32>(max<f32>(0, radius * radius - dy * dy))
      for (let column = from(x, reach), last = until(x, reach, width); column <= last; column++) {
        const dx = <f32>column - x
        const distance = sqrt<f32>(dx * dx + dy * dy)
        const share = distance / radius
        const edge = clamp((radius - distance) * soft)
        add(plane + row * stride + column, level * edge * (<f32>0.78 + <f32>0.22 * share * share * share))
      }
    }
  }
}

/**
 * Soap bubbles, a thin rim in the colours of a film and the light that they mirror: x, y, radius, level, and the cosine and
 * the sine of how far the film has turned.
 */
export function bubbles(plane: usize, stride: i32, width: i32, height: i32, list: usize, count: i32): void {
  for (let i = 0; i < count; i++, list += 24) {
    const x = load<f32>(list)
    const y = load<f32>(list, 4)
    const radius = load<f32>(list, 8)
    const level = load<f32>(list, 12)
    const scale = <f32>1 / radius
    const rim = <f32>1 / max<f32>(<f32>1.2 * scale, 0.045)
    let cos = load<f32>(list, 16)
    let sin = load<f32>(list, 20)
    // The film is thicker below, so its bands tilt from row to row.
    const tilt = <f32>5 * scale
    const tiltCos = <f32>1 - tilt * tilt * <f32>0.5
    for (let row = from(y, radius), end = until(y, radius, height); row <= end; row++) {
      const dy = (<f32>row - y) * scale
      const reach = radius * sqrt<f32>(max<f32>(0, <f32>1 - dy * dy))
      for (let column = from(x, reach), last = until(x, reach, width); column <= last; column++) {
        const dx = (<f32>column - x) * scale
        const square = max<f32>(dx * dx + dy * dy, 1e-6)
        const distance = sqrt<f32>(square)
        // The sine of twice the angle, turned.
        const film = <f32>0.5 + <f32>0.5 * ((<f32>2 * dx * dy * cos + (dx * dx - dy * dy) * sin) / square)
        const edge = clamp((<f32>1 - distance) * radius)
        const deep = (<f32>1 - distance) * rim
        const skin = <f32>0.42 * fading(deep * deep * <f32>0.35) + <f32>0.2 * square * square * distance
        const lightX = (dx + <f32>0.42) * (1 / 0.13)
        const lightY = (dy + <f32>0.46) * (1 / 0.17)
        const farX = (dx - <f32>0.46) * (1 / 0.12)
        const farY = (dy - <f32>0.48) * (1 / 0.1)
        const window = fading(lightX * lightX + lightY * lightY) + <f32>0.45 * fading(farX * farX + farY * farY)
        add(plane + row * stride + column, level * edge * (skin * (<f32>0.25 + <f32>0.75 * film) + <f32>0.85 * window))
      }
      const turned = cos * tiltCos - sin * tilt
      sin = sin * tiltCos + cos * tilt
      cos = turned
    }
  }
}

/**
 * Thin things with a soft outline, curled, one half turned to the light: x, y, length, width, cosine and sine of their angle,
 * how pointed and how bent they are, how much light falls on them, the width of their edge, level. What is nearer hides others.
 */
export function blades(veil: usize, glow: usize, stride: i32, width: i32, height: i32, list: usize, count: i32): void {
  for (let i = 0; i < count; i++, list += 44) {
    const x = load<f32>(list)
    const y = load<f32>(list, 4)
    const length = load<f32>(list, 8)
    const wide = load<f32>(list, 12)
    const cos = load<f32>(list, 16)
    const sin = load<f32>(list, 20)
    const pointed = load<f32>(list, 24)
    const bend = load<f32>(list, 28) * pointed * length
    const lit = load<f32>(list, 32)
    const soft = load<f32>(list, 36)
    const level = load<f32>(list, 40)
    const reach = length * <f32>1.15 + soft
    for (let row = from(y, reach), end = until(y, reach, height); row <= end; row++) {
      for (let column = from(x, reach), last = until(x, reach, width); column <= last; column++) {
        const dx = <f32>column - x
        const dy = <f32>row - y
        const along = (dx * cos + dy * sin) / length
        if (abs<f32>(along) > 1.2) continue
        // A strip of paper is straight; leaves and petals curl, and are widest behind their middle.
        const side = dy * cos - dx * sin - bend * (along * along - <f32>0.3)
        const aside = abs<f32>(side)
        const share = min<f32>(1, abs<f32>(along + <f32>0.3 * pointed * (<f32>1 - along * along)))
        const profile = wide * (<f32>1 - pointed * share * share)
        const inside = min<f32>((<f32>1 - abs<f32>(along)) * length, profile - aside)
        const cover = min<f32>(1, (inside + soft * <f32>0.5) / soft)
        if (cover <= 0) continue
        const at = row * stride + column
        const own = level * cover
        if (own <= <f32>load<u8>(veil + at)) continue
        const half: f32 = pointed > 0 ? clamp(<f32>0.5 + <f32>0.9 * side / wide) : 0.7
        // A vein down the middle keeps a leaf from looking like paper.
        const vein: f32 = pointed > 0.7 && aside < wide * <f32>0.09 ? 0.5 : 1
        store<u8>(veil + at, <u8>own)
        const shine = own * <f32>(1.0 / 255) * lit * vein * (<f32>0.15 + <f32>0.85 * half)
        store<u8>(glow + at, <u8>(<f32>255 * sqrt<f32>(shine)))
      }
    }
  }
}

/** Leaves of a plane what a map of half its size lets through, by a table of 256 shares. */
export function hide(
  plane: usize, stride: i32, width: i32, height: i32,
  map: usize, mapStride: i32, table: usize,
): void {
  for (let row = 0; row < height; row++) {
    const line = map + (row >> 1) * mapStride
    const to = plane + row * stride
    for (let column = 0; column < width; column++) {
      const own = load<u8>(to + column)
      if (own == 0) continue
      const share = load<f32>(table + (<usize>load<u8>(line + (column >> 1)) << 2))
      store<u8>(to + column, <u8>(<f32>own * share))
    }
  }
}
