// Looks at the chunks of a PNG before it is decoded: whether it is animated, and whether there are absurdly many.
import type { FileCursor } from './file-cursor.ts'

const signatureBytes = 8
/** Colour profiles, texts and other additions. */
const otherChunksMax = 1_000
/**
 * What compressed texts may hold when they are expanded. They are expanded before anything else is known of the image, to
 * at most 8 MB each, and a byte of Deflate holds at most 1,032: 950 of 8 kB took 40 s.
 */
const textBytesMax = 64e6
const [bytesPerText, bytesPerByte] = [8e6, 1032]
/** Keyword, its end and the flag. */
const itxtHeadBytes = 81

/** Some encoders write image data in pieces of 4 kB. */
const imageDataBytesMin = 1_024
const imageChunksMin = 10_000

interface PngStructure {
  /** An animated PNG announces itself before its first image data. */
  isAnimated: boolean
  /** What is excessive about the file, or null. */
  excess: string | null
}

export function structureOfPng(file: FileCursor): PngStructure {
  const imageChunksMax = Math.max(imageChunksMin, file.bytes / imageDataBytesMin)
  let imageChunks = 0
  let otherChunks = 0
  let textBytes = 0
  file.position = signatureBytes
  for (let header = file.take(8); header !== null; header = file.take(8)) {
    const length = header.readUInt32BE(0)
    const type = header.toString('latin1', 4, 8)
    if (type === 'acTL' && imageChunks === 0) return { isAnimated: true, excess: null }
    if (type === 'IEND' || !/^[A-Za-z]{4}$/.test(type)) break
    if (type === 'IDAT') imageChunks++
    else otherChunks++
    if (imageChunks > imageChunksMax) return { isAnimated: false, excess: `more than ${imageChunksMax} image chunks` }
    if (otherChunks > otherChunksMax) return { isAnimated: false, excess: `more than ${otherChunksMax} other chunks` }
    const start = file.position
    if (isCompressedText(file, type, length)) textBytes += Math.min(bytesPerText, length * bytesPerByte)
    if (textBytes > textBytesMax) {
      return { isAnimated: false, excess: `more than ${textBytesMax / 1e6} MB of compressed texts` }
    }
    // The chunk's content and its checksum.
    file.position = start + length + 4
  }
  return { isAnimated: false, excess: null }
}

function isCompressedText(file: FileCursor, type: string, length: number): boolean {
  if (type !== 'iTXt') return type === 'zTXt'
  const head = file.take(Math.min(itxtHeadBytes, length))
  const endOfKeyword = head?.indexOf(0) ?? -1
  return endOfKeyword >= 0 && head![endOfKeyword + 1] !== 0
}
