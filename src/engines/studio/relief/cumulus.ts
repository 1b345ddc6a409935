// Clouds with hard edges, which are too rough to be found with the sky around them. Pure.

/** How much darker than the sky a cloud may be, and each place of it. */
const [lightMin, placeLightMin] = [0.9, 0.5]
/** The least light of a sky by day, in levels: by night, what is pale are masts and walls. */
const dayLevelMin = 72
/** How much more red than blue a white cloud may have, in levels. */
const warmthMax = 30
const cloudyMin = 0.93
/** Specks of this share of the picture are part of what is around them. */
const speckMax = 0.0003

/**
 * Adds the clouds that a sky surrounds to it. What stands on the ground is not surrounded, nor is what the lower border cuts,
 * because the ground may be below it. A white bird is taken for a cloud too, and may drift. Pixels are packed RGB.
 */
export function addSurroundedClouds(sky: Uint8Array, rgb: Uint8Array, luma: Float32Array, width: number): void {
  const level = meanInside(luma, sky)
  if (level < dayLevelMin) return
  const isCloudy = (i: number) => {
    const [r, g, b] = [rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!]
    return luma[i]! > placeLightMin * level && r < b + warmthMax && g < Math.max(r, b) + 8
  }
  const seen = sky.slice()
  const patch = new Int32Array(sky.length)
  for (let start = 0; start < sky.length; start++) {
    if (seen[start]) continue
    const size = gatherPatch(seen, start, patch, width)
    const places = patch.subarray(0, size)
    if (places.some((i) => i >= sky.length - width)) continue
    const speck = size < speckMax * sky.length
    if (!speck && isUpright(places, width)) continue
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

/** Whether a patch is clearly taller than wide, as the tops of masts and towers are. */
function isUpright(places: Int32Array, width: number): boolean {
  let [left, right, top, bottom] = [width, 0, Number.POSITIVE_INFINITY, 0]
  for (const i of places) {
    const [x, y] = [i % width, Math.floor(i / width)]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return bottom - top > 4 * (right - left)
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
