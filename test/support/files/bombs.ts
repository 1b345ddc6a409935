// Small files that make a careless decoder work for minutes or take gigabytes of memory.
import sharp from 'sharp'

/** A progressive JPEG with `scans` more scans than it needs: each sends one run of empty blocks for the whole image. */
export async function scanBombJpeg(scans: number, { width = 4000, height = 4000 } = {}): Promise<Buffer> {
  const plain = await sharp({ create: { width, height, channels: 3, background: '#808080' } })
    .greyscale()
    .jpeg({ progressive: true })
    .toBuffer()
  // Refines coefficients 1 to 63 of the only component again and again. A Huffman table with the single code
  // "end of a band of 32768 blocks" keeps each scan to a few hundred bytes.
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const table = segment(0xc4, Buffer.from([0x10, 1, ...new Array(15).fill(0), 0xe0]))
  const header = segment(0xda, Buffer.from([1, 1, 0x00, 1, 63, 0x00]))
  const runs = Math.ceil(blocks / 32_767)
  // Code "0", then 14 bits that say how many more blocks than 16384 the run covers: all ones.
  const bits = `${'0'.padEnd(1)}${'1'.repeat(14)}`.repeat(runs).padEnd(Math.ceil((runs * 15) / 8) * 8, '1')
  const data = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const stuffed = Buffer.from([...data].flatMap((byte) => (byte === 0xff ? [0xff, 0x00] : [byte])))
  const scan = Buffer.concat([header, stuffed])
  return Buffer.concat([plain.subarray(0, -2), table, ...new Array(scans).fill(scan), Buffer.from([0xff, 0xd9])])
}

function segment(code: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** An MP4 of under a kilobyte whose index claims this many samples of one byte each. */
export function indexBombMp4(samples: number, { fragmented = false } = {}): Buffer {
  const table = fragmented ? 0 : samples
  const entry = box('avc1', Buffer.alloc(6), u16(1), Buffer.alloc(16), u16(64), u16(48), Buffer.alloc(50))
  const stbl = box(
    'stbl',
    full('stsd', u32(1), entry),
    full('stts', u32(1), u32(table), u32(512)),
    full('stsc', u32(1), u32(1), u32(table), u32(1)),
    full('stsz', u32(1), u32(table)),
    full('stco', u32(1), u32(48)),
  )
  const dinf = box('dinf', full('dref', u32(1), full('url ')))
  const handler = full('hdlr', u32(0), Buffer.from('vide'), Buffer.alloc(13))
  const media = box(
    'mdia',
    full('mdhd', u32(0), u32(0), u32(12_800), u32(table), u32(0)),
    handler,
    box('minf', full('vmhd', Buffer.alloc(8)), dinf, stbl),
  )
  const track = box('trak', full('tkhd', u32(0), u32(0), u32(1), u32(0), u32(1000), Buffer.alloc(60)), media)
  const movie = box(
    'moov',
    full('mvhd', u32(0), u32(0), u32(1000), u32(1000), Buffer.alloc(80)),
    track,
    ...(fragmented ? [box('mvex', full('trex', u32(1), u32(1), u32(512), u32(1), u32(0)))] : []),
  )
  const run = box('traf', full('tfhd', u32(1)), full('trun', u32(samples)))
  const fragments = fragmented ? [box('moof', full('mfhd', u32(1)), run)] : []
  const brand = box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isomiso2mp41'))
  return Buffer.concat([brand, box('mdat', Buffer.alloc(16)), movie, ...fragments])
}

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body])
}

/** A box that begins with version and flags. */
const full = (type: string, ...parts: Buffer[]) => box(type, u32(0), ...parts)

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
