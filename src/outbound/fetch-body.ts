// Writes a response body to a file, within a limit.
// It holds one chunk at a time, however fast the server sends and however slow the disk is.
import { open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { FetchFailure } from './fetch-failure.ts'

/** A limit, or a function of the first bytes that is called while these grow to `headBytes`. */
export type BytesMax = number | ((head: Buffer) => number)

const headBytes = 64

/** A failure of the local disk, which must not be reported as the server's fault. */
export class DiskError extends Error {}

/** Writes the body to `toPath` and returns its length; on any failure the file is removed. */
export async function bodyToFile(
  body: Readable,
  { toPath, bytesMax, announced }: { toPath: string; bytesMax: BytesMax; announced: number },
): Promise<number> {
  if (typeof bytesMax === 'number' && announced > bytesMax) throw new FetchFailure('too_large', { bytesMax })
  const file = await onDisk(open(toPath, 'w'))
  let done = false
  try {
    const limit = limitWatch(bytesMax)
    let bytes = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      const allowed = limit(chunk)
      if (Math.max(bytes, announced) > allowed) throw new FetchFailure('too_large', { bytesMax: allowed })
      await onDisk(file.writeFile(chunk))
    }
    done = true
    return bytes
  } finally {
    await file.close()
    if (!done) await rm(toPath, { force: true })
  }
}

function limitWatch(bytesMax: BytesMax): (chunk: Buffer) => number {
  if (typeof bytesMax === 'number') return () => bytesMax
  let head = Buffer.alloc(0)
  let limit = 0
  return (chunk) => {
    if (head.length >= headBytes) return limit
    head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
    limit = bytesMax(head)
    return limit
  }
}

async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new DiskError('a download could not be written', { cause })
  }
}
