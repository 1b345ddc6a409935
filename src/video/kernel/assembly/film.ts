// @ts-nocheck: AssemblyScript, checked by its own compiler.
//
// What film and tape do to the planes of a finished frame, in place.

/** Replaces every level by the table's. */
export function levels(plane: usize, stride: i32, width: i32, height: i32, table: usize): void {
  for (let row = 0; row < height; row++) {
    const line = plane + row * stride
    for (let at = line, end = line + width; at < end; at++) store<u8>(at, load<u8>(table + load<u8>(at)))
  }
}

/** Brings levels towards `middle` by a map of `mapStep` times the plane's size; `share` is in 65536ths of its levels. */
export function fade(
  plane: usize, stride: i32, width: i32, height: i32, middle: i32, map: usize, mapStride: i32, mapStep: i32, share: i32,
): void {
  for (let row = 0; row < height; row++) {
    const line = map + row * mapStep * mapStride
    for (let column = 0; column < width; column++) {
      const at = plane + row * stride + column
      const own = <i32>load<u8>(at) - middle
      store<u8>(at, <u8>(middle + own - ((own * <i32>load<u8>(line + column * mapStep) * share) >> 16)))
    }
  }
}

/** Adds a tile of 512 × 512 signed bytes, by an amount of 256ths for each level. */
export function grain(
  plane: usize, stride: i32, width: i32, height: i32, tile: usize, offsetX: i32, offsetY: i32, amounts: usize,
): void {
  for (let row = 0; row < height; row++) {
    const line = tile + (((row + offsetY) & 511) << 9)
    for (let column = 0; column < width; column++) {
      const at = plane + row * stride + column
      const own = load<u8>(at)
      const sum = <i32>own + ((<i32>load<i8>(line + ((column + offsetX) & 511)) * <i32>load<u8>(amounts + own)) >> 8)
      store<u8>(at, <u8>min<i32>(235, max<i32>(16, sum)))
    }
  }
}

/** Moves rows to the right, or to the left below 0; their ends are repeated. */
export function slip(plane: usize, stride: i32, width: i32, rows: i32, by: i32): void {
  const room = min<i32>(abs(by), width - 1)
  if (room == 0) return
  for (let row = 0; row < rows; row++) {
    const line = plane + row * stride
    if (by > 0) {
      memory.copy(line + room, line, width - room)
      memory.fill(line, load<u8>(line + room), room)
    } else {
      memory.copy(line, line + room, width - room)
      memory.fill(line + width - room, load<u8>(line + width - room - 1), room)
    }
  }
}

/** A row of tape: less detail (by 256ths), darker (in 256ths of its light), and rough by a row of signed bytes (256ths of them). */
export function tapeRow(line: usize, width: i32, blur: i32, light: i32, noise: usize, offset: i32, rough: i32): void {
  let before = <i32>load<u8>(line)
  let own = before
  for (let column = 0; column < width; column++) {
    const after = <i32>load<u8>(line + min<i32>(width - 1, column + 1))
    const soft = own + (((before + after - 2 * own) * blur + 128) >> 8)
    const sum = 16 + (((soft - 16) * light + <i32>load<i8>(noise + ((column + offset) & 511)) * rough) >> 8)
    store<u8>(line + column, <u8>min<i32>(235, max<i32>(16, sum)))
    before = own
    own = after
  }
}

/** Colour that runs to the right: each level takes only `share` 256ths of the way to its own. */
export function run(plane: usize, stride: i32, width: i32, height: i32, share: i32): void {
  for (let row = 0; row < height; row++) {
    const line = plane + row * stride
    let carried = <i32>load<u8>(line) << 8
    for (let column = 0; column < width; column++) {
      carried += (((<i32>load<u8>(line + column) << 8) - carried) * share) >> 8
      store<u8>(line + column, <u8>((carried + 128) >> 8))
    }
  }
}
