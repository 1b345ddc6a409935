// Bodies that once held up the event loop for everybody, and the status that each is answered with.
import { type CallOptions, taskBody } from '../service/api.ts'

export const uploadPath = '/api/v1/files/upload'
const createPath = '/api/v1/jobs/createTask'
export const multipartBoundary = 'a-boundary'
export const multipart = { 'content-type': `multipart/form-data; boundary=${multipartBoundary}` }
const json = { 'content-type': 'application/json' }

const junk = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]))
const part = (headers: string, body: string) => `--${multipartBoundary}\r\n${headers}\r\n\r\n${body}\r\n`

export const largeBodies: Record<string, { path: string; options: CallOptions; status: number }> = {
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
