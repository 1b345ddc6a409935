// Multipart forms drawn at random: parts of every kind, then bytes that are cut, repeated, changed or moved, under
// boundaries and lengths that may be wrong.
import fc from 'fast-check'

export interface FuzzedForm {
  path: string
  contentType: string
  body: Buffer
  /** By how much the announced length is wrong; what is announced and not sent ends with the connection. */
  lengthOff: number
  chunked: boolean
}

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const boundary = fc.oneof(
  { weight: 12, arbitrary: fc.constant('a-boundary') },
  { weight: 1, arbitrary: fc.constantFrom('', '-', '--', 'x'.repeat(70), 'x'.repeat(5000), '"q"', 'a b', 'é', '\t') },
)

const nameOf = (part: string) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(part, 'prompt', 'model', 'seconds', 'fileName') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        'other',
        '__proto__',
        `${part}[image_url]`,
        `${part}[]`,
        'n'.repeat(3000),
        'a\0b',
        'ü',
      ),
    },
  )

const disposition = (part: string) =>
  fc.oneof(
    {
      weight: 10,
      arbitrary: fc
        .tuple(nameOf(part), fc.constantFrom('', '; filename="a.png"', '; filename=""', "; filename*=UTF-8''%zz"))
        .map(([name, file]) => `content-disposition: form-data; name="${name}"${file}\r\n`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        'content-disposition: attachment\r\n',
        'content-disposition: form-data\r\n',
        'content-disposition: form-data; name="x\r\n',
        'content-disposition\r\n',
        ': x\r\n',
        '\0\r\n',
      ),
    },
  )

const otherHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('', 'content-type: image/png\r\n') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'content-type: multipart/mixed; boundary=inner\r\n',
      'content-type: application/octet-stream; charset=x\r\n',
      'content-type:\r\n',
      'content-transfer-encoding: base64\r\n',
      'x: y\r\n'.repeat(100),
      `x: ${'y'.repeat(10_000)}\r\n`,
      'constructor: x\r\n__proto__: y\r\n',
      ' folded\r\n',
    ),
  },
)

const content = (bound: string) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(picture) },
    { weight: 3, arbitrary: fc.constantFrom('', 'a boat', 'x'.repeat(40_000), '\r\n', '--', '\0').map(bytesOf) },
    // A form in the form.
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          `--inner\r\ncontent-disposition: form-data; name="file"; filename="b"\r\n\r\nx\r\n--inner--`,
          `\r\n--${bound}x\r\n\r\n`,
          `\r\n-${bound}`,
        )
        .map(bytesOf),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  )

const bytesOf = (text: string) => Buffer.from(text)

/** Cut, repeated, overwritten, or with something put in. */
const spoil: fc.Arbitrary<(bytes: Buffer) => Buffer> = fc.oneof(
  { weight: 8, arbitrary: fc.constant((bytes: Buffer) => bytes) },
  { weight: 4, arbitrary: fc.nat().map((at) => (bytes: Buffer) => bytes.subarray(0, at % (bytes.length + 1))) },
  { weight: 1, arbitrary: fc.nat().map((at) => (bytes: Buffer) => bytes.subarray(at % (bytes.length + 1))) },
  { weight: 1, arbitrary: fc.constant((bytes: Buffer) => Buffer.concat([bytes, bytes])) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(), fc.nat(255)).map(([at, value]) => (bytes: Buffer) => {
      const changed = Buffer.from(bytes)
      if (changed.length > 0) changed[at % changed.length] = value
      return changed
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(), fc.constantFrom('\r\n', '\n', '--', '\r\n--a-boundary', '\0'))
      .map(([at, piece]) => (bytes: Buffer) => {
        const place = at % (bytes.length + 1)
        return Buffer.concat([bytes.subarray(0, place), Buffer.from(piece), bytes.subarray(place)])
      }),
  },
)

const contentTypeOf = (bound: string) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant(`multipart/form-data; boundary=${safe(bound)}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'multipart/form-data',
        `multipart/form-data; boundary="${safe(bound)}"`,
        `Multipart/Form-Data; Boundary=${safe(bound)}; charset=utf-8`,
        `multipart/form-data; boundary=a; boundary=${safe(bound)}`,
        'multipart/form-data; boundary',
        `multipart/mixed; boundary=${safe(bound)}`,
      ),
    },
  )

/** A header takes no byte outside Latin-1. */
const safe = (text: string) => Buffer.from(text).toString('latin1')

export function fuzzedForm(targets: { path: string; part: string }[]): fc.Arbitrary<FuzzedForm> {
  return fc.constantFrom(...targets).chain(({ path, part }) =>
    boundary.chain((bound) => {
      const one = fc
        .tuple(disposition(part), otherHeaders, content(bound))
        .map(([head, more, bytes]) =>
          Buffer.concat([Buffer.from(`--${bound}\r\n${head}${more}\r\n`), bytes, Buffer.from('\r\n')]),
        )
      const parts = fc.oneof(
        { weight: 12, arbitrary: fc.array(one, { maxLength: 4 }) },
        {
          weight: 1,
          arbitrary: fc.tuple(one, fc.integer({ min: 29, max: 60 })).map(([each, times]) => Array(times).fill(each)),
        },
      )
      return fc
        .record({
          parts,
          end: fc.constantFrom(`--${bound}--\r\n`, `--${bound}--`, `--${bound}`, ''),
          change: spoil,
          contentType: contentTypeOf(bound),
          lengthOff: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 1000 })),
          chunked: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
        })
        .map(({ parts: made, end, change, contentType, lengthOff, chunked }) => {
          const body = change(Buffer.concat([...made, Buffer.from(end)]))
          // An empty chunk would end the body before its end.
          const isChunked = chunked && body.length > 0
          return { path, contentType, body, lengthOff: isChunked ? 0 : lengthOff, chunked: isChunked }
        })
    }),
  )
}
