// Finds the sky of a dark sunset or sunrise, whose clouds are as dark as land: by its outline, where a glow ends above land
// that it leaves in the dark. Pure.

/** The rows that the outline is looked for in, as shares of the height. */
const [highest, lowest] = [0.1, 0.72]
/** How far above and below it the light is compared. */
const reach = 0.03
/** A fall of light counts no more than this, so that one bright lamp does not outweigh the rest of an outline. */
const fallMax = 70
const stepMax = 2
const stepCost = 5

/** Pixels of sky; null where the picture shows no dark sunset. Pixels are packed RGB. */
export function findDusk(rgb: Uint8Array, luma: Float32Array, width: number, height: number): Uint8Array | null {
  const outline = findOutline(luma, width, height)
  if (!isDusk(outline, rgb, luma, width, height)) return null
  const sky = new Uint8Array(luma.length)
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < outline[x]!; y++) sky[y * width + x] = 1
  }
  return sky
}

/** The row of each column below which the picture grows dark: the line from side to side with the largest fall of light. */
function findOutline(luma: Float32Array, width: number, height: number): Int32Array {
  const [top, bottom] = [Math.round(height * highest), Math.round(height * lowest)]
  const rows = bottom - top
  const span = Math.max(3, Math.round(height * reach))
  const best = new Float32Array(rows * width)
  const from = new Int8Array(rows * width)
  for (let x = 0; x < width; x++) {
    for (let row = 0; row < rows; row++) {
      let fall = 0
      for (let k = 0; k < span; k++) fall += luma[(top + row - 1 - k) * width + x]! - luma[(top + row + k) * width + x]!
      const own = Math.min(fallMax, fall / span)
      let [most, step] = [x === 0 ? 0 : Number.NEGATIVE_INFINITY, 0]
      for (let by = -stepMax; x > 0 && by <= stepMax; by++) {
        if (row + by < 0 || row + by >= rows) continue
        const before = best[(row + by) * width + x - 1]! - stepCost * Math.abs(by)
        if (before > most) [most, step] = [before, by]
      }
      best[row * width + x] = most + own
      from[row * width + x] = step
    }
  }
  const outline = new Int32Array(width)
  let at = 0
  for (let row = 1; row < rows; row++) {
    if (best[row * width + width - 1]! > best[at * width + width - 1]!) at = row
  }
  for (let x = width - 1; x >= 0; x--) {
    outline[x] = top + at
    at += from[at * width + x]!
  }
  return outline
}

/** A change of light from one pixel to its neighbours, in levels times pixels per width, that clouds rarely have. */
const roughMin = 5800
/** How much of the height is looked at above and below the outline. */
const bandShare = 0.06

/**
 * Whether the picture is a sunset above its outline: a warm glow along it that ends in dark land from side to side, under a
 * smooth sky that is blue or grey further up. Warm walls, blurred leaves and flowers are warm up to the top, and foliage
 * against the sky is rough.
 */
function isDusk(outline: Int32Array, rgb: Uint8Array, luma: Float32Array, width: number, height: number): boolean {
  const band = Math.round(height * bandShare)
  const [high, glowing] = [colourSum(), colourSum()]
  let [falls, above, below, radiant, rough, seen] = [0, 0, 0, 0, 0, 0]
  for (let x = 0; x < width; x++) {
    const end = outline[x]!
    let [over, under] = [0, 0]
    for (let k = 1; k <= band; k++) {
      const up = (end - k) * width + x
      over += luma[up]!
      under += luma[(end + k) * width + x]!
      glowing.add(rgb, up)
      if (luma[up]! > 150 && rgb[up * 3]! > rgb[up * 3 + 2]! + 50) radiant++
    }
    above += over
    below += under
    if (over - under > 18 * band) falls++
    for (let y = 1; y < end - 2; y++) {
      const at = y * width + x
      const change = Math.abs(luma[at]! - luma[at - width]!) + (x > 0 ? Math.abs(luma[at]! - luma[at - 1]!) : 0)
      seen++
      if (change * width > roughMin) rough++
      if (y < end * 0.4) high.add(rgb, at)
    }
  }
  const cooler = high.blueness() - glowing.blueness()
  const glow = radiant / (width * band)
  const lit = falls > 0.95 * width && below < 0.65 * above && glow > 0.25
  return lit && cooler > 70 && high.blueness() > 0 && rough < 0.22 * seen
}

function colourSum() {
  let [red, blue, count] = [0, 0, 0]
  return {
    add(rgb: Uint8Array, at: number): void {
      red += rgb[at * 3]!
      blue += rgb[at * 3 + 2]!
      count++
    },
    /** How much more blue than red there is, in levels. */
    blueness: () => (blue - red) / Math.max(1, count),
  }
}
