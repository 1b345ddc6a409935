// Attacks with forms: to every route that takes them forms that are broken off, and to /v1/videos forms with a picture that
// are refused in the end.
import { setTimeout as sleep } from 'node:timers/promises'
import { png } from '../files/image-files.ts'
import { createApi } from '../service/api.ts'
import type { Attack, Target } from './attacks.ts'
import { brokenForms } from './broken-forms.ts'
import { createLane, requestBytes } from './lanes.ts'
import { multipart, multipartBoundary, uploadPath } from './large-bodies.ts'

const atOnce = 4
const videosPath = '/v1/videos'
/** The routes that take forms, and the name of the part that holds the file. */
export const formRoutes: Record<string, string> = {
  [uploadPath]: 'file',
  '/api/file-stream-upload': 'file',
  '/api/file-base64-upload': 'file',
  '/api/file-url-upload': 'file',
  [videosPath]: 'input_reference',
}

export async function formAttacks(target: Target): Promise<Attack[]> {
  const broken = Object.entries(formRoutes).map(([path, part]) => ({
    name: `forms broken off, ${path}`,
    run: inTurn(
      target,
      Object.values(brokenForms(part)).map((raw) => requestBytes(target, 'POST', path, { raw, headers: multipart })),
    ),
  }))
  const field = (name: string, value: string) =>
    `--${multipartBoundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const picture = await png(1280, 720)
  const raw = Buffer.concat([
    Buffer.from(field('prompt', 'a boat')),
    Buffer.from(
      `--${multipartBoundary}\r\ncontent-disposition: form-data; name="input_reference"; filename="a.png"\r\n\r\n`,
    ),
    picture,
    Buffer.from(`\r\n--${multipartBoundary}--\r\n`),
  ])
  // Refused last of all, after the picture was inspected.
  const { body } = await createApi(target.url, target.key).post('/api/v1/keys', { name: 'poor', creditLimit: 1 })
  const poor = { url: target.url, key: body.data.key }
  const refused = requestBytes(poor, 'POST', videosPath, { raw, headers: multipart })
  return [...broken, { name: 'refused videos with a picture', run: inTurn(target, [refused]) }]
}

/** Sends the requests one after the other, on several connections, until the signal aborts. */
function inTurn(target: Target, requests: Buffer[]): Attack['run'] {
  const lane = async (signal: AbortSignal) => {
    const connection = createLane(target.url)
    for (let i = 0; !signal.aborted; i++) {
      await connection.send(requests[i % requests.length]!, signal)
      await sleep(20)
    }
    connection.close()
  }
  return (signal) => Promise.all(Array.from({ length: atOnce }, () => lane(signal)))
}
