// Reads a multipart form: its one file into a local file, its other fields as text. Everything is bounded, and the parser
// gets the form in small portions: parsing thousands of parts in one go would hold up all other requests.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextImmediate } from 'node:timers/promises'
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalid, invalidField } from '../../../contract/errors.ts'
import { fileNameCharactersMax } from '../../../contract/files.ts'
import { withErrorListener } from '../../../platform/errors.ts'
import { cutName } from '../../../schema/validation.ts'

/** Besides the file, a form may have a few fields, and each part a few header lines. */
const limits = { files: 1, parts: 32, fields: 30, headerPairs: 20, headerSize: 4096 }
/** The fields of all forms are short, except for a prompt. */
const fieldBytesMax = 32_768
/** How much the parser gets at once before the file begins. */
const portionBytes = 8192
/** Without this limit, the parser would continue to read parts that it ignores. */
const bytesBeforeFileMax = 131_072

interface FormFile {
  /** As the client called it, cleaned. */
  name: string | null
  /** Whether the file has more than `bytesMax` bytes; the rest was not written. */
  isTooLarge: boolean
}

export interface Form {
  /** Null when the form has no such part. */
  file: FormFile | null
  /** The name of a file part that is not the one asked for. */
  otherPart: string | null
  /** The other fields; the last of those with the same name. */
  fields: Record<string, string>
}

/** Names the part that was sent instead: most clients that send none misname it. */
export function missingFile(part: string, otherPart: string | null): ApiError {
  const suggestion = otherPart === null ? {} : { suggestion: `the file of this form is named ${cutName(otherPart)}` }
  return invalid([{ field: part, message: 'is required as a part of the multipart form', ...suggestion }])
}

/** `part` is the name of the part that holds the file. Throws an ApiError when the form is not valid. */
export async function receiveForm(
  request: FastifyRequest,
  to: { part: string; path: string; bytesMax: number },
): Promise<Form> {
  try {
    return await parseForm(request, to)
  } catch (error) {
    // A truncated or malformed form is the client's mistake; an error of our own disk is not.
    if (error instanceof ApiError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error
    throw invalidField('body', 'is not a multipart form that can be read')
  }
}

async function parseForm(request: FastifyRequest, to: { part: string; path: string; bytesMax: number }): Promise<Form> {
  const form = new Busboy({
    headers: request.headers as BusboyHeaders,
    limits: { ...limits, fieldSize: fieldBytesMax, fileSize: to.bytesMax },
  })
  // A client that leaves in the middle of its file would leave the local file open, or have it created after the caller
  // has deleted it.
  let closeFile = async () => {}
  try {
    return await readParts(request, form, to, (stream, written) => {
      closeFile = async () => {
        // With an error: a pipeline never notices that a stream was destroyed between its last byte and its end.
        stream.destroy(new Error('the form was given up'))
        await written.catch(() => {})
      }
    })
  } catch (error) {
    await closeFile()
    throw error
  }
}

async function readParts(
  request: FastifyRequest,
  form: InstanceType<typeof Busboy>,
  to: { part: string; path: string },
  begun: (file: BusboyFileStream, written: Promise<void>) => void,
): Promise<Form> {
  const fields = new Map<string, string>()
  let file: { name: string | null; stream: BusboyFileStream; written: Promise<void> } | null = null
  const { promise: broken, reject } = Promise.withResolvers<never>()
  broken.catch(() => {})
  withErrorListener(form, reject)
  let longField: string | null = null
  let otherPart: string | null = null
  form.on('field', (name, value, _nameTruncated, isTruncated) => {
    if (isTruncated) longField = name
    fields.set(name, value)
  })
  form.on('file', (field, stream, name) => {
    // A form that ends inside a file reports it on the form too. The stream reports it even after the pipeline is done.
    withErrorListener(stream)
    if (field !== to.part || file) {
      // A part whose headers are damaged has no name.
      if (field !== to.part) otherPart = (field as string | undefined) ?? null
      return void stream.resume()
    }
    const written = pipeline(stream, createWriteStream(to.path))
    written.catch((error) => form.destroy(error))
    begun(stream, written)
    file = { name: cleanName(name ?? ''), stream, written }
  })
  let limitExceeded: ApiError | null = null
  form.on('filesLimit', () => (limitExceeded ??= invalidField(to.part, 'must be the only file of the form')))
  form.on(
    'fieldsLimit',
    () => (limitExceeded ??= invalidField('body', `must have at most ${limits.fields} fields besides the file`)),
  )
  form.on('partsLimit', () => (limitExceeded ??= invalidField('body', `must have at most ${limits.parts} parts`)))
  // Called at once, and before the form ends: the parser emits no event when a form ends inside a part beyond the
  // limit.
  const throwIfExceeded = () => {
    if (limitExceeded !== null) throw limitExceeded
  }
  const finished = once(form, 'finish')
  finished.catch(() => {})
  let bytesParsed = 0
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    for (let from = 0; from < chunk.length; ) {
      if (!file && bytesParsed >= bytesBeforeFileMax) {
        if (otherPart !== null) throw missingFile(to.part, otherPart)
        const where = `must be in the first ${bytesBeforeFileMax / 1024} KiB of the form`
        throw invalidField(to.part, `${where}, after fields of at most ${fieldBytesMax / 1024} KiB`)
      }
      const portion = chunk.subarray(from, file ? chunk.length : from + portionBytes)
      from += portion.length
      bytesParsed += portion.length
      if (!form.write(portion)) await Promise.race([once(form, 'drain'), broken])
      throwIfExceeded()
      if (!file) await request.nextTurn(portion.length)
    }
  }
  form.end()
  const found = file as { name: string | null; stream: BusboyFileStream; written: Promise<void> } | null
  await Promise.race([finished, broken, givenUp(found?.written)])
  await found?.written
  if (longField !== null)
    throw invalidField(longField, `must be at most ${fieldBytesMax / 1024} KiB as a field of a form`)
  return {
    file: found && { name: found.name, isTooLarge: found.stream.truncated },
    otherPart,
    fields: Object.fromEntries(fields),
  }
}

/** Turns of the event loop that the parser gets to finish once it has everything; it needs one. */
const lastTurns = 10

/** The parser neither finishes nor fails after a part whose headers have no end: the request would wait forever. */
async function givenUp(written: Promise<void> | undefined): Promise<never> {
  await written
  for (let turn = 0; turn < lastTurns; turn++) await nextImmediate()
  throw new Error('the form has no end')
}

/**
 * The name of a client's file: the last part of its path, without control characters and characters that file systems
 * reject. Null when nothing remains.
 */
export function cleanName(name: string): string | null {
  const last = name.split(/[/\\]/).at(-1)!
  const clean = last
    .replace(/[\p{Cc}<>:"|?*]/gu, '')
    .trim()
    .slice(0, fileNameCharactersMax)
    // Last: the cut may have split a character in two.
    .toWellFormed()
  return clean === '' || /^\.+$/.test(clean) ? null : clean
}
