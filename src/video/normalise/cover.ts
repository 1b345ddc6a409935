// How a picture of any shape fills the frame: scaled until it covers it, the rest cut off evenly. Pure, on 4:2:0 planes.
import type { Size } from '../picture/output-size.ts'

/** The even size to which a picture is scaled so that it covers the frame. */
export function coverSize(own: Size, frame: Size): Size {
  const scale = Math.max(frame.width / own.width, frame.height / own.height)
  const side = (length: number, least: number) => Math.max(least, 2 * Math.round((length * scale) / 2))
  return { width: side(own.width, frame.width), height: side(own.height, frame.height) }
}

/** The middle of a plane. */
export function middleOf(plane: Uint8Array, own: Size, wanted: Size): Uint8Array {
  if (own.width === wanted.width && own.height === wanted.height) return plane
  // The first column of luma is even, so that it keeps its chroma.
  const left = Math.floor((own.width - wanted.width) / 2)
  const top = Math.floor((own.height - wanted.height) / 2)
  const middle = new Uint8Array(wanted.width * wanted.height)
  for (let row = 0; row < wanted.height; row++) {
    const start = (row + top) * own.width + left
    middle.set(plane.subarray(start, start + wanted.width), row * wanted.width)
  }
  return middle
}

/** A chroma plane of half the size each way. */
export function halve(plane: Uint8Array, own: Size): Uint8Array {
  const width = own.width / 2
  const height = own.height / 2
  const half = new Uint8Array(width * height)
  for (let row = 0; row < height; row++) {
    for (let col = 0; col < width; col++) {
      const at = 2 * row * own.width + 2 * col
      half[row * width + col] =
        (plane[at]! + plane[at + 1]! + plane[at + own.width]! + plane[at + own.width + 1]! + 2) >> 2
    }
  }
  return half
}
