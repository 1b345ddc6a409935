// Looks at the segments of a JPEG before it is decoded. A progressive JPEG consists of scans. Each makes the decoder go
// over the whole image again, and an empty one takes a dozen bytes, so 300 kB can keep a processor busy for minutes.
// Whether the image is complete is found out by decoding it.
import { pixelsMax } from '../../contract/limits.ts'
import type { FileCursor } from './file-cursor.ts'

/** Encoders write about 10 scans, the most elaborate ones about 20. */
const scansMax = 64
/** Pixels × scans: what 50 megapixels take with 20 scans. */
const pixelPassesMax = 1_000_000_000
/** Metadata comes in segments of 64 kB. */
const segmentsMax = 10_000

const marker = { restartFirst: 0xd0, restartLast: 0xd7, start: 0xd8, end: 0xd9, scan: 0xda }
/** Segments that hold the image's size; 0xc4, 0xc8 and 0xcc in between hold tables. */
const isFrame = (code: number) => code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc

/** Says what is excessive about the file, or null. */
export function excessInJpeg(file: FileCursor): string | null {
  let segments = 0
  let scans = 0
  let pixels = 0
  for (let code = nextMarker(file); code >= 0 && code !== marker.end; code = nextMarker(file)) {
    if (code === marker.start || code === 0x01 || isRestart(code)) continue
    if (++segments > segmentsMax) return `more than ${segmentsMax} segments`
    const header = file.take(2)
    if (header === null) return null
    const end = file.position - 2 + header.readUInt16BE(0)
    // Larger images are refused for their size, before they are decoded.
    if (isFrame(code)) pixels = Math.max(pixels, Math.min(pixelsOf(file.take(5)), pixelsMax))
    if (code === marker.scan && ++scans > scansMax) return `more than ${scansMax} scans`
    if (scans * pixels > pixelPassesMax) return `${scans} scans of ${Math.round(pixels / 1e6)} megapixels`
    file.position = Math.max(file.position, end)
  }
  return null
}

/** The next marker's code, or -1 at the end. Inside a scan, bytes up to it are image data. */
function nextMarker(file: FileCursor): number {
  for (;;) {
    file.find(0xff)
    if (file.atEnd) return -1
    let code = file.byte()
    // Any number of fill bytes may precede the code.
    while (code === 0xff) code = file.byte()
    // In image data 0xff is written as 0xff 0x00.
    if (code !== 0x00) return code
  }
}

const isRestart = (code: number) => code >= marker.restartFirst && code <= marker.restartLast

function pixelsOf(frame: Buffer | null): number {
  return frame === null ? 0 : frame.readUInt16BE(1) * frame.readUInt16BE(3)
}
