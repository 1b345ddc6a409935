// Reads the body of an MCP call: bounded in size, depth and values, as the bodies of the service are, and in slices.
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../contract/errors.ts'
import { parseLargeJson } from '../../http/server/bodies/large-json.ts'

/** A file in base64, and a little around it. */
const bodyBytesMax = 15 * 2 ** 20
/** Of one body; a client sends one message, or a few. */
const messagesMax = 20
const smallBytes = 2 ** 16

type Body = { value: unknown } | { problem: string }

export const isLarge = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBytes

/** `nextTurn` resolves when the next slice of the work may run, and counts the bytes that were read. */
export async function readBody(
  request: IncomingMessage,
  nextTurn: (bytesRead?: number) => Promise<void>,
): Promise<Body> {
  const tooLarge = { problem: `The body is too large: at most ${bodyBytesMax} bytes.` }
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) return tooLarge
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) return tooLarge
    chunks.push(chunk)
  }
  await nextTurn(bytes)
  try {
    const value = await parseLargeJson(Buffer.concat(chunks), parse, nextTurn)
    if (Array.isArray(value) && value.length > messagesMax) {
      return { problem: `The body has too many messages: at most ${messagesMax}.` }
    }
    return { value }
  } catch (error) {
    return { problem: error instanceof ApiError ? error.message : 'The body is not JSON.' }
  }
}

function parse(text: string, done: (error: Error | null, value?: unknown) => void): void {
  try {
    done(null, JSON.parse(text))
  } catch (error) {
    done(error as Error)
  }
}

/** What is read of a refused body before its connection is closed: a client that still sends reads no response. */
export const discardedMax = { withoutKey: 2 ** 20, withKey: 2 * bodyBytesMax }

/** Discards the rest of a body that was refused. */
export async function discard(
  request: IncomingMessage,
  bytesMax: number,
  nextTurn: (bytesRead?: number) => Promise<void>,
) {
  if (request.complete) return
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > bytesMax) return void request.socket.destroy()
    await nextTurn(chunk.length)
  }
}
