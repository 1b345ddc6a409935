// Recognises a file's format by its first bytes, not by its name or its server's content type.
// Whether a file is whole and usable is for the inspectors.
import { open } from 'node:fs/promises'

const headBytes = 4096
const stillImageBrands = new Set(['avif', 'avis', 'heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1', 'crx '])
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

/** Formats that people send by mistake, so that the refusal can name them. Matched on bytes read as Latin-1. */
const foreignFormats: readonly (readonly [RegExp, string])[] = [
  [/^GIF8[79]a/, 'a GIF image'],
  [/^RIFF.{4}WEBP/s, 'a WebP image'],
  [/^RIFF.{4}AVI /s, 'an AVI video'],
  [/^.{4}ftyp(avif|avis)/s, 'an AVIF image'],
  [/^.{4}ftyp(heic|heix|hevc|heim|heis|mif1|msf1)/s, 'a HEIC image'],
  [/^BM.{4}\0\0\0\0/s, 'a BMP image'],
  [/^(II\*\0|MM\0\*)/, 'a TIFF image'],
  [/^(ÿ\n|\0\0\0\fJXL )/, 'a JPEG XL image'],
  [/^%PDF-/, 'a PDF file'],
  [/^(ï»¿)?\s*#EXTM3U/, 'a playlist'],
  [/^(ï»¿)?\s*<(svg[\s>]|(\?xml|!--|!doctype svg).*<svg[\s>])/is, 'an SVG image'],
  [/^(ï»¿)?\s*<(!doctype html|html|head|body)/i, 'an HTML page'],
  [/^(ï»¿)?\s*[[{]/, 'a text file'],
]

/** For a sentence. */
const formatNames = {
  jpeg: 'a JPEG image',
  png: 'a PNG image',
  mp4: 'an MP4 file',
  mov: 'a QuickTime file',
  webm: 'a WebM file',
  mkv: 'a Matroska file',
  wav: 'a WAV file',
  mp3: 'an MP3 file',
  ogg: 'an Ogg file',
  flac: 'a FLAC file',
  aac: 'an AAC file',
  m4a: 'an M4A file',
}
export type MediaFormat = keyof typeof formatNames | 'unknown'

interface Sniffed {
  format: MediaFormat
  /** For a sentence: "a GIF image", "of an unknown type". */
  name: string
}

/** The format that a file's first bytes show. */
export function sniffHead(head: Buffer): Sniffed {
  const format = formatOf(head)
  if (format !== 'unknown') return { format, name: formatNames[format] }
  if (head.length === 0) return { format, name: 'an empty file' }
  const text = head.toString('latin1', 0, 1024)
  const foreign = foreignFormats.find(([pattern]) => pattern.test(text))
  return { format, name: foreign?.[1] ?? 'of an unknown type' }
}

export async function sniffFile(path: string): Promise<Sniffed> {
  return sniffHead(await readHead(path))
}

/** As many of a file's first bytes as it takes to recognise it. */
export async function readHead(path: string): Promise<Buffer> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  return buffer.subarray(0, bytesRead)
}

function formatOf(head: Buffer): MediaFormat {
  if (head.length < 12) return 'unknown'
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'jpeg'
  if (head.subarray(0, 8).equals(pngSignature)) return 'png'
  const text = head.toString('latin1', 0, 64)
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WAVE') return 'wav'
  if (text.startsWith('OggS')) return 'ogg'
  if (text.startsWith('fLaC')) return 'flac'
  if (text.startsWith('ID3')) return 'mp3'
  const box = text.slice(4, 8)
  if (box === 'ftyp') return formatOfBrand(text.slice(8, 12))
  // QuickTime from before `ftyp` begins with one of these boxes.
  if (['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].includes(box)) return 'mov'
  if (head.readUInt32BE(0) === 0x1a45dfa3) return text.includes('webm') ? 'webm' : 'mkv'
  return formatOfSync(head)
}

function formatOfBrand(brand: string): MediaFormat {
  if (brand === 'qt  ') return 'mov'
  if (brand === 'M4A ' || brand === 'M4B ' || brand === 'M4P ') return 'm4a'
  return stillImageBrands.has(brand) ? 'unknown' : 'mp4'
}

/** MPEG audio without a container: eleven set bits, then a layer (ADTS has none) and no reserved values. */
function formatOfSync(head: Buffer): MediaFormat {
  const [first, second, third] = [head[0]!, head[1]!, head[2]!]
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return 'unknown'
  if ((second & 0xf6) === 0xf0) return (third & 0x3c) >> 2 < 13 ? 'aac' : 'unknown'
  const reserved = (second & 0x18) === 0x08 || (third & 0xf0) === 0xf0 || (third & 0x0c) === 0x0c
  return (second & 0x06) === 0x02 && !reserved ? 'mp3' : 'unknown'
}
