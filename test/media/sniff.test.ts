// Formats by their first bytes, as a table; and no bytes at all may make the sniffer throw.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type MediaFormat, sniffHead } from '../../src/media/sniff.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const text = (value: string) => Buffer.from(value, 'latin1')

const TABLE: readonly (readonly [MediaFormat, string, Buffer])[] = [
  ['jpeg', 'JFIF', hex('ffd8ffe0 00104a46 49460001')],
  ['jpeg', 'EXIF', hex('ffd8ffe1 00104578 69660000')],
  ['png', 'PNG', hex('89504e47 0d0a1a0a 0000000d 49484452')],
  ['unknown', 'PNG whose line ends were converted', hex('89504e47 0a1a0a00 00000d49 484452')],
  ['mp4', 'isom', text('\0\0\0\x18ftypisom\0\0\x02\0')],
  ['mp4', 'mp42', text('\0\0\0\x18ftypmp42\0\0\0\0')],
  ['mp4', '3gp', text('\0\0\0\x18ftyp3gp4\0\0\0\0')],
  ['m4a', 'M4A', text('\0\0\0\x18ftypM4A \0\0\0\0')],
  ['mov', 'qt', text('\0\0\0\x14ftypqt  \0\0\0\0')],
  ['mov', 'without ftyp', text('\0\0\0\x08wide\0\0\0\0mdat')],
  ['unknown', 'AVIF', text('\0\0\0\x1cftypavif\0\0\0\0')],
  ['unknown', 'HEIC', text('\0\0\0\x18ftypheic\0\0\0\0')],
  ['webm', 'WebM', text('\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\x82\x84webm')],
  ['mkv', 'Matroska', text('\x1aE\xdf\xa3\xa3B\x86\x81\x01B\xf7\x81\x01B\x82\x88matroska')],
  ['wav', 'WAV', text('RIFF\x24\0\0\0WAVEfmt ')],
  ['unknown', 'WebP', text('RIFF\x24\0\0\0WEBPVP8 ')],
  ['unknown', 'AVI', text('RIFF\x24\0\0\0AVI LIST')],
  ['mp3', 'with tags', text('ID3\x04\0\0\0\0\0\x0aTSSE')],
  ['mp3', 'layer III', hex('fffb9064 00000000 00000000')],
  ['mp3', 'layer III, MPEG 2', hex('fff384c4 00000000 00000000')],
  ['unknown', 'a layer that is not III', hex('fffd9064 00000000 00000000')],
  ['unknown', 'a reserved rate', hex('fffb9c64 00000000 00000000')],
  ['aac', 'ADTS', hex('fff15080 02fffcde 02004c61')],
  ['aac', 'ADTS, MPEG 2', hex('fff95080 02fffcde 02004c61')],
  ['unknown', 'text in UTF-16', hex('fffe3c00 73007600 67002000')],
  ['ogg', 'Ogg', text('OggS\0\x02\0\0\0\0\0\0')],
  ['flac', 'FLAC', text('fLaC\0\0\0\x22\x10\0\x10\0')],
  ['unknown', 'nothing', Buffer.alloc(0)],
  ['unknown', 'three bytes of a JPEG', hex('ffd8ff')],
  ['unknown', 'a ZIP file', text('PK\x03\x04\x14\0\0\0\0\0\0\0')],
  ['unknown', 'a program', text('\x7fELF\x02\x01\x01\0\0\0\0\0')],
]

for (const [format, what, head] of TABLE) {
  test(`${what} is ${format}`, () => {
    assert.equal(sniffHead(head).format, format)
  })
}

test('any bytes give some format and some name', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const { format, name } = sniffHead(Buffer.from(bytes))
      assert.ok(format.length > 0 && /^(an? .|of an unknown type$)/.test(name), name)
    }),
  )
})
