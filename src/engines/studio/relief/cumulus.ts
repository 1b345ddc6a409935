// Clouds with hard edges, which are too rough to be found with the sky around them. Pure.

/** How much darker than the sky a cloud may be, and each place of it. */
const [lightMin, placeLightMin] = [0.9, 0.5]
/** How much more red than blue a white cloud may have, in levels. */
const warmthMax = 30
const cloudyMin = 0.93

/**
 * Adds the clouds that a sky surrounds to it; what stands on the ground is not surrounded. A white bird is taken for one too,
 * and may drift. Pixels are packed RGB.
 */
export function addSurroundedClouds(sky: Uint8Array, rgb: Uint8Array, luma: Float32Array, width: number): void {
  const level = meanInside(luma, sky)
  const isCloudy = (i: number) => {
    const [r, g, b] = [rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!]
    return luma[i]! > placeLightMin * level && r < b + warmthMax && g < Math.max(r, b) + 8
  }
  const lowest = sky.length - width
  const onGround = sky.subarray(lowest).reduce((sum, own) => sum + own, 0) < width / 2
  const seen = sky.slice()
  const patch = new Int32Array(sky.length)
  for (let start = 0; start < sky.length; start++) {
    if (seen[start]) continue
    const size = gatherPatch(seen, start, patch, width)
    const places = patch.subarray(0, size)
    if (onGround && places.some((i) => i >= lowest)) continue
    let [cloudy, light] = [0, 0]
    for (const i of places) {
      if (isCloudy(i)) cloudy++
      light += luma[i]!
    }
    if (cloudy >= cloudyMin * size && light >= lightMin * level * size) for (const i of places) sky[i] = 1
  }
}

/** Marks the connected places around `start` as seen, and lists them in `patch`; returns how many there are. */
function gatherPatch(seen: Uint8Array, start: number, patch: Int32Array, width: number): number {
  let size = 0
  const visit = (i: number) => {
    if (i < 0 || i >= seen.length || seen[i]) return
    seen[i] = 1
    patch[size++] = i
  }
  visit(start)
  for (let next = 0; next < size; next++) {
    const i = patch[next]!
    const x = i % width
    if (x > 0) visit(i - 1)
    if (x < width - 1) visit(i + 1)
    visit(i - width)
    visit(i + width)
  }
  return size
}

function meanInside(values: Float32Array, inside: Uint8Array): number {
  let [sum, count] = [0, 1e-9]
  for (let i = 0; i < values.length; i++) {
    if (!inside[i]) continue
    sum += values[i]!
    count++
  }
  return sum / count
}
