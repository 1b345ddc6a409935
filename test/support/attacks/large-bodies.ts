// Bodies that once held up the event loop for all clients, and the status of the response to each.
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { type CallOptions, taskBody, variantA } from '../service/api.ts'

export const uploadPath = '/api/v1/files/upload'
const createPath = '/api/v1/jobs/createTask'
export const embeddingsPath = '/v1/inference/google/universal-sentence-encoder'
export const multipartBoundary = 'a-boundary'
export const multipart = { 'content-type': `multipart/form-data; boundary=${multipartBoundary}` }
const json = { 'content-type': 'application/json' }

const junk = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]))
const part = (headers: string, body: string) => `--${multipartBoundary}\r\n${headers}\r\n\r\n${body}\r\n`

interface LargeBody {
  path: string
  options: CallOptions
  status: number
}

export const largeBodies: Record<string, LargeBody> = {
  'many fields and an Idempotency-Key': {
    path: createPath,
    options: { raw: JSON.stringify({ ...taskBody(), ...junk(60_000) }), headers: { ...json, 'idempotency-key': 'a' } },
    status: 422,
  },
  'many fields in 250 kB': {
    path: createPath,
    options: { raw: JSON.stringify({ ...taskBody(), ...junk(15_000) }), headers: { ...json, 'idempotency-key': 'b' } },
    status: 422,
  },
  'a form of 20,000 fields': {
    path: uploadPath,
    options: {
      raw: Array.from({ length: 20_000 }, (_, i) => part(`content-disposition: form-data; name="f${i}"`, 'x')).join(''),
      headers: multipart,
    },
    status: 422,
  },
  'a part with 500,000 header lines': {
    path: uploadPath,
    options: { raw: part(`a: b\r\n${'x: y\r\n'.repeat(500_000)}`, 'x'), headers: multipart },
    status: 422,
  },
  '13.5 MB of base64': {
    path: uploadPath,
    options: { raw: JSON.stringify({ base64Data: 'A'.repeat(13.5 * 2 ** 20) }), headers: json },
    status: 422,
  },
  '13 MB of parameters in a data URL': {
    path: uploadPath,
    options: { raw: JSON.stringify({ base64Data: `data:x${';a'.repeat(6.5 * 2 ** 20)}` }), headers: json },
    status: 422,
  },
  '13 MB of line breaks in base64': {
    path: uploadPath,
    options: { raw: JSON.stringify({ base64Data: 'A\n'.repeat(4 * 2 ** 20) }), headers: json },
    status: 422,
  },
}

/** As large as they may be. */
export async function largestBodies(): Promise<Record<string, LargeBody>> {
  const side = 1800
  const picture = await sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const base64 = picture.toString('base64')
  const jsonBody = (path: string, body: object, status = 200): LargeBody => {
    const headers = { ...json, 'idempotency-key': crypto.randomUUID() }
    return { path, options: { raw: JSON.stringify(body), headers }, status }
  }
  const texts = Array.from({ length: 120 }, (_, i) => `text ${i} `.repeat(1000).slice(0, 8000))
  return {
    'a task with 1,900 unknown fields': jsonBody(createPath, { ...taskBody(), ...junk(1900) }),
    'a task with 250 kB in an unknown field': jsonBody(createPath, { ...taskBody(), junk: 'x'.repeat(250_000) }),
    'a megabyte of texts': jsonBody(embeddingsPath, { inputs: texts }),
    'a picture of 10 MB in base64': jsonBody(uploadPath, { base64Data: base64 }),
    'a picture of 10 MB in a form': {
      path: uploadPath,
      options: {
        raw: Buffer.concat([
          Buffer.from(
            `--${multipartBoundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n`,
          ),
          picture,
          Buffer.from(`\r\n--${multipartBoundary}--\r\n`),
        ]),
        headers: multipart,
      },
      status: 200,
    },
    'a video with a data URL of 10 MB': jsonBody('/v1/videos', {
      model: variantA,
      prompt: 'a boat',
      input_reference: { image_url: `data:image/png;base64,${base64}` },
    }),
    'a prompt to explain': jsonBody('/api/v1/prompts/explain', {
      prompt: 'camera pans left through rain, '.repeat(80),
    }),
    'a prompt to explain that grows': jsonBody('/api/v1/prompts/explain', { prompt: '\ufdfa'.repeat(2500) }),
  }
}
