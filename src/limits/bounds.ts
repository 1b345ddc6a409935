// Limits of single inputs and single steps, in words. Their numbers stand in the code that enforces them.
import { uploadBase64BytesMax, uploadBytesMax } from '../contract/limits.ts'
import type { LimitText } from './table.ts'

const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`

export const bounds: LimitText[] = [
  { what: 'credits that a sub-key spends', limit: 'none', beyond: 433, setting: "the key's own" },
  {
    what: 'tasks that run or start on an engine, and credits that go to it',
    limit: 'its slots; no other',
    beyond: 'waits, or goes to another engine',
    setting: '`DAILIES_RENDER_SLOTS`; `slots`, `rate` and `creditsMax` of the engine',
  },
  {
    what: 'connections',
    limit: 'half of the descriptors, at most 10,000; a quarter of them per address',
    beyond: 'closed',
    setting: '`DAILIES_CONNECTIONS`',
  },
  { what: 'header block', limit: '16 KiB within 15 s', beyond: '422, then closed' },
  { what: 'an idle connection', limit: '75 s', beyond: 'closed' },
  { what: 'a silent client', limit: '20 s in the middle of a request or response', beyond: 'closed' },
  { what: 'a whole request', limit: '300 s', beyond: 'closed' },
  { what: 'requests on one connection', limit: 'served one after the other', beyond: 'waits' },
  { what: 'requests that arrive together', limit: 'begun for 10 ms per turn of the event loop', beyond: 'waits' },
  {
    what: 'JSON body',
    limit: '256 KiB (inference 1 MiB, base64 upload 14 MiB), 64 levels, 2,000 values',
    beyond: 422,
  },
  { what: '`Idempotency-Key`', limit: '255 characters', beyond: 422 },
  { what: 'unknown fields of a request', limit: 'the first 100 are named', beyond: 'not stored' },
  {
    what: 'page of tasks or callbacks',
    limit: '100 entries, 1 MiB; a search reads 5,000 entries',
    beyond: 'the next page',
  },
  {
    what: 'texts of an embeddings request',
    limit: '256 of 8,192 characters; the model reads 128 tokens of each, normalised',
    beyond: 422,
  },
  {
    what: 'form',
    limit: 'one file, 32 parts, 30 fields of 32 KiB, 20 header lines per part, 128 KiB before the file',
    beyond: 422,
  },
  {
    what: 'upload',
    limit: `${mebibytes(uploadBytesMax)}, ${mebibytes(uploadBase64BytesMax)} as base64, 30 MiB as the image of \`/v1/videos\``,
    beyond: 422,
  },
  {
    what: "structure of a client's file",
    limit:
      '50 megapixels; a JPEG of 64 scans; a PNG with 1,000 other chunks and 64 MB of compressed texts; a video of 2,000,000 samples and 32 tracks',
    beyond: '422, or the task fails',
  },
  {
    what: 'a file of a client in a child process',
    limit: '20 s, 900 MB',
    beyond: '422, or the task fails',
  },
  { what: 'moderation of a prompt or image', limit: '30 s, 900 MB', beyond: 'the attempt fails' },
  { what: 'texts to encode at once', limit: '20 s and 800 MB per batch', beyond: 'each is encoded alone, then fails' },
  {
    what: "fetch of a client's URL",
    limit: '3 redirects; 5 s to connect, 10 s to the header, 60 s in all',
    beyond: '422, or the task fails',
  },
  {
    what: 'an attempt at a callback',
    limit: '15 to 16 s; 64 KiB of the response are read',
    beyond: 'the next attempt',
  },
  {
    what: 'entries of the audit log',
    limit: 'kept for 365 days',
    beyond: 'deleted',
    setting: '`audit.retention` in `dailies.config.json`',
  },
]
