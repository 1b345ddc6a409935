// Reads the one file of a multipart form into a local file. Everything that a form may have besides is bounded, and the
// parser gets it in small portions: parsing thousands of parts in one go would hold up all other requests.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'

/** Beside the file a form may have a few short fields, which are ignored, and a few header lines per part. */
const limits = { files: 1, parts: 12, fields: 10, fieldSize: 1024, headerPairs: 20, headerSize: 4096 }
/** All that the limits allow before the file; the parser would go on reading parts that it ignores. */
const bytesBeforeFileMax = 65_536

export interface FormFile {
  /** As the client called it. */
  name: string
  /** Whether the file has more than `bytesMax` bytes; the rest was not written. */
  isTooLarge: boolean
}

/** Null when the form has no part `file`. Throws when it is not a form that can be read. */
export async function receiveFormFile(
  request: FastifyRequest,
  to: { path: string; bytesMax: number },
): Promise<FormFile | null> {
  const form = new Busboy({ headers: request.headers as BusboyHeaders, limits: { ...limits, fileSize: to.bytesMax } })
  let file: { name: string; stream: BusboyFileStream; written: Promise<void> } | null = null
  const broken = new Promise<never>((_resolve, reject) => form.once('error', reject))
  broken.catch(() => {})
  form.on('file', (field, stream, name) => {
    if (field !== 'file' || file) return void stream.resume()
    const written = pipeline(stream, createWriteStream(to.path))
    written.catch((error) => form.destroy(error))
    file = { name: name ?? '', stream, written }
  })
  const finished = once(form, 'finish')
  finished.catch(() => {})
  let bytesParsed = 0
  // The chunk in which the file begins may be larger than what may come before it.
  const hasNoFile = () => !file && bytesParsed > bytesBeforeFileMax
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    if (hasNoFile()) break
    bytesParsed += chunk.length
    if (!form.write(chunk)) await Promise.race([once(form, 'drain'), broken])
    if (!file) await setImmediate()
  }
  if (hasNoFile()) {
    // A request that is refused still has to be read to its end.
    request.raw.resume()
    return null
  }
  form.end()
  await Promise.race([finished, broken])
  const found = file as { name: string; stream: BusboyFileStream; written: Promise<void> } | null
  await found?.written
  return found && { name: found.name, isTooLarge: found.stream.truncated }
}
