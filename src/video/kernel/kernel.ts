// Keeps the pixel kernel's memory: planes and coordinate grids are handed out from one growing block. It knows no cameras
// or files. One kernel serves one render; dropping it frees everything.

import type { PixelFunctions } from './functions.ts'

/** An 8-bit plane inside the kernel's memory, with readable replicated pixels around the picture. */
export interface Plane {
  /** Address of the picture's first pixel. */
  at: number
  stride: number
  width: number
  height: number
  /** Readable pixels beyond each edge. */
  pad: number
}

export interface Kernel extends PixelFunctions {
  /** Bytes from the kernel's memory; valid until the next allocation, which may move the block. */
  bytes(at: number, count: number): Uint8Array
  ints(at: number, count: number): Int32Array
  floats(at: number, count: number): Float32Array
  allocate(count: number): number
  /** An empty plane whose rows have room for whole groups of sixteen pixels. */
  plane(width: number, height: number, pad: number): Plane
  /** A mark: `release` frees everything allocated since. */
  mark(): number
  release(mark: number): void
}

const pageBytes = 65_536
const pagesMax = 24_576 // 1.5 GiB

export type OpenFunctions = (memory: WebAssembly.Memory) => PixelFunctions | Promise<PixelFunctions>

export async function createKernel(open: OpenFunctions): Promise<Kernel> {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: pagesMax })
  const functions = await open(memory)
  // Address 0 stays unused, so that a forgotten pointer does not look like a plane.
  let end = 64

  function allocate(count: number): number {
    const at = end
    end = align(at + count, 64)
    // The kernel reads and writes whole vectors, at most 16 bytes past the last row.
    const missing = end + 64 - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
    return at
  }

  return {
    ...functions,
    allocate,
    bytes: (at, count) => new Uint8Array(memory.buffer, at, count),
    ints: (at, count) => new Int32Array(memory.buffer, at, count),
    floats: (at, count) => new Float32Array(memory.buffer, at, count),
    plane(width, height, pad) {
      const stride = align(width + 2 * pad, 16)
      return { at: allocate(stride * (height + 2 * pad)) + pad * stride + pad, stride, width, height, pad }
    },
    mark: () => end,
    release(mark) {
      end = mark
    },
  }
}

/** What the bytes of `remap.wasm` hold. */
export async function compileKernel(binary: Uint8Array): Promise<OpenFunctions> {
  const module = await WebAssembly.compile(binary)
  return async (memory) => {
    const { exports } = await WebAssembly.instantiate(module, { env: { memory } })
    return exports as unknown as PixelFunctions
  }
}

/** Copies tightly packed pixels into a plane and repeats its edges outwards. */
export function fillPlane(kernel: Kernel, plane: Plane, pixels: Uint8Array): void {
  const { stride, width, height } = plane
  const all = kernel.bytes(plane.at, stride * height)
  for (let row = 0; row < height; row++) all.set(pixels.subarray(row * width, (row + 1) * width), row * stride)
  repeatEdges(kernel, plane)
}

/** Pixels that the kernel reads beyond each edge of what it enlarges. */
const enlargePad = 8

/** Fills a plane with tightly packed pixels of half its width and height. */
export function fillPlaneFromHalf(kernel: Kernel, plane: Plane, pixels: Uint8Array): void {
  const mark = kernel.mark()
  enlargeInto(kernel, plane, pixels, halfOf(kernel, plane))
  kernel.release(mark)
  repeatEdges(kernel, plane)
}

/** A plane of half the size and the scratch memory for enlarging it. */
export interface Half {
  plane: Plane
  scratch: number
}

export function halfOf(kernel: Kernel, { width, height }: Plane): Half {
  const plane = kernel.plane(width / 2, height / 2, enlargePad)
  return { plane, scratch: kernel.allocate(2 * (plane.width + 24)) }
}

/** Draws tightly packed pixels of half a plane's width and height into it; its padding stays as it is. */
export function enlargeInto(kernel: Kernel, plane: Plane, pixels: Uint8Array, half: Half): void {
  fillPlane(kernel, half.plane, pixels)
  enlargeHalf(kernel, plane, half)
}

/** Draws what a half plane holds, padding included, into the whole one. */
export function enlargeHalf(kernel: Kernel, plane: Plane, { plane: half, scratch }: Half): void {
  kernel.enlarge(half.at, half.stride, plane.at, plane.stride, half.width, half.height, scratch)
}

/** Repeats a plane's outermost pixels in its padding; what is written into a plane by other means leaves it stale. */
export function repeatEdges(kernel: Kernel, plane: Plane): void {
  const { stride, width, height, pad } = plane
  const origin = pad * stride + pad
  const all = kernel.bytes(plane.at - origin, stride * (height + 2 * pad))
  for (let row = 0; row < height; row++) {
    const at = origin + row * stride
    all.fill(all[at]!, at - pad, at)
    all.fill(all[at + width - 1]!, at + width, at - pad + stride)
  }
  for (let row = 0; row < pad; row++) {
    all.copyWithin(row * stride, pad * stride, (pad + 1) * stride)
    all.copyWithin((pad + height + row) * stride, (pad + height - 1) * stride, (pad + height) * stride)
  }
}

/** The plane's pixels, tightly packed. */
export function readPlane(
  kernel: Kernel,
  plane: Plane,
  pixels = new Uint8Array(plane.width * plane.height),
): Uint8Array {
  const all = kernel.bytes(plane.at, plane.stride * (plane.height - 1) + plane.width)
  for (let row = 0; row < plane.height; row++) {
    pixels.set(all.subarray(row * plane.stride, row * plane.stride + plane.width), row * plane.width)
  }
  return pixels
}

function align(value: number, to: number): number {
  return Math.ceil(value / to) * to
}
