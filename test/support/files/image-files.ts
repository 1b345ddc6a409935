// Images for tests, good and bad, made in memory.
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** A left half in red and a right half in blue, with an upper strip in white: turning or flipping shows. */
export async function picture(width: number, height: number): Promise<Sharp> {
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = y < height / 4 ? [255, 255, 255] : x < width / 2 ? [220, 20, 20] : [20, 20, 220]
      pixels.set(colour, (y * width + x) * 3)
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

export async function jpeg(width: number, height: number): Promise<Buffer> {
  return await (await picture(width, height)).jpeg().toBuffer()
}

export async function png(width: number, height: number): Promise<Buffer> {
  return await (await picture(width, height)).png().toBuffer()
}

/**
 * A JPEG that claims another size than it has, and yet ends with its end marker: decoders warn, and fill what is missing
 * with grey.
 */
export async function lyingJpeg(width: number, height: number, { progressive = false } = {}): Promise<Buffer> {
  const bytes = await (await picture(640, 400)).jpeg({ progressive }).toBuffer()
  const frame = bytes.indexOf(Buffer.from([0xff, progressive ? 0xc2 : 0xc0]))
  bytes.writeUInt16BE(height, frame + 5)
  bytes.writeUInt16BE(width, frame + 7)
  return bytes
}

/** A PNG that does not compress, of about `megabytes` MB: three bytes a pixel, all of them noise. */
export async function noisePng(megabytes: number): Promise<Buffer> {
  const width = 1024
  const height = Math.round((megabytes * 2 ** 20) / (width * 3 + 1))
  const pixels = crypto.getRandomValues(Buffer.alloc(65536))
  const raw = Buffer.alloc(width * height * 3)
  for (let offset = 0; offset < raw.length; offset += pixels.length) {
    pixels.copy(raw, offset, 0, Math.min(pixels.length, raw.length - offset))
  }
  return await sharp(raw, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

/** 256 million pixels in about 31 kB: one bit each, all black. */
export function bombPng(): Buffer {
  const side = 16_000
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const lines = deflateSync(Buffer.alloc(side * (1 + side / 8)), { level: 9 })
  return Buffer.concat([PNG_SIGNATURE, chunk('IHDR', header), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))])
}

/** The same frame shown twice, as an animation. */
export async function animatedPng(width: number, height: number): Promise<Buffer> {
  const still = await png(width, height)
  const chunks = chunksOf(still)
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ body }) => body))
  const frame = (sequence: number) => {
    const control = Buffer.alloc(26)
    control.writeUInt32BE(sequence, 0)
    control.writeUInt32BE(width, 4)
    control.writeUInt32BE(height, 8)
    control.writeUInt16BE(1, 20)
    control.writeUInt16BE(10, 22)
    return chunk('fcTL', control)
  }
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', chunks[0]!.body),
    // A long text first: the announcement need not be among the first bytes.
    chunk('tEXt', Buffer.from(`Comment\0${'a'.repeat(10_000)}`)),
    chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
    frame(0),
    chunk('IDAT', data),
    frame(1),
    chunk('fdAT', Buffer.concat([Buffer.from([0, 0, 0, 2]), data])),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export const SVG = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
)

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

export function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

function chunksOf(file: Buffer): { type: string; body: Buffer }[] {
  const chunks = []
  for (let offset = 8; offset < file.length; ) {
    const length = file.readUInt32BE(offset)
    chunks.push({
      type: file.toString('latin1', offset + 4, offset + 8),
      body: file.subarray(offset + 8, offset + 8 + length),
    })
    offset += length + 12
  }
  return chunks
}
