// What the compiled kernel can do. Addresses are bytes of its memory; assembly/ says what each function draws.

/** A source, where it is drawn to, and the grid of coordinates. */
type Drawing = [
  src: number,
  srcStride: number,
  dst: number,
  dstStride: number,
  width: number,
  height: number,
  grid: number,
  gridStride: number,
  cellBits: number,
]

/** A plane of which pixels are changed. */
type Target = [plane: number, stride: number, width: number, height: number]
type Sprites = [...Target, list: number, count: number]
/** A map, and a table of a share for each of its levels. */
type Shares = [map: number, mapStride: number, table: number]

export type LightCall = [
  y: number,
  yStride: number,
  u: number,
  v: number,
  chromaStride: number,
  width: number,
  height: number,
  veil: number,
  glow: number,
  airStride: number,
  colours: number,
  even: number,
]

export type ResampleCall = [
  src: number,
  srcStride: number,
  firstRow: number,
  count: number,
  channels: number,
  rowStarts: number,
  rowWeights: number,
  rowTaps: number,
  columnStarts: number,
  columnWeights: number,
  columnTaps: number,
  dst: number,
  dstStride: number,
  width: number,
  height: number,
  scratch: number,
]

export interface PixelFunctions {
  remap(...drawing: Drawing): void
  stretch(...drawing: [...Drawing, scratch: number]): void
  mix(dst: number, a: number, b: number, count: number, weight: number): void
  over(
    dst: number,
    dstStride: number,
    src: number,
    srcStride: number,
    alpha: number,
    alphaStride: number,
    width: number,
    height: number,
    opacity: number,
  ): void
  enlarge(
    src: number,
    srcStride: number,
    dst: number,
    dstStride: number,
    width: number,
    height: number,
    rows: number,
  ): void
  light(...call: LightCall): void
  resample(...call: ResampleCall): void
  /** What floats in the air one by one, from a list of floats; see assembly/sprites.ts. */
  discs(...sprites: Sprites): void
  halos(...sprites: Sprites): void
  streaks(...sprites: Sprites): void
  lensDiscs(...sprites: Sprites): void
  bubbles(...sprites: Sprites): void
  blades(veil: number, ...sprites: Sprites): void
  hide(...call: [...Target, map: number, mapStride: number, table: number]): void
  /** What is smooth in the air; see assembly/field.ts. */
  field(...call: [...Target, ...Shares, rows: number, noise: number, layers: number, lines: number]): void
  shade(
    ...call: [
      ...Target,
      scaleX: number,
      ...Shares,
      rings: number,
      ...Shares,
      rings: number,
      rows: number,
      columns: number,
      root: number,
    ]
  ): void
  smear(
    ...call: [
      ...[beams: number, other: number, width: number, height: number, sunX: number, sunY: number],
      ...[...Shares, angles: number, doublings: number, reach: number, rest: number],
    ]
  ): number
  shine(
    ...call: [
      ...[...Target, beams: number, sunX: number, sunY: number, brightest: number, curve: number, rings: number],
      ...[bloom: number, ...Shares, ...Shares],
    ]
  ): void
  puffs(thick: number, width: number, height: number, list: number, count: number, noise: number): void
  plume(
    ...call: [
      ...[thick: number, width: number, height: number, veil: number, glow: number, stride: number],
      ...[...Shares, step: number, folds: number, most: number],
    ]
  ): void
  /** What film and tape do, in place; see assembly/film.ts. */
  levels(...call: [...Target, table: number]): void
  fade(...call: [...Target, middle: number, map: number, mapStride: number, mapStep: number, share: number]): void
  grain(...call: [...Target, tile: number, offsetX: number, offsetY: number, amounts: number]): void
  slip(plane: number, stride: number, width: number, rows: number, by: number): void
  tapeRow(
    ...call: [line: number, width: number, blur: number, light: number, noise: number, offset: number, rough: number]
  ): void
  run(...call: [...Target, share: number]): void
}
